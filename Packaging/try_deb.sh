#!/usr/bin/env bash
# try_deb.sh RELEASE PACKAGE.deb: installs the package in a new Debian, runs a script of five lines
# in pvbatch and in pvpython there, and removes it again. Needs root and debootstrap. RELEASE is
# bookworm, trixie or sid.
set -euo pipefail
release=$1
package=$(realpath "$2")
root=$(mktemp -d "${TMPDIR:-/tmp}/paragrain-$release.XXXX")
mounted=()
leave() {
  for place in "${mounted[@]}"; do umount -l "$place"; done
  rm -rf --one-file-system "$root"
}
trap leave EXIT
chmod 755 "$root"
debootstrap --variant=minbase "$release" "$root" "${PARAGRAIN_MIRROR:-http://deb.debian.org/debian}" \
  > "/tmp/try_deb-$release.log" 2>&1
cp /etc/resolv.conf "$root/etc/"
cp /etc/apt/apt.conf.d/* "$root/etc/apt/apt.conf.d/"
for place in proc sys dev; do
  mount --bind "/$place" "$root/$place"
  mounted+=("$root/$place")
done
cp "$package" "$root/tmp/paragrain.deb"
cat > "$root/tmp/script.py" << 'EOF'
from paraview.simple import *
run = DEMSimulation(Particles=DEMPacking(), EndTime=0.02)
run.UpdatePipeline(0.02)
print(run.GetDataInformation().GetNumberOfPoints(), "grains at", run.GetDataInformation().GetTime(), "s")
print(servermanager.Fetch(run, idx=3).GetValueByName(0, "Device").ToString())
EOF
chroot "$root" env DEBIAN_FRONTEND=noninteractive bash -euo pipefail -s << 'EOF'
apt-get update -qq
apt-get install -y -qq --no-install-recommends /tmp/paragrain.deb python3-paraview > /tmp/apt.log 2>&1 ||
  { tail -20 /tmp/apt.log; exit 1; }
dpkg -s paragrain | grep -E "^(Version|Depends)"
for program in pvbatch pvpython; do
  echo "$program: $($program /tmp/script.py 2>&1 | grep -v -E "hwloc|UCX" | tail -2 | paste -sd' ')"
done
apt-get remove -y -qq paragrain > /dev/null 2>&1
left=$(find / -xdev -iname '*paragrain*' -not -path '/tmp/*' -not -path '/proc/*' -not -path '/var/*' -not -path '/src/*' | head)
echo "left after removal: ${left:-nothing}"
pvpython -c "import paraview.simple as s; print('ParaView without it:', 'DEMPacking' not in dir(s))" 2>&1 | tail -1
EOF
