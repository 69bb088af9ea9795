// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Number of random cases under sanitizers. They take several times as long, and look for other faults than a wrong
// answer in a million: a fifth of the cases does for them. Kinds of cases are never left out.
#if defined(WK_IS_SANITIZED)
#define WK_CASES(count) (((count) + 4) / 5)
#else
#define WK_CASES(count) (count)
#endif
