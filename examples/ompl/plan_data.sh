#!/bin/sh
# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause

# plan_data.sh PLAN: plans for a real arm, where the test data is.
set -u
robot=${WHISKER_DATA:-}/robots/panda/panda
if [ ! -f "$robot.urdf" ]; then
    echo "skipped: WHISKER_DATA does not name a folder with robots/panda"
    exit 77
fi
exec "$1" "$robot.urdf" "$robot.srdf" panda_arm
