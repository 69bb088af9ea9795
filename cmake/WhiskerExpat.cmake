# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause

# Looks for expat as WHISKER_EXPAT says: WHISKER_HAS_EXPAT, and the target EXPAT::EXPAT.

set(WHISKER_HAS_EXPAT OFF)
if(WHISKER_EXPAT)
    find_package(EXPAT QUIET)
    if(EXPAT_FOUND)
        set(WHISKER_HAS_EXPAT ON)
    elseif(WHISKER_EXPAT STREQUAL "AUTO")
        message(STATUS "expat was not found: whisker-io reads no robots")
    else()
        message(FATAL_ERROR "expat was not found: install libexpat1-dev or set WHISKER_EXPAT=OFF")
    endif()
endif()
