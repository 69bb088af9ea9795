# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause

# Looks for libpng as WHISKER_PNG says: WHISKER_HAS_PNG, and the target PNG::PNG.

set(WHISKER_HAS_PNG OFF)
if(WHISKER_PNG)
    find_package(PNG QUIET)
    if(PNG_FOUND)
        set(WHISKER_HAS_PNG ON)
    elseif(WHISKER_PNG STREQUAL "AUTO")
        message(STATUS "libpng was not found: whisker-io reads no depth images")
    else()
        message(FATAL_ERROR "libpng was not found: install libpng-dev or set WHISKER_PNG=OFF")
    endif()
endif()
