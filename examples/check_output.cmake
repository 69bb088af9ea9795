# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause

# Runs PROGRAM and compares what it prints with the file EXPECTED, times aside.

execute_process(COMMAND "${PROGRAM}" OUTPUT_VARIABLE output RESULT_VARIABLE status)
if(NOT status EQUAL 0)
    message(FATAL_ERROR "${PROGRAM} ended with ${status} after printing:\n${output}")
endif()
string(REGEX REPLACE "[0-9.]+ ms" "# ms" output "${output}")
file(READ "${EXPECTED}" expected)
if(NOT output STREQUAL expected)
    message(FATAL_ERROR "${PROGRAM} printed:\n${output}\nbut ${EXPECTED} says:\n${expected}")
endif()
