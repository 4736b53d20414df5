#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Inside of what setup.sh made: install the extension into a throw-away profile, start a screen,
# and let Blender run the driver.
set -euo pipefail

SIZE=${WINDOW_SIZE:-1600x1000}
export WINDOW_SECONDS=${WINDOW_SECONDS:-450}
export HOME=/tmp/run/home XDG_RUNTIME_DIR=/tmp/run/home BLENDER_USER_RESOURCES=/tmp/run/home/blender
export LC_ALL=C.UTF-8 LIBGL_ALWAYS_SOFTWARE=1 PYTHONUNBUFFERED=1
cd /tmp/run/out

timeout -k 5 120 blender --background --offline-mode --python-exit-code 3 \
    --python /tmp/run/install.py

Xvfb -displayfd 3 -screen 0 "${SIZE}x24" +extension GLX -nolisten tcp \
    3> /tmp/run/display > xvfb.log 2>&1 &
for _ in $(seq 100); do
    [ ! -s /tmp/run/display ] || break
    sleep 0.1
done
DISPLAY=:$(cat /tmp/run/display)
export DISPLAY

timeout -k 5 "$WINDOW_SECONDS" blender --offline-mode \
    --window-geometry 0 0 "${SIZE%x*}" "${SIZE#*x}" --python /tmp/run/drive.py
