# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause

# libpng, which whisker-io reads and writes depth images with: the target PNG::PNG.

find_package(PNG QUIET)
if(NOT PNG_FOUND)
    message(FATAL_ERROR "libpng was not found: install libpng-dev")
endif()
