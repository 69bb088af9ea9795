# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause

# Headers, libraries, pages, examples, CMake package with whisker::whisker, whisker::io and, where it is built, whisker::cuda, whisker.pc and whisker-io.pc.

include(CMakePackageConfigHelpers)

install(TARGETS whisker whisker_io EXPORT whiskerTargets)
set_target_properties(whisker_io PROPERTIES INSTALL_RPATH "\$ORIGIN")
if(TARGET whisker_cuda)
    install(TARGETS whisker_cuda EXPORT whiskerTargets)
    set_target_properties(whisker_cuda PROPERTIES INSTALL_RPATH "\$ORIGIN")
endif()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/whisker"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.h")
# The pages keep their places to each other, for links between them to work.
foreach(file LICENSE README.md CHANGELOG.md CONTRIBUTING.md)
    install(FILES "${PROJECT_SOURCE_DIR}/${file}" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
endforeach()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs" "${PROJECT_SOURCE_DIR}/examples"
        DESTINATION "${CMAKE_INSTALL_DOCDIR}")
if(TARGET whisker_command)
    set_target_properties(whisker_command PROPERTIES
        INSTALL_RPATH "\$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
endif()

# A program that links the static library has to link what that one stands on.
get_target_property(whisker_type whisker TYPE)
set(WHISKER_IS_STATIC OFF)
if(whisker_type STREQUAL "STATIC_LIBRARY")
    set(WHISKER_IS_STATIC ON)
endif()

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/whisker")
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/whiskerConfig.cmake.in"
    "${PROJECT_BINARY_DIR}/whiskerConfig.cmake" INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/whiskerConfigVersion.cmake"
    COMPATIBILITY SameMinorVersion)
install(EXPORT whiskerTargets NAMESPACE whisker:: DESTINATION "${package_dir}")
install(FILES "${PROJECT_BINARY_DIR}/whiskerConfig.cmake"
              "${PROJECT_BINARY_DIR}/whiskerConfigVersion.cmake" DESTINATION "${package_dir}")

# The .pc files find their prefix from their own place, so that an installed tree can be moved, and so that
# `cmake --install --prefix` needs no new configuration.
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
    set(WHISKER_PC_PREFIX "${CMAKE_INSTALL_PREFIX}")
    set(WHISKER_PC_LIBDIR "${CMAKE_INSTALL_LIBDIR}")
else()
    file(RELATIVE_PATH up "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
    string(REGEX REPLACE "/$" "" up "${up}")
    set(WHISKER_PC_PREFIX "\${pcfiledir}/${up}")
    set(WHISKER_PC_LIBDIR "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
endif()
if(IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
    set(WHISKER_PC_INCLUDEDIR "${CMAKE_INSTALL_INCLUDEDIR}")
else()
    set(WHISKER_PC_INCLUDEDIR "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
set(WHISKER_PC_REQUIRES "")
if(WHISKER_QHULL)
    set(WHISKER_PC_REQUIRES "qhull_r")
endif()
set(WHISKER_IO_PC_REQUIRES "")
if(WHISKER_HAS_ASSIMP)
    string(APPEND WHISKER_IO_PC_REQUIRES " assimp")
endif()
if(WHISKER_HAS_EXPAT)
    string(APPEND WHISKER_IO_PC_REQUIRES " expat")
endif()
if(WHISKER_HAS_PNG)
    string(APPEND WHISKER_IO_PC_REQUIRES " libpng")
endif()
if(WHISKER_HAS_YAML)
    string(APPEND WHISKER_IO_PC_REQUIRES " yaml-0.1")
endif()
string(STRIP "${WHISKER_IO_PC_REQUIRES}" WHISKER_IO_PC_REQUIRES)
foreach(name IN ITEMS whisker.pc whisker-io.pc)
    configure_file("${CMAKE_CURRENT_LIST_DIR}/${name}.in" "${PROJECT_BINARY_DIR}/${name}" @ONLY)
    install(FILES "${PROJECT_BINARY_DIR}/${name}" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endforeach()
