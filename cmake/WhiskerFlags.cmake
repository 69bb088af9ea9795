# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause

# Flags of this project's own targets. `whisker_c_flags(target)` for C, `whisker_cxx_flags(target)`
# for the C++ of oracle tests and benchmark peers. Nothing here reaches a program that links us.

set(WHISKER_WARNINGS -Wall -Wextra -pedantic -Wshadow)
if(WHISKER_WERROR)
    list(APPEND WHISKER_WARNINGS -Werror)
endif()

# No fused multiply-add behind our back: every processor gives the same bits. errno and floating-point
# traps are not part of any promise, and ignoring them lets the compiler use square roots inline.
set(WHISKER_NUMERICS -ffp-contract=off -fno-math-errno -fno-trapping-math)
# gcc 12 drops the rounding of two neighbouring doubles that become floats and doubles again where it makes one vector
# of them: a bound measured from a stored center would be too small. unit.rounding shows it.
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    list(APPEND WHISKER_NUMERICS -fno-tree-slp-vectorize)
endif()

# Queries run on small stacks too. Sanitizers put guards between locals, so their frames do not count.
# Code learns about them from WK_IS_SANITIZED, since gcc and clang each have a macro of their own.
set(WHISKER_FRAME_LIMIT -Wframe-larger-than=16384)
set(WHISKER_SANITIZE_FLAGS)
if(WHISKER_SANITIZE)
    set(WHISKER_FRAME_LIMIT)
    set(WHISKER_SANITIZE_FLAGS -fsanitize=${WHISKER_SANITIZE} -fno-sanitize-recover=all
                               -fno-omit-frame-pointer -DWK_IS_SANITIZED=1)
endif()

function(whisker_c_flags target)
    set_target_properties(${target} PROPERTIES
        C_STANDARD 17 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF
        C_VISIBILITY_PRESET hidden POSITION_INDEPENDENT_CODE ON)
    target_compile_options(${target} PRIVATE
        ${WHISKER_WARNINGS} -Wmissing-prototypes -Wconversion -Wvla ${WHISKER_FRAME_LIMIT}
        ${WHISKER_NUMERICS} ${WHISKER_SANITIZE_FLAGS})
    target_link_options(${target} PRIVATE ${WHISKER_SANITIZE_FLAGS})
endfunction()

function(whisker_cxx_flags target)
    set_target_properties(${target} PROPERTIES
        CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF
        CXX_VISIBILITY_PRESET hidden POSITION_INDEPENDENT_CODE ON)
    target_compile_options(${target} PRIVATE
        ${WHISKER_WARNINGS} ${WHISKER_NUMERICS} ${WHISKER_SANITIZE_FLAGS})
    target_link_options(${target} PRIVATE ${WHISKER_SANITIZE_FLAGS})
endfunction()

# Puts a program where users look for it.
function(whisker_program target)
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${WHISKER_PROGRAM_DIR}")
endfunction()
