// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Differences between compilers.

#if defined(__CUDACC__)
#define WK_FN static __host__ __device__ __forceinline__
#else
#define WK_FN static inline __attribute__((unused))
#endif

// Loops of kernels. Those over registers are unrolled: indices have to be constants. Those whose length is known when they
// run are kept as they are: copies of them do not fit into the cache of instructions, for which warps wait then.
#if defined(__CUDA_ARCH__)
#define WK_UNROLL _Pragma("unroll")
#define WK_KEEP_LOOP _Pragma("unroll 1")
#else
#define WK_UNROLL
#define WK_KEEP_LOOP
#endif

// For loops that take a rule (a struct of function pointers passed as a literal) and fold it away.
// Sanitizers make code many times as long: there the compiler decides.
#if defined(__CUDACC__)
#define WK_FORCE_FN WK_FN
#elif defined(WK_IS_SANITIZED)
#define WK_FORCE_FN static inline __attribute__((unused))
#else
#define WK_FORCE_FN static inline __attribute__((always_inline, unused))
#endif

// For the slow path of a function with a fast one: the fast path then needs no stack frame.
#define WK_APART_FN static __attribute__((noinline, unused))

// For functions that are rarely called and should be kept out of hot code.
#define WK_RARE_FN static __attribute__((noinline, cold, unused))

// Alignment of a field or variable, in front of its type.
#if defined(__cplusplus)
#define WK_ALIGNAS(byteCount) alignas(byteCount)
#else
#define WK_ALIGNAS(byteCount) _Alignas(byteCount)
#endif

#define WK_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define WK_UNLIKELY(condition) __builtin_expect(!!(condition), 0)

// A condition that the caller guarantees.
#define WK_ASSUME(condition) ((condition) ? (void)0 : __builtin_unreachable())

// Forces values in memory to be read again: where registers are few, that is cheaper than spilling them.
#define WK_READ_AGAIN() __asm__ volatile("" ::: "memory")

// Keeps a case of a switch separate where compilers would merge all cases.
#define WK_KEEP_APART(number) __asm__ volatile("" ::"i"(number))
