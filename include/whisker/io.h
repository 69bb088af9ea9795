// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file io.h
/// Loads and saves meshes, points, maps, robots and spheres. A separate library, whisker-io (CMake target
/// `whisker::io`, pkg-config `whisker-io`), so that programs without files do not link it.
///
/// | name and extension | holds | read | written |
/// | --- | --- | --- | --- |
/// | stl | mesh | ascii, binary | binary |
/// | obj | mesh | yes | yes |
/// | ply | mesh, points | ascii, binary of both byte orders | binary, little-endian |
/// | whisker | mesh | with its hierarchy, as wkMesh_Block() gives it | the same |
/// | dae, gltf, glb, fbx, others | mesh | where built with assimp | no |
/// | pcd | points | ascii, binary, binary_compressed; all types of fields | binary |
/// | npy | points | (n, 3 or more) and (height, width, 3 or more), all types | yes |
/// | bin | points | as in KITTI: floats x, y, z, intensity | the same, intensity 0 |
/// | las | points | versions 1.0 to 1.4, all formats of points, not compressed | version 1.2 |
/// | csv, xyz | points | x, y, z by the names in the first line, else the first three | no |
/// | vtk | points | legacy files, ascii and binary | no |
/// | bt, ot | map | as OctoMap writes them | the same |
/// | urdf, srdf | robot | where built with expat | srdf |
/// | png | depth image | 16-bit grey, where built with libpng | the same |
/// | txt | camera of depth images | a key and its numbers on each line | the same |
/// | scene | world | as MoveIt saves it | no |
/// | sdf, world | world | where built with expat | no |
/// | yaml | world | planning scenes of MoveIt, where built with libyaml | no |
/// | json | spheres of a robot | yes | yes |
/// | yml, yaml | spheres of a robot | where built with libyaml: those of cuRobo and smpl | as cuRobo |
/// | urdf | spheres of a robot | where built with expat | yes |
///
/// Input is not trusted: counts are compared with the bytes of the file before memory is allocated.
/// Error messages (`wkGetLastError()`) name the file, the line (text) or byte (binary), and the field.
/// See docs/files.md.

#include "whisker/io_depth.h"
#include "whisker/io_load.h"
#include "whisker/io_meshes.h"
#include "whisker/io_points.h"
#include "whisker/io_robots.h"
#include "whisker/io_spheres.h"
#include "whisker/io_tables.h"
#include "whisker/io_worlds.h"
