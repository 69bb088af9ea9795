// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file allowed.h
/// Which pairs may touch: neighbours on a robot, links that cannot reach each other, the mug and the
/// hand that holds it. What MoveIt calls the allowed collision matrix. See docs/allowed_pairs.md.

#include "whisker/query.h"
#include "whisker/robot.h"

/// What is to be done about a pair.
typedef enum wkAllowedRule {
    wk_ruleChecked = 0, ///< the two must not touch
    wk_ruleAllowed = 1, ///< they may: nobody looks
    wk_ruleAsked = 2,   ///< a function of yours decides about each contact
    wk_ruleCount = 3,   ///< number of values, not a rule
} wkAllowedRule;

/// Lower-case name: "checked", "allowed", "asked".
WK_API const char* wkAllowedRuleName(wkAllowedRule rule);

/// Rules for pairs of names. Written by one thread.
typedef struct wkAllowed wkAllowed;

/// Decides about a contact of a pair that is asked about. May be called from any thread that queries.
/// @return true when the two may touch so
typedef bool wkAllowedFcn(const char* nameA, const char* nameB, const wkContact* contact,
                          void* context);

/// No rules: every pair is checked.
/// @param allowed set to NULL on failure
WK_API wkResult wkAllowed_Create(wkAllowed** allowed);

/// Another one with the same rules.
WK_API wkResult wkAllowed_Copy(const wkAllowed* allowed, wkAllowed** copy);

/// Releases the rules; NULL is fine.
WK_API void wkAllowed_Destroy(wkAllowed* allowed);

/// The rule of a pair, in any order. Names need not exist yet.
/// @return wk_errorMemory: nothing has changed; wk_errorArgument: a name is NULL or empty, or the rule
///         is wk_ruleAsked, for which there is wkAllowed_SetFcn
WK_API wkResult wkAllowed_Set(wkAllowed* allowed, const char* nameA, const char* nameB,
                              wkAllowedRule rule);

/// The rule of a pair for which `fcn` decides.
WK_API wkResult wkAllowed_SetFcn(wkAllowed* allowed, const char* nameA, const char* nameB,
                                 wkAllowedFcn* fcn, void* context);

/// The rule of a name with all others, where the pair has none of its own. Of two names with such a
/// rule the stricter counts: checked before asked, asked before allowed. Where both are asked, the
/// function of the name that comes first in the alphabet (by its bytes) decides.
/// @param fcn decides when the rule is wk_ruleAsked, and is ignored otherwise
WK_API wkResult wkAllowed_SetDefault(wkAllowed* allowed, const char* name, wkAllowedRule rule,
                                     wkAllowedFcn* fcn, void* context);

/// Takes back the rules of a pair (`nameB` given) or of a name with its default (`nameB` NULL).
WK_API void wkAllowed_Clear(wkAllowed* allowed, const char* nameA, const char* nameB);

/// The rule of a pair.
/// @param fcn set to the function that decides when it is wk_ruleAsked; NULL: not wanted
/// @param context of that function; NULL: not wanted
WK_API wkAllowedRule wkAllowed_Get(const wkAllowed* allowed, const char* nameA, const char* nameB,
                                   wkAllowedFcn** fcn, void** context);

/// Number of pairs with a rule of their own.
WK_API int32_t wkAllowed_Count(const wkAllowed* allowed);

/// The i-th pair with a rule of its own, in the order of their names (by bytes), the first of which is
/// not behind the second. Names live until the rules change.
/// @return false when there is none
WK_API bool wkAllowed_Pair(const wkAllowed* allowed, int32_t index, const char** nameA,
                           const char** nameB, wkAllowedRule* rule);

/// Allows the pairs that the description of a robot disables, pairs of links that a joint holds
/// together, or two joints with nothing but links without bodies between them, and pairs with nothing
/// but fixed joints between them. Two links that hang on one without bodies, each by a joint that
/// moves, such as the fingers of a hand, stay as they are. Rules that pairs had before are replaced.
/// @return wk_errorMemory: nothing has changed; wk_errorArgument
WK_API wkResult wkAllowed_AddRobot(wkAllowed* allowed, const wkRobot* robot);

/// Why a pair of links needs no look.
typedef enum wkAllowedReason {
    wk_reasonNone = 0,     ///< it does need one
    wk_reasonAdjacent = 1, ///< a joint holds them together
    wk_reasonDefault = 2,  ///< they touch in the default configuration
    wk_reasonAlways = 3,   ///< they touch nearly always
    wk_reasonNever = 4,    ///< they never touched
    wk_reasonUser = 5,     ///< the description of the robot says so
    wk_reasonCount = 6,    ///< number of values, not a reason
} wkAllowedReason;

/// Name as in SRDF files: "Adjacent", "Default", "Always", "Never", "User"; "" for none.
WK_API const char* wkAllowedReasonName(wkAllowedReason reason);

/// How pairs are found that need no look. Start from `wkDefaultAllowedSampling()`.
typedef struct wkAllowedSampling {
    int32_t sampleCount; ///< random configurations; default 10000
    uint64_t seed;       ///< the same seed gives the same pairs; default 1
    double alwaysShare;  ///< touching in at least this share of them is "always"; default 0.95
    bool keepsDescribed; ///< whether pairs that the description disables stay so; default false
    const wkParallel* parallel; ///< threads; NULL (default): the calling one. Answers are the same
    /// Called now and then with the configurations done; false stops. Default NULL.
    bool (*progress)(int32_t doneCount, int32_t sampleCount, void* context);
    void* context;   ///< passed to `progress`
    uint32_t cookie; ///< set by wkDefaultAllowedSampling()
} wkAllowedSampling;

/// The defaults above.
WK_API wkAllowedSampling wkDefaultAllowedSampling(void);

/// Finds pairs of links that need no look: neighbours, those that touch by default, always, or never
/// in random configurations. Never is not proven: it means not once in all samples.
/// @param sampling NULL means `wkDefaultAllowedSampling()`
/// @param reasons room for linkCount * linkCount of them, symmetric; links without bodies have none
/// @return wk_errorMemory, wk_errorArgument, wk_errorRange naming the field, wk_errorState when
///         `progress` stopped it
WK_API wkResult wkRobot_SampleAllowed(const wkRobot* robot, const wkAllowedSampling* sampling,
                                      wkAllowedReason* reasons);
