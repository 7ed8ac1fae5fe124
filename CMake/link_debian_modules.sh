#!/bin/sh
# Debian 13's and sid's CMake files of ParaView and VTK name Python modules without the suffix
# .cpython-3xx-x86_64-linux-gnu that their files have, so find_package(ParaView) fails. Links of the
# short names cure it. Needs write access to the folder; does nothing where the names exist.
#   link_debian_modules.sh [FOLDER of Python packages]
folder=${1:-/usr/lib/python3/dist-packages}
for packages in "$folder/vtkmodules" "$folder/paraview"; do
  [ -d "$packages" ] || continue
  find "$packages" -name '*.cpython-*.so' | while read -r module; do
    short=${module%%.cpython-*}.so
    [ -e "$short" ] || ln -s "$(basename "$module")" "$short" || exit 1
  done
done
