# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause

# Looks for assimp as WHISKER_ASSIMP says: WHISKER_HAS_ASSIMP, and the target PkgConfig::assimp.

set(WHISKER_HAS_ASSIMP OFF)
if(WHISKER_ASSIMP)
    find_package(PkgConfig QUIET)
    if(PKG_CONFIG_FOUND)
        pkg_check_modules(assimp QUIET IMPORTED_TARGET assimp)
    endif()
    if(assimp_FOUND)
        set(WHISKER_HAS_ASSIMP ON)
    elseif(WHISKER_ASSIMP STREQUAL "AUTO")
        message(STATUS "assimp was not found: whisker-io reads stl, obj and ply alone")
    else()
        message(FATAL_ERROR "assimp was not found: install libassimp-dev or set WHISKER_ASSIMP=OFF")
    endif()
endif()
