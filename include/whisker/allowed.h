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

/// Decides about a contact of a pair that is asked about. May be called from any thread that queries. A
/// pair with 128 contacts or more counts as touching, whatever is decided.
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

/// Why a pair of links is not checked. The values are pinned.
typedef enum wkAllowedReason {
    wk_reasonNone = 0,     ///< it is checked
    wk_reasonAdjacent = 1, ///< a joint holds them together
    wk_reasonDefault = 2,  ///< they touch in the default configuration
    wk_reasonAlways = 3,   ///< they touch nearly always
    wk_reasonNever = 4,    ///< they touched in no random configuration, which proves nothing
    wk_reasonUser = 5,     ///< the description of the robot says so
    wk_reasonProven = 6, ///< they touch in no configuration within the limits of the joints: proven
    wk_reasonCount = 7,  ///< number of values, not a reason
} wkAllowedReason;

/// Name as in SRDF files: "Adjacent", "Default", "Always", "Never", "User"; "" for none. What is proven
/// and what was sampled are both "Never" there.
WK_API const char* wkAllowedReasonName(wkAllowedReason reason);

/// What a reason rests on, as in the attribute `evidence` of SRDF files: "proven" and "sampled" for the
/// two kinds of "Never"; "" for all others.
WK_API const char* wkAllowedReasonEvidence(wkAllowedReason reason);

/// What is known about a pair of links.
typedef struct wkPairEvidence {
    bool isProven;       ///< they touch in no configuration within the limits of the joints
    bool canTouch;       ///< a configuration was found in which they touch
    int32_t sampleCount; ///< random configurations in which the pair was examined
    int32_t touchCount;  ///< in how many of them it touched
    /// Upper bound, with a confidence of 95 %, on the share of all configurations in which the pair
    /// touches although it touched in none of the samples: 3 / sampleCount. 0 where that is proven, 1
    /// where nothing was sampled or the pair can touch.
    double missedShare;
} wkPairEvidence;

/// How pairs are found that need not be checked. Start from `wkDefaultAllowedSampling()`.
typedef struct wkAllowedSampling {
    /// Random configurations for the pairs that are not settled by proof; default 300000, for a
    /// `missedShare` of 1e-5.
    int32_t sampleCount;
    uint64_t seed;      ///< the same seed gives the same pairs; default 1
    double alwaysShare; ///< touching in at least this share of them is "always"; default 0.95
    /// Most tests of two bodies that a proof may take for a pair of links; 0: nothing is proven.
    /// Default 50000.
    int32_t proofBudget;
    /// Touching means a signed distance not above this, in metres, >= 0; default 0. Give the largest
    /// padding, margin or safety distance that the pairs will be used with.
    double margin;
    /// Whether pairs that touched in no sample and are not proven get `wk_reasonNever`; default false:
    /// they are checked (`wk_reasonNone`).
    bool allowsSampled;
    bool keepsDescribed; ///< whether pairs that the description disables stay so; default false
    wkPairEvidence*
        evidence; ///< room for linkCount * linkCount, symmetric; NULL (default): not wanted
    const wkParallel* parallel; ///< threads; NULL (default): the calling one. Answers are the same
    wkProgressFcn* progress;    ///< how far it has come; NULL (default): none
    void* context;              ///< passed to `progress`
    uint32_t cookie;            ///< set by wkDefaultAllowedSampling()
} wkAllowedSampling;

/// The defaults above.
WK_API wkAllowedSampling wkDefaultAllowedSampling(void);

/// Finds pairs of links that need not be checked: neighbours, those that touch by default or always, and
/// those that are proven never to touch while the joints between them are within their limits (joints
/// without limits turn all the way). Pairs that are neither proven nor found touching are examined in
/// random configurations, and checked unless `allowsSampled`.
/// @param sampling NULL means `wkDefaultAllowedSampling()`
/// @param reasons room for linkCount * linkCount of them, symmetric; links without bodies have none
/// @return wk_errorMemory, wk_errorArgument, wk_errorRange naming the field, wk_errorCancelled when
///         `progress` cancelled it; then all pairs are checked
WK_API wkResult wkRobot_SampleAllowed(const wkRobot* robot, const wkAllowedSampling* sampling,
                                      wkAllowedReason* reasons);
