// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A frame of a depth camera on its way to a GPU.

#include "cuda/cuda_impl.h"

// Checks an image for what keeps a camera on a GPU.
// @param what names it in messages, such as "cuda camera"
// @return as wkDepthImage_Check; wk_errorArgument naming the first field in which the camera of the image differs
wkResult wkCheckFrame(const char* what, const wkCamera* camera, const wkDepthImage* image);

// Sends the pixels of an image, without what is between its rows, and makes the image that of the device.
// @param pixels memory of the device for all of them
wkResult wkSendFrame(wkDepthImage* image, void* pixels, cudaStream_t stream);
