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
// Sanitizers make code many times as long: there the compiler decides.
#if defined(WK_IS_SANITIZED)
#define WK_FORCE_FN static inline __attribute__((unused))
#else
#define WK_FORCE_FN static inline __attribute__((always_inline, unused))
#endif

// For the long way of a function that has a short one, which then needs no room on the stack.
#define WK_APART_FN static __attribute__((noinline, unused))

// For what is hardly ever called and should not take room among the rest.
#define WK_RARE_FN static __attribute__((noinline, cold, unused))

#define WK_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define WK_UNLIKELY(condition) __builtin_expect(!!(condition), 0)

// What the caller has made sure of.
#define WK_ASSUME(condition) ((condition) ? (void)0 : __builtin_unreachable())

// Numbers in memory are read again after this: where registers are few, that is cheaper than
// putting them aside.
#define WK_READ_AGAIN() __asm__ volatile("" ::: "memory")

// Keeps a case of a switch as it is, where compilers would make one of all.
#define WK_KEEP_APART(number) __asm__ volatile("" ::"i"(number))
