#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Run a driver in a Blender window on a virtual screen: run.sh EXTENSION.zip DRIVER.py FOLDER
# Needs root, and what setup.sh made. Ends with 0 if the driver came to its end.
set -euo pipefail

ROOT=${WINDOW_BLENDER:-${XDG_CACHE_HOME:-$HOME/.cache}/orogen/window}
HERE=$(dirname "$(realpath "$0")")
ZIP=$(realpath -e "$1") DRIVER=$(realpath -e "$2") OUT=$(realpath -m "$3")
export ROOT HERE ZIP DRIVER OUT
mkdir -p "$OUT"

# Mounts, processes and network of its own: nothing is left behind, however this ends.
exec unshare --mount --pid --net --fork --kill-child --propagation private bash -c '
set -euo pipefail
mount -t proc proc "$ROOT/proc"
mount -t tmpfs tmpfs "$ROOT/tmp"
mkdir -p "$ROOT/dev/shm" "$ROOT/tmp/run/out" "$ROOT/tmp/run/home"
mount -t tmpfs tmpfs "$ROOT/dev/shm"
mount --bind "$OUT" "$ROOT/tmp/run/out"
cp "$HERE"/{inside.sh,install.py,drive.py} "$ROOT/tmp/run/"
cp "$ZIP" "$ROOT/tmp/run/extension.zip"
cp "$DRIVER" "$ROOT/tmp/run/driver.py"
chroot "$ROOT" bash /tmp/run/inside.sh < /dev/null
'
