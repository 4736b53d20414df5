#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Make a folder that holds a Debian with a windowed Blender, a virtual screen, OpenGL in software,
# a robot for mouse and keys, and a screenshot tool. As root, on Debian; about two minutes.
# The folder is WINDOW_BLENDER; when it is ready already, nothing is done.
set -euo pipefail

ROOT=${WINDOW_BLENDER:-${XDG_CACHE_HOME:-$HOME/.cache}/orogen/window}
SUITE=sid # the Debian release that has Blender 5
PACKAGES=(
    blender python3-numpy python3-cattr python3-requests python3-zstandard # for its extensions
    xvfb xauth xdotool imagemagick libgl1-mesa-dri libegl1 libegl-mesa0 fonts-dejavu-core
)
READY=$ROOT/.orogen-ready # written last
OURS=$ROOT/.orogen        # written first: this folder may be deleted

fail() {
    echo "setup.sh: $*" >&2
    exit 1
}

[ "$(id -u)" = 0 ] || fail "only root can make $ROOT"
unshare --mount --pid --net --fork --kill-child --propagation private \
    sh -c 'mount -t tmpfs tmpfs /mnt' || fail "root may not mount or make name spaces here"
mkdir -p "$(dirname "$ROOT")"
exec 9> "$ROOT.lock"
flock 9 # tests run side by side: one makes it, the others wait
[ ! -e "$READY" ] || exit 0
command -v apt-get > /dev/null || fail "this is no Debian"
command -v debootstrap > /dev/null || {
    apt-get update -q
    apt-get install -y -q --no-install-recommends debootstrap
}
MIRROR=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Label: Debian' |
    sort -u | head -n 1)
[ -n "$MIRROR" ] || fail "apt knows no Debian mirror"

if [ -e "$ROOT" ]; then # half made
    [ -e "$OURS" ] || fail "$ROOT is there and was not made here"
    rm -rf --one-file-system "$ROOT"
fi
mkdir -p "$ROOT"
touch "$OURS"
debootstrap --variant=minbase --include=ca-certificates "$SUITE" "$ROOT" "$MIRROR"

# What lets apt reach the mirror here has to hold inside as well.
cp -L /etc/resolv.conf /etc/hosts "$ROOT/etc/"
if [ -f /etc/ssl/certs/ca-certificates.crt ]; then
    cp -L /etc/ssl/certs/ca-certificates.crt "$ROOT/etc/ssl/certs/"
fi
{
    apt-config dump | grep -E '^Acquire::(Check-|[Hh]ttps?::)' || true
    echo 'APT::Install-Recommends "false";'
} > "$ROOT/etc/apt/apt.conf.d/90host"
printf '#!/bin/sh\nexit 101\n' > "$ROOT/usr/sbin/policy-rc.d" # start no daemon
chmod +x "$ROOT/usr/sbin/policy-rc.d"

unshare --mount --propagation private bash -s "$ROOT" "${PACKAGES[@]}" << 'INSIDE'
set -e
root=$1; shift
mount -t proc proc "$root/proc"
export DEBIAN_FRONTEND=noninteractive LC_ALL=C
chroot "$root" apt-get update -q < /dev/null
chroot "$root" apt-get install -y -q "$@" < /dev/null
chroot "$root" apt-get clean
INSIDE
ln -sf /proc/self/mounts "$ROOT/etc/mtab" # Blender asks there for the mounted file systems
chroot "$ROOT" blender --version
touch "$READY"
