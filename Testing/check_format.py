"""The format of the code: check_format.py CLANG_FORMAT [--fix] compares every tracked C++ and CUDA
file with what clang-format 14 makes of it, and with --fix rewrites those that differ."""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("Filters", "Kernels", "Plugin", "Testing", "examples")
ENDINGS = {".h", ".cuh", ".cu", ".cpp", ".cxx", ".inl"}


def main(formatter, fix):
    version = subprocess.run([formatter, "--version"], capture_output=True, text=True, check=True).stdout
    if not re.search(r"version 14\.", version):
        sys.exit(f"{formatter} is not version 14, whose output the code has: {version.strip()}\n"
                 "On Debian 12: apt-get install clang-format-14. Elsewhere: pip install clang-format==14.0.6")
    files = sorted(str(f) for folder in FOLDERS for f in (ROOT / folder).rglob("*") if f.suffix in ENDINGS)
    options = ["-i"] if fix else ["--dry-run", "-Werror"]
    done = subprocess.run([formatter, *options, *files], capture_output=True, text=True)
    wrong = sorted(set(re.findall(r"^(\S+?):\d+:\d+: error", done.stderr, re.M)))
    if done.returncode or wrong:
        sys.exit("\n".join(wrong or [done.stderr]) + "\nFormat them: python3 Testing/check_format.py CLANG_FORMAT --fix")
    print(f"format of {len(files)} files: good")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1], "--fix" in sys.argv[2:])
