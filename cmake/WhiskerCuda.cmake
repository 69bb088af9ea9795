# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause

# WHISKER_HAS_CUDA: whether the kernels of src/cuda are compiled, where nvcc is found. For GPUs of compute capability
# 8.0 and 9.0 there is machine code; newer ones compile the PTX of 9.0 when the library is loaded.

set(WHISKER_HAS_CUDA OFF)
if(NOT WHISKER_CUDA STREQUAL "OFF")
    include(CheckLanguage)
    set(CMAKE_CUDA_ARCHITECTURES 80-real 90-real 90-virtual)
    check_language(CUDA)
    if(CMAKE_CUDA_COMPILER)
        enable_language(CUDA)
        find_package(CUDAToolkit REQUIRED)
        set(WHISKER_HAS_CUDA ON)
    elseif(WHISKER_CUDA STREQUAL "ON")
        message(FATAL_ERROR "nvcc was not found: install the CUDA toolkit or set WHISKER_CUDA=OFF")
    endif()
endif()

# Flags of a target with kernels. No fused multiply-add behind our back: kernels give the bits of the CPU, and those
# that are faster with it say so. Machine code is not compressed, so that tools/check_machine_code.py reads it.
function(whisker_cuda_flags target)
    set_target_properties(${target} PROPERTIES
        CUDA_STANDARD 17 CUDA_STANDARD_REQUIRED ON CUDA_EXTENSIONS OFF CUDA_VISIBILITY_PRESET hidden
        CUDA_RUNTIME_LIBRARY Static)
    target_compile_options(${target} PRIVATE
        $<$<COMPILE_LANGUAGE:CUDA>:-fmad=false --no-compress -Xcompiler=-Wall,-Wextra,-Wshadow>
        $<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<BOOL:${WHISKER_WERROR}>>:-Werror=all-warnings>)
endfunction()
