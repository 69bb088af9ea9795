# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause

# Vector code is compiled once per instruction set, each time into objects of its own, with
# WK_ISA=<row> naming the row. The rest of the library learns which rows exist through
# WK_ISA_HAS_<ROW>=1 and picks one at start-up (src/base/cpu.c).

# One row per instruction set: name, then its compiler flags.
set(WHISKER_ISA_FLAGS_scalar)
set(WHISKER_ISA_FLAGS_sse2)
set(WHISKER_ISA_FLAGS_avx2 -mavx2 -mfma)
set(WHISKER_ISA_FLAGS_avx512 -mavx512f -mavx512bw -mavx512dq -mavx512vl)
set(WHISKER_ISA_FLAGS_neon)

if(WHISKER_ISA)
    set(WHISKER_ISA_ROWS ${WHISKER_ISA})
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|amd64|AMD64)$")
    set(WHISKER_ISA_ROWS scalar sse2 avx2 avx512)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
    set(WHISKER_ISA_ROWS scalar neon)
else()
    set(WHISKER_ISA_ROWS scalar)
endif()

# Compiles the sources after `prefix` for every row, in targets `prefix`_<row>, and puts the objects into
# the list `result`.
function(whisker_lane_objects result prefix)
    set(objects)
    foreach(row IN LISTS WHISKER_ISA_ROWS)
        set(lane ${prefix}_${row})
        string(TOUPPER ${row} upper)
        add_library(${lane} OBJECT ${ARGN})
        whisker_c_flags(${lane})
        target_include_directories(${lane} PRIVATE
            "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/src")
        target_compile_definitions(${lane} PRIVATE WK_ISA=${row} WK_ISA_IS_${upper}=1)
        target_compile_options(${lane} PRIVATE ${WHISKER_ISA_FLAGS_${row}})
        # the scalar row has arrays in place of vectors: without vectors of neighbours its frames grow too large
        # (WhiskerFlags.cmake says why this is off elsewhere)
        if(row STREQUAL "scalar" AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
            target_compile_options(${lane} PRIVATE -ftree-slp-vectorize)
        endif()
        # clang takes minutes for these checks in code that is all inlined; gcc makes them in no time
        if(WHISKER_SANITIZE MATCHES "undefined" AND CMAKE_C_COMPILER_ID MATCHES "Clang")
            target_compile_options(${lane} PRIVATE -fno-sanitize=undefined)
        endif()
        list(APPEND objects $<TARGET_OBJECTS:${lane}>)
    endforeach()
    set(${result} ${objects} PARENT_SCOPE)
endfunction()

# Tells `target` which rows were built.
function(whisker_isa_definitions target)
    foreach(row IN LISTS WHISKER_ISA_ROWS)
        string(TOUPPER ${row} upper)
        target_compile_definitions(${target} PRIVATE WK_ISA_HAS_${upper}=1)
    endforeach()
endfunction()
