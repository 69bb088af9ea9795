// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Compiler differences in one place.

#if defined(__CUDACC__)
#define WK_FN static __host__ __device__ __forceinline__
#else
#define WK_FN static inline __attribute__((unused))
#endif

// For loops that take a rule (a struct of function pointers passed as a literal) and fold it away.
#define WK_FORCE_FN static inline __attribute__((always_inline, unused))

#define WK_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define WK_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
