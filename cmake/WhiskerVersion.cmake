# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause

# Reads "major.minor.patch" from version.h, the only place where the number is written.
function(whisker_read_version header result)
    set(parts)
    foreach(part IN ITEMS MAJOR MINOR PATCH)
        file(STRINGS "${header}" line REGEX "^#define WK_VERSION_${part} [0-9]+")
        if(NOT line MATCHES "WK_VERSION_${part} ([0-9]+)")
            message(FATAL_ERROR "no WK_VERSION_${part} in ${header}")
        endif()
        list(APPEND parts "${CMAKE_MATCH_1}")
    endforeach()
    list(JOIN parts "." version)
    set(${result} "${version}" PARENT_SCOPE)
endfunction()
