"""Checks the libraries of a package: versions of glibc and libstdc++ that they need, and that each
library they need is in the package, in ParaView, or part of any Linux.

    Packaging/check_symbols.py PACKAGE.zip|FOLDER --glibc 2.28 --glibcxx 3.4.28

Prints each fault; exit status 1 if there is one. Needs objdump (binutils)."""
import argparse
import os
import re
import subprocess
import sys
import tempfile
import zipfile

# Libraries of every Linux with the C and C++ runtime, and the loader.
SYSTEM = re.compile(r"lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+)\.so|ld-linux")
# Libraries of ParaView, which are loaded before the plugin.
PARAVIEW = re.compile(r"libvtk.*\.so|libQt[56].*\.so|libpq.*\.so")
# Libraries that would tie a package to one MPI or to an installed CUDA Toolkit.
FORBIDDEN = re.compile(r"libmpi|libmpich|libcudart|libcuda\.so")


def numbers(version):
    return tuple(int(n) for n in version.split("."))


def check(folder, limits, allow=None):
    faults = []
    libraries = [os.path.join(top, name) for top, _, names in os.walk(folder) for name in names
                 if re.search(r"\.so(\.|$)", name)]
    if not libraries:
        faults.append(f"{folder}: no libraries")
    names = {os.path.basename(library) for library in libraries}
    for library in libraries:
        name = os.path.basename(library)
        headers = subprocess.run(["objdump", "-p", library], capture_output=True, text=True, check=True).stdout
        for needed in re.findall(r"NEEDED +(\S+)", headers):
            if FORBIDDEN.search(needed):
                faults.append(f"{name} needs {needed}, which a package must not link")
            elif needed not in names and not any(known.match(needed) for known in (SYSTEM, PARAVIEW, re.compile(allow or "$"))):
                faults.append(f"{name} needs {needed}, which neither the package nor ParaView has")
        for path in re.findall(r"(?:RPATH|RUNPATH) +(\S+)", headers):
            faults += [f"{name} looks for libraries in {p!r}; only $ORIGIN moves with the package"
                       for p in path.split(":") if not p.startswith("$ORIGIN")]
        symbols = subprocess.run(["objdump", "-T", library], capture_output=True, text=True, check=True).stdout
        for kind, limit in limits.items():
            found = max((numbers(v) for v in re.findall(rf"\b{kind}_([0-9.]+)", symbols)), default=(0,))
            if found > numbers(limit):
                faults.append(f"{name} needs {kind} {'.'.join(map(str, found))}, allowed is {limit}")
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("package")
    parser.add_argument("--glibc", required=True)
    parser.add_argument("--glibcxx", required=True)
    parser.add_argument("--allow", help="regular expression of other libraries that the ParaView at hand has")
    options = parser.parse_args()
    limits = {"GLIBC": options.glibc, "GLIBCXX": options.glibcxx}
    if os.path.isdir(options.package):
        faults = check(options.package, limits, options.allow)
    else:
        with tempfile.TemporaryDirectory() as folder:
            zipfile.ZipFile(options.package).extractall(folder)
            faults = check(folder, limits, options.allow)
    for fault in faults:
        print(fault)
    print("symbols: good" if not faults else f"{len(faults)} faults")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
