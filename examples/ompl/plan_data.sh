#!/bin/sh
# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause

# plan_data.sh PLAN FOLDER: plans for a real arm, where the test data is: in WHISKER_DATA, else in FOLDER.
# Where WHISKER_DATA is set, a missing file is a failure.
set -u
robot=${WHISKER_DATA:-$2}/robots/panda/panda
if [ ! -f "$robot.urdf" ]; then
    if [ -n "${WHISKER_DATA:-}" ]; then
        echo "WHISKER_DATA is set, but $robot.urdf is absent"
        exit 1
    fi
    echo "skipped: no $robot.urdf; WHISKER_DATA names another folder"
    exit 77
fi
exec "$1" "$robot.urdf" "$robot.srdf" panda_arm
