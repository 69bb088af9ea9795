// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file allowed.h
/// Allowed collision matrix, as in MoveIt: which pairs may touch, such as adjacent links, links that
/// cannot reach each other, or a mug and the gripper that holds it. See docs/allowed_pairs.md.

#include "whisker/query.h"
#include "whisker/robot.h"

/// How contacts of a pair are handled.
typedef enum wkAllowedRule {
    wk_ruleChecked = 0, ///< the pair is checked and must not touch
    wk_ruleAllowed = 1, ///< collision allowed; the pair is not checked
    wk_ruleAsked = 2,   ///< a function of the program decides about each contact
} wkAllowedRule;

/// Lower-case name: "checked", "allowed", "asked".
WK_API const char* wkAllowedRuleName(wkAllowedRule rule);

/// Rules for pairs of names. Written by one thread.
typedef struct wkAllowed wkAllowed;

/// Decides whether a contact is allowed, for pairs with wk_ruleAsked. May be called from any thread that
/// queries. A pair with 128 contacts or more counts as touching, whatever the function returns.
/// @return true when the contact is allowed
typedef bool wkAllowedFcn(const char* nameA, const char* nameB, const wkContact* contact,
                          void* context);

/// Creates an empty set of rules: every pair is checked.
/// @param allowed set to NULL on failure
WK_API wkResult wkAllowed_Create(wkAllowed** allowed);

/// Creates a copy with the same rules.
/// @param copy set to NULL on failure
/// @return wk_errorMemory, wk_errorArgument
WK_API wkResult wkAllowed_Copy(const wkAllowed* allowed, wkAllowed** copy);

/// Releases the rules; NULL is fine.
WK_API void wkAllowed_Destroy(wkAllowed* allowed);

/// Sets the rule of a pair; the order of the names does not matter. Names need not exist yet.
/// @return wk_errorMemory: nothing has changed; wk_errorArgument: a name is NULL or empty, or the rule
///         is wk_ruleAsked (use wkAllowed_SetFcn)
WK_API wkResult wkAllowed_Set(wkAllowed* allowed, const char* nameA, const char* nameB,
                              wkAllowedRule rule);

/// Sets the rule of a pair to wk_ruleAsked: `fcn` decides about its contacts.
WK_API wkResult wkAllowed_SetFcn(wkAllowed* allowed, const char* nameA, const char* nameB,
                                 wkAllowedFcn* fcn, void* context);

/// Sets the default rule of a name, for pairs of it without a rule of their own. When both names have
/// a default the stricter one applies: checked before asked, asked before allowed. When both are asked,
/// the function of the name that is first in byte order decides.
/// @param fcn decides when the rule is wk_ruleAsked; ignored otherwise
WK_API wkResult wkAllowed_SetDefault(wkAllowed* allowed, const char* name, wkAllowedRule rule,
                                     wkAllowedFcn* fcn, void* context);

/// Removes the rule of a pair, or all rules and the default of a name (`nameB` NULL).
WK_API void wkAllowed_Clear(wkAllowed* allowed, const char* nameA, const char* nameB);

/// Returns the rule of a pair.
/// @param fcn set to the function that decides when the rule is wk_ruleAsked; NULL: not wanted
/// @param context set to the context of that function; NULL: not wanted
WK_API wkAllowedRule wkAllowed_Get(const wkAllowed* allowed, const char* nameA, const char* nameB,
                                   wkAllowedFcn** fcn, void** context);

/// Number of pairs with a rule of their own.
WK_API int32_t wkAllowed_Count(const wkAllowed* allowed);

/// Gets the i-th pair with a rule of its own. Pairs are sorted by their names in byte order, nameA <=
/// nameB. Names are valid until the rules change.
/// @return false when the index is out of range
WK_API bool wkAllowed_Pair(const wkAllowed* allowed, int32_t index, const char** nameA,
                           const char** nameB, wkAllowedRule* rule);

/// Allows the pairs of a robot that need no check: pairs that its description disables; links connected
/// by a joint, or by two joints with only links without bodies between them; and links with only fixed
/// joints between them. Two links on a common parent without bodies, each on a joint that moves (the
/// fingers of a gripper), stay unchanged. Earlier rules of the pairs that are allowed are replaced.
/// @return wk_errorMemory: nothing has changed; wk_errorArgument
WK_API wkResult wkAllowed_AddRobot(wkAllowed* allowed, const wkRobot* robot);

/// Reason why a pair of links is not checked. The values are pinned.
typedef enum wkAllowedReason {
    wk_reasonNone = 0,     ///< the pair is checked
    wk_reasonAdjacent = 1, ///< a joint connects the links
    wk_reasonDefault = 2,  ///< the links touch in the default configuration
    wk_reasonAlways = 3,   ///< the links touch in nearly all configurations
    wk_reasonNever = 4,    ///< no sampled configuration has contact; this is no proof
    wk_reasonUser = 5,     ///< the description of the robot disables the pair
    wk_reasonProven = 6,   ///< proven: no contact in any configuration within the joint limits
} wkAllowedReason;

/// Name as in SRDF files: "Adjacent", "Default", "Always", "Never", "User"; "" for none.
/// wk_reasonProven and wk_reasonNever are both "Never".
WK_API const char* wkAllowedReasonName(wkAllowedReason reason);

/// Evidence for a reason, as in the attribute `evidence` of SRDF files: "proven" for wk_reasonProven,
/// "sampled" for wk_reasonNever, "" for all others.
WK_API const char* wkAllowedReasonEvidence(wkAllowedReason reason);

/// Evidence about the contacts of a pair of links.
typedef struct wkPairEvidence {
    bool isProven;       ///< proven: no contact in any configuration within the joint limits
    bool canTouch;       ///< a configuration with contact was found
    int32_t sampleCount; ///< random configurations in which the pair was checked
    int32_t touchCount;  ///< number of these in which the pair touched
    /// Upper bound, with a confidence of 95 %, on the share of all configurations in which the pair
    /// touches although it touched in no sample: 3 / sampleCount. 0 when no contact is proven; 1 when
    /// there were no samples or the pair can touch.
    double missedShare;
} wkPairEvidence;

/// Options of wkRobot_SampleAllowed. Start from `wkDefaultAllowedRequest()`.
typedef struct wkAllowedRequest {
    uint32_t cookie; ///< set by wkDefaultAllowedRequest()
    /// Random configurations for the pairs that no proof decides; default 300000, for a `missedShare`
    /// of 1e-5.
    int32_t sampleCount;
    uint64_t seed;      ///< the same seed gives the same pairs; default 1
    double alwaysShare; ///< contact in at least this share of samples is "always"; default 0.95
    /// Maximum number of body-pair tests in the proof for a pair of links; 0: no proofs. Default 50000.
    int32_t proofBudget;
    /// A pair touches when its signed distance is <= margin, in metres, >= 0; default 0. Use the largest
    /// padding, margin or safety distance that queries will have.
    double margin;
    /// Whether unproven pairs without contact in any sample get `wk_reasonNever`; default false: such
    /// pairs are checked (`wk_reasonNone`).
    bool allowsSampled;
    bool keepsDescribed; ///< whether pairs disabled by the description stay so; default false
    const wkParallel* parallel; ///< threads, same result with any; NULL (default): the calling one
    wkProgressFcn* progress;    ///< reports progress and may cancel; NULL (default): none
    void* progressContext;      ///< passed to `progress`
} wkAllowedRequest;

/// The defaults above.
WK_API wkAllowedRequest wkDefaultAllowedRequest(void);

/// Finds pairs of links that need not be checked: adjacent links, links that touch by default or always,
/// and links that are proven never to touch while the joints between them are within their limits (joints
/// without limits take all angles). Pairs that are neither proven nor found in contact are sampled in
/// random configurations; their reason is wk_reasonNone unless `allowsSampled`.
/// @param request NULL means `wkDefaultAllowedRequest()`
/// @param reasons array of linkCount * linkCount, symmetric; wk_reasonNone for links without bodies
/// @param evidence array of linkCount * linkCount, symmetric, filled in on success; NULL: not wanted
/// @return wk_errorMemory, wk_errorArgument, wk_errorRange naming the field, wk_errorCancelled when
///         `progress` returned false: all reasons are wk_reasonNone then
WK_API wkResult wkRobot_SampleAllowed(const wkRobot* robot, const wkAllowedRequest* request,
                                      wkAllowedReason* reasons, wkPairEvidence* evidence);
