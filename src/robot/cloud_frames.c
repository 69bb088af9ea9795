// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Frames of live clouds and sets of them.

#include "robot/cloud_stream_impl.h"

#include "base/memory.h"

wkStreamFrame* wkStreamFrame_Create(wkCloud* cloud, wkPose pose, double time)
{
    wkStreamFrame* frame = (wkStreamFrame*)wkAlloc(sizeof *frame);
    if (frame != NULL) {
        *frame = (wkStreamFrame){1, cloud, pose, time};
    }
    return frame;
}

void wkStreamFrame_Drop(wkStreamFrame* frame)
{
    if (frame != NULL && --frame->holderCount == 0) {
        wkCloud_Destroy(frame->cloud);
        wkFree(frame, sizeof *frame);
    }
}

wkFrameSet* wkFrameSet_Create(wkStreamFrame* const* frames, int32_t count)
{
    wkFrameSet* set = (wkFrameSet*)wkAlloc(sizeof *set);
    if (set == NULL) {
        return NULL;
    }
    set->count = count;
    for (int32_t i = 0; i < count; ++i) {
        set->frames[i] = frames[i];
        ++frames[i]->holderCount;
    }
    return set;
}

void wkFrameSet_Release(void* context)
{
    wkFrameSet* set = (wkFrameSet*)context;
    for (int32_t i = 0; i < set->count; ++i) {
        wkStreamFrame_Drop(set->frames[i]);
    }
    wkFree(set, sizeof *set);
}
