// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Chains of multiply-adds that depend on themselves alone, enough of them to hide the latency. One function per
// instruction set, by the vectors of the compiler; this file alone is compiled with fused operations.

#include "clouds/fma_peak.h"

#include "whisker/base.h"

#include <string.h>

#define CHAINS 12

// Where the results go, so that the work is done.
static volatile float kept;

#define DEFINE_PASS(name, bytes, attribute)                                                        \
    typedef float name##Lanes __attribute__((vector_size(bytes)));                                 \
                                                                                                   \
    attribute static void name(void)                                                               \
    {                                                                                              \
        name##Lanes chains[CHAINS], factor = {0.0f}, sum = {0.0f};                                 \
        factor = factor + 0.999f;                                                                  \
        sum = sum + 0.001f;                                                                        \
        for (int k = 0; k < CHAINS; k++) {                                                         \
            chains[k] = factor + (float)k;                                                         \
        }                                                                                          \
        long rounds = (long)(WK_FMA_PASS / (CHAINS * (bytes) / sizeof(float)));                    \
        for (long i = 0; i < rounds; i++) {                                                        \
            for (int k = 0; k < CHAINS; k++) {                                                     \
                chains[k] = chains[k] * factor + sum;                                              \
            }                                                                                      \
        }                                                                                          \
        for (int k = 1; k < CHAINS; k++) {                                                         \
            chains[0] = chains[0] + chains[k];                                                     \
        }                                                                                          \
        kept = chains[0][0];                                                                       \
    }

#if defined(__x86_64__)
DEFINE_PASS(passAvx512, 64, __attribute__((target("avx512f"))))
DEFINE_PASS(passAvx2, 32, __attribute__((target("avx2,fma"))))
#endif
DEFINE_PASS(passFour, 16, )

void wkPassFma(void* context)
{
    (void)context;
#if defined(__x86_64__)
    if (strcmp(wkGetIsaName(), "avx512") == 0) {
        passAvx512();
        return;
    }
    if (strcmp(wkGetIsaName(), "avx2") == 0) {
        passAvx2();
        return;
    }
#endif
    passFour();
}
