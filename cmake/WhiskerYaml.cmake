# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause

# Looks for libyaml as WHISKER_YAML says: WHISKER_HAS_YAML, and the target PkgConfig::yaml.

set(WHISKER_HAS_YAML OFF)
if(WHISKER_YAML)
    find_package(PkgConfig QUIET)
    if(PKG_CONFIG_FOUND)
        pkg_check_modules(yaml QUIET IMPORTED_TARGET yaml-0.1)
    endif()
    if(yaml_FOUND)
        set(WHISKER_HAS_YAML ON)
    elseif(WHISKER_YAML STREQUAL "AUTO")
        message(STATUS "libyaml was not found: whisker-io reads balls of robots from JSON and URDF")
    else()
        message(FATAL_ERROR "libyaml was not found: install libyaml-dev or set WHISKER_YAML=OFF")
    endif()
endif()
