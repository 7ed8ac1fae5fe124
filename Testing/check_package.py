"""check_package.py BUILD CPACK: makes the movable package of a build folder, and checks that its
libraries need nothing that the package, ParaView or this machine lacks; and that the check of
symbols sees a package that needs a newer glibc than allowed."""
import glob
import os
import platform
import subprocess
import sys
import tempfile
import zipfile

build, cpack = sys.argv[1:3]
check = os.path.join(os.path.dirname(__file__), "..", "Packaging", "check_symbols.py")
glibc = platform.libc_ver()[1]

with tempfile.TemporaryDirectory() as folder:
    subprocess.run([cpack, "-G", "ZIP", "-B", folder, "--config", os.path.join(build, "CPackConfig.cmake")],
                   check=True, capture_output=True, cwd=build)
    package = glob.glob(os.path.join(folder, "ParaGrain-*.zip"))[0]
    names = zipfile.ZipFile(package).namelist()
    print("\n".join(names))
    for wanted in ("ParaGrain.so", "libvtkParaGrainFilters.so", "libtbb.so.12", "LICENSE", "README.txt"):
        assert any(name.endswith("ParaGrain/" + wanted) for name in names), f"no {wanted} in the package"

    def run(limit):
        command = [sys.executable, check, package, "--glibc", limit, "--glibcxx", "9.9", "--allow", r"libz\.so"]  # of Debian's ParaView
        return subprocess.run(command, capture_output=True, text=True)

    good, bad = run(glibc), run("2.3")
    print(good.stdout)
    assert good.returncode == 0, "the package needs what is missing"
    assert bad.returncode == 1 and "needs GLIBC" in bad.stdout, "a package for a newer glibc would pass"
print("ALL PASSED")
