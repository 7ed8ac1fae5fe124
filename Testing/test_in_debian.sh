#!/usr/bin/env bash
# test_in_debian.sh trixie|sid: builds CPU-only with the ParaView of another Debian, and runs all
# tests of the plugin there: Python, pictures, window. Needs root and debootstrap. The Debian stays
# in PARAGRAIN_ROOTS (build-roots/) and is used again; the build folder is build-RELEASE.
set -euo pipefail
cd "$(dirname "$(realpath "$0")")/.."
release=${1:-}
case $release in
  trixie | sid) ;;
  *) echo "Give the Debian release: ./dev test-in trixie|sid" >&2; exit 1 ;;
esac
[ "$(id -u)" -eq 0 ] || { echo "./dev test-in makes a Debian of its own, which needs root." >&2; exit 1; }
command -v debootstrap > /dev/null ||
  { echo "./dev test-in needs debootstrap: apt-get install debootstrap" >&2; exit 1; }
root=${PARAGRAIN_ROOTS:-$PWD/build-roots}/$release
mirror=${PARAGRAIN_MIRROR:-http://deb.debian.org/debian}
start=$SECONDS
if [ ! -e "$root/etc/debian_version" ]; then
  mkdir -p "$root"
  debootstrap --variant=minbase "$release" "$root" "$mirror" > "$root.log" 2>&1 ||
    { tail "$root.log" >&2; exit 1; }
  cp /etc/apt/apt.conf.d/* "$root/etc/apt/apt.conf.d/" # proxies
fi
cp /etc/resolv.conf "$root/etc/resolv.conf"
mounted=()
leave() { for place in "${mounted[@]}"; do umount -l "$place"; done; }
trap leave EXIT
attach() { # attach PLACE OPTIONS...
  local place=$1; shift
  mountpoint -q "$place" && return
  mkdir -p "$place"
  mount "$@" "$place"
  mounted=("$place" "${mounted[@]}")
}
attach "$root/proc" -t proc proc
attach "$root/sys" --bind /sys
attach "$root/dev" --bind /dev
attach "$root/dev/pts" --bind /dev/pts
attach "$root/dev/shm" -t tmpfs tmpfs
attach "$root/src" --bind "$PWD"
chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
  PARAGRAIN_JOBS="${PARAGRAIN_JOBS:-$(nproc)}" RELEASE="$release" TESTS="${TESTS:-}" bash -euo pipefail -s << 'EOF'
cd /src
git config --global --add safe.directory /src 2> /dev/null || true
./dev packages
folder=build-$RELEASE
cmake -S . -B $folder -G Ninja -DCMAKE_BUILD_TYPE=Release -DPARAGRAIN_NATIVE=ON \
  -DPARAGRAIN_CUDA=OFF -DPARAGRAIN_TESTING=ON -DPARAGRAIN_BENCHMARKS=OFF > $folder.log 2>&1 ||
  { cat $folder.log; exit 1; }
grep -E "^-- ParaGrain" $folder.log
cmake --build $folder --parallel "$PARAGRAIN_JOBS" --target ParaGrain paragrain-properties
ctest --test-dir $folder -j "$PARAGRAIN_JOBS" --output-on-failure --timeout 1200 --test-output-size-passed 10000000 \
  -R "${TESTS:-^(Python|GUI|Display|House)}"
python3 Testing/list_skipped.py $folder
EOF
echo "All tests of the plugin passed with $release's ParaView in $(((SECONDS - start) / 60)) min."
