#!/usr/bin/env python3
"""Checks what the documents (*.md) name: exits 1 and names each fault with its file and line.

- Relative links lead to files and folders that exist, and their anchors to headings.
- Paths in back quotes exist: `Kernels/Core`, `Scene/Describe.h` (below a room), `StepPlan.h` (anywhere). Names with NAME, ROOM or Name
  stand for others, and * for any text.
- Commands in back quotes, in indented blocks and in fences of bash: subcommands of ./dev, programs, scripts, presets, targets and options
  exist. This check only reads: an option exists if the source of its program or script has it.
- Documents that comments of the code name exist.

check_links.py --notice: makes faults on purpose and exits 1 if one of them is not named.
"""
import fnmatch
import json
import os
import re
import shlex
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SKIPPED_FOLDERS = re.compile(r"^(\.git|build.*|out|__pycache__|node_modules)$")
# Folders and files that exist only after a build or a run, or on a user's machine.
MADE = re.compile(r"^(build[\w-]*|out|/|~|\.\.)(/|$)|^(script|run|bed|settled|bidisperse|tablets|clumps|cubes|[bm])\.(py|dem|json)$")
PLACEHOLDER = re.compile(r"NAME|ROOM|OUT|FILE|BIN|NNN|(^|/)(Test|Fuzz)?Name(On|Cuda)?\.|\.\.\.")
# Files of earlier versions that notes about the past name.
PAST = {"CHANGELOG.md"}
SUFFIXES = ("h", "cuh", "cu", "cpp", "cxx", "inl", "py", "md", "xml", "xml.in", "json", "dem", "stl", "pvsm", "png", "sh", "cmake", "debian", "csv",
            "dict", "txt", "module", "qrc", "in")
PATH = re.compile(r"^[\w.*+-]+(/[\w.*+-]+)*/?$")
# Programs and the source that reads their options.
PROGRAMS = {"paragrain-bench": "Testing/Benchmarks/ParaGrainBench.cpp", "paragrain-bench-mpm": "Testing/Benchmarks/MpmBench.cpp",
            "paragrain-bench-analysis": "Testing/Benchmarks/AnalysisBench.cpp", "paragrain-bench-tree": "Testing/Benchmarks/TreeQuality.cpp",
            "paragrain-validate": "Testing/Validation/Main.cpp",
            "paragrain-tests": None, "paragrain-tests-emulated": None, "paragrain-state-hashes": None, "paragrain-properties": None}
DEV_OPTIONS = {"bench": "Testing/Benchmarks/ParaGrainBench.cpp", "validate": "Testing/Validation/Main.cpp"}
INTERPRETERS = {"python3", "pvpython", "pvbatch", "bash"}
CMAKE_OPTIONS = {"-S", "-B", "-G", "--build", "--preset", "--target", "--parallel", "-j", "--install", "--prefix", "-E", "-L", "-R", "-LE", "-j2",
                 "--output-on-failure", "--test-dir", "-V", "-N", "--list-presets", "--config"}


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8", errors="replace") as text:
        return text.read()


class Tree:
    """All files and folders of the source tree."""

    def __init__(self):
        self.files, self.folders = set(), set()
        for base, folders, files in os.walk(ROOT):
            folders[:] = [name for name in folders if not SKIPPED_FOLDERS.match(name)]
            place = os.path.relpath(base, ROOT)
            place = "" if place == "." else place.replace(os.sep, "/") + "/"
            self.files |= {place + name for name in files}
            self.folders |= {place + name for name in folders}
        self.names = {path.rsplit("/", 1)[-1] for path in self.files}
        self.top = {path.split("/")[0] for path in self.folders}
        self.known = sorted(self.files | self.folders)
        cmake = "\n".join(read(path) for path in self.files if path.endswith("CMakeLists.txt"))
        self.cmake = cmake
        self.targets = set(re.findall(r"add_(?:executable|library|custom_target)\(\s*([\w-]+)", cmake)) | {"all", "install", "test"}
        self.tests = set(re.findall(r"add_test\(\s*NAME ([\w.$\{\}-]+)", cmake))
        self.variables = set(re.findall(r"(?:option|set)\((PARAGRAIN_\w+)", cmake)) | set(re.findall(r"PARAGRAIN_\w+", read("dev")))
        self.presets = {preset["name"] for preset in json.loads(read("CMakePresets.json"))["configurePresets"]}
        dev = read("dev")
        self.subcommands = set(re.findall(r"^  ([\w-]+)\)", dev[dev.index("case ${1"):], re.M)) | {"help"}

    def has(self, path, page):
        path = path.rstrip("/")
        beside = os.path.normpath(os.path.join(os.path.dirname(page), path)).replace(os.sep, "/")
        for one in (path, beside):
            if one in self.files or one in self.folders or one == ".":
                return True
        if "*" in path:
            return any(fnmatch.fnmatch(known, path) or fnmatch.fnmatch(known, "*/" + path) for known in self.known)
        return any(known.endswith("/" + path) for known in self.known)

    def script(self, path):
        """The file of a script named by its path or name; None if there is none."""
        found = [known for known in self.files if known == path or known.endswith("/" + path)]
        return found[0] if found else None


def slug(heading):
    text = re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", lambda m: m.group(1) or "", heading.strip().lower())
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def anchors(text):
    seen, found = {}, set()
    for heading in re.findall(r"^#{1,6} (.+)$", without_fences(text), re.M):
        name = slug(heading)
        count = seen.get(name, 0)
        seen[name] = count + 1
        found.add(name if count == 0 else f"{name}-{count}")
    return found | set(re.findall(r'<a (?:name|id)="([^"]+)"', text))


def without_fences(text):
    """The text with the lines of fences emptied, so that numbers of lines stay."""
    lines, inside = [], False
    for line in text.split("\n"):
        if line.lstrip().startswith("```"):
            inside = not inside
            lines.append("")
        else:
            lines.append("" if inside else line)
    return "\n".join(lines)


def commands(text):
    """(line, command) of fences of bash and of indented blocks."""
    lines = text.split("\n")
    fence, before = None, ""
    held, start = "", 0
    for number, line in enumerate(lines, 1):
        mark = re.match(r"\s*```(\w*)", line)
        if mark:
            fence = None if fence is not None else mark.group(1)
            before = ""
            continue
        if fence is not None:
            code = line if fence in ("bash", "sh", "console", "") else None
        else:
            code = line if re.match(r"    \S", line) and (not before.strip() or re.match(r"    \S", before)) else None
        before = line
        if code is None:
            continue
        code = code.strip()
        held, start = (held + " " + code, start) if held else (code, number)
        if held.endswith("\\"):
            held = held[:-1]
            continue
        yield start, re.sub(r"^\$ ", "", held)
        held = ""


class Checker:
    def __init__(self):
        self.tree, self.wrong = Tree(), []

    def fault(self, page, line, text):
        self.wrong.append(f"{page}:{line}: {text}")

    # ---- links and paths

    def links(self, page, text):
        plain = without_fences(text)
        for match in re.finditer(r"!?\[(?:[^\]\[]|\[[^\]]*\])*\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)|<img[^>]* src=\"([^\"]+)\"", plain):
            target = match.group(1) or match.group(2)
            line = plain.count("\n", 0, match.start()) + 1
            if re.match(r"[a-z]+:", target):
                continue
            path, _, anchor = target.partition("#")
            full = os.path.normpath(os.path.join(os.path.dirname(page), path)).replace(os.sep, "/") if path else page
            if full not in self.tree.files and full not in self.tree.folders and full != ".":
                self.fault(page, line, f"the link {target} leads nowhere")
            elif anchor and full.endswith(".md") and anchor not in anchors(read(full)):
                self.fault(page, line, f"{full} has no heading #{anchor}")

    def paths(self, page, text):
        plain = without_fences(text)
        for match in re.finditer(r"`([^`\n]+(?:\n[^`\n]+)?)`", plain):
            code = " ".join(match.group(1).split())
            line = plain.count("\n", 0, match.start()) + 1
            if " " in code:
                self.command(page, line, code, {})
                continue
            if not PATH.match(code) or MADE.match(code) or PLACEHOLDER.search(code) or page in PAST:
                continue
            ending = code.rsplit("/", 1)[-1].partition(".")[2]
            is_file = any(ending == suffix or ending.endswith("." + suffix) for suffix in SUFFIXES) and not code.startswith((".", "*."))
            is_folder = "/" in code and (code.split("/")[0] in self.tree.top or code.endswith("/"))
            if (is_file or is_folder) and not self.tree.has(code, page):
                self.fault(page, line, f"there is no {code}")

    # ---- commands

    def option_of(self, page, line, option, source, what):
        name = option.split("=")[0]
        if re.match(r"--?[A-Za-z]", name) and not re.search(re.escape(name) + r"(?![\w-])", source):
            self.fault(page, line, f"{what} has no option {name}")

    def command(self, page, line, text, functions):
        for part in re.split(r"&&|\|\||;|(?<!\|)\|(?!\|)", re.sub(r"(^|\s)#.*", "", text)):
            try:
                words = shlex.split(part.replace("[", " ").replace("]", " ").replace("(", " ").replace(")", " "))
            except ValueError:
                words = part.split()
            while words and re.match(r"[A-Z_]+=", words[0]):
                variable = words.pop(0).split("=")[0]
                if variable.startswith("PARAGRAIN_") and variable not in self.tree.variables and variable != "PARAGRAIN_EMULATED_SEED":
                    self.fault(page, line, f"nothing reads the variable {variable}")
            if words and words[0] in ("xvfb-run", "nice", "timeout", "time"):
                words = words[next((k for k, w in enumerate(words) if w in INTERPRETERS or os.path.basename(w).startswith("paragrain-")), len(words)):]
            if words:
                self.words(page, line, functions.get(words[0], words[0]), words[1:])

    def words(self, page, line, program, rest):
        options = [word for word in rest if word.startswith("-")]
        name = os.path.basename(program)
        if program == "./dev":
            if rest and rest[0] not in self.tree.subcommands:
                self.fault(page, line, f"./dev has no subcommand {rest[0]}")
            source = DEV_OPTIONS.get(rest[0] if rest else "")
            for option in options if source else ():
                self.option_of(page, line, option, read(source), "./dev " + rest[0])
        elif name.startswith("paragrain-"):
            if name not in PROGRAMS or name not in self.tree.targets:
                self.fault(page, line, f"no target makes {name}")
            elif PROGRAMS[name]:
                for option in options:
                    self.option_of(page, line, option, read(PROGRAMS[name]), name)
            else:
                for option in options:
                    if not option.startswith("--gtest_"):
                        self.fault(page, line, f"{name} has no option {option}")
        elif program in ("cmake", "ctest"):
            self.cmake(page, line, program, rest)
        else:
            if program in INTERPRETERS:
                scripts = [word for word in rest if word.endswith((".py", ".sh"))]
                if not scripts:
                    return
                program = scripts[0]
                rest = rest[rest.index(program) + 1:]
            if not program.endswith((".py", ".sh")) or MADE.match(program) or PLACEHOLDER.search(program):
                return
            path = self.tree.script(program)
            if not path:
                self.fault(page, line, f"there is no script {program}")
                return
            for option in (word for word in rest if word.startswith("--")):
                self.option_of(page, line, option, read(path), path)

    def cmake(self, page, line, program, rest):
        takes = iter(rest)
        for word in takes:
            if word.startswith("-D"):
                variable = re.split(r"[=:]", word[2:] or next(takes, ""))[0]
                if variable.startswith("PARAGRAIN_") and variable not in self.tree.variables:
                    self.fault(page, line, f"CMake has no option {variable}")
            elif word == "--preset":
                preset = next(takes, "")
                if preset not in self.tree.presets:
                    self.fault(page, line, f"there is no preset {preset}")
            elif word == "--target":
                target = next(takes, "")
                if target not in self.tree.targets:
                    self.fault(page, line, f"there is no target {target}")
            elif word == "-L" and program == "ctest":
                label = next(takes, "")
                if "Kernels/" + label not in self.tree.folders and not PLACEHOLDER.search(label):
                    self.fault(page, line, f"no test has the label {label}")
            elif word == "-R" and program == "ctest":
                wanted = next(takes, "")
                names = {re.sub(r"\$\{\w+\}", "", test) for test in self.tree.tests}
                if not PLACEHOLDER.search(wanted) and not any(re.search(wanted, test) for test in names) and \
                        not any(re.search(wanted, file.rsplit(".", 1)[0]) for file in self.tree.names):
                    self.fault(page, line, f"no test matches {wanted}")
            elif word.startswith("-") and word not in CMAKE_OPTIONS and not re.match(r"-j\d+$|-W", word):
                self.fault(page, line, f"the check does not know the option {word} of {program}")

    def page(self, page, text):
        self.links(page, text)
        self.paths(page, text)
        functions = dict(re.findall(r"^\s*(\w+)\(\) \{ (paragrain-[\w-]+)", text, re.M))
        for line, command in commands(text):
            if not re.match(r"\w+\(\) \{", command):
                self.command(page, line, command, functions)

    def comments(self):
        for path in sorted(self.tree.files):
            if path.endswith((".h", ".cuh", ".cu", ".cpp", ".cxx", ".py", "CMakeLists.txt")) and path != "Testing/check_links.py":
                for number, line in enumerate(read(path).split("\n"), 1):
                    for document in re.findall(r"\bdocs/[\w/.-]+\.md\b|\b(?:ARCHITECTURE|BENCHMARKS|CONTRIBUTING|CHANGELOG)\.md\b", line):
                        if document not in self.tree.files:
                            self.fault(path, number, f"there is no {document}")

    def tutorial(self, page, text):
        """docs/user/make_pictures.py runs the one block python and expects what the one block text has."""
        counts = [len(re.findall(f"^```{kind}$", text, re.M)) for kind in ("python", "text")]
        if counts != [1, 1]:
            self.fault(page, 1, f"a tutorial has one block python and one block text, here {counts[0]} and {counts[1]}")

    def check(self):
        pages = sorted(path for path in self.tree.files if path.endswith(".md"))
        for page in pages:
            self.page(page, read(page))
            if re.match(r"docs/user/\d\d-", page):
                self.tutorial(page, read(page))
        self.comments()
        return len(pages)


# Texts with a fault each, and a part of the message that must name it.
BROKEN = [
    ("[a](nowhere.md)", "nowhere.md leads nowhere"), ("[a](ARCHITECTURE.md#no-such)", "no heading #no-such"),
    ("![a](Data/Pictures/none.png)", "none.png leads nowhere"), ("`Kernels/Nowhere`", "no Kernels/Nowhere"), ("`Nothing.cuh`", "no Nothing.cuh"),
    ("`Scene/Nothing.h`", "no Scene/Nothing.h"), ("`./dev nothing`", "no subcommand nothing"), ("    ./dev bench --nothing", "no option --nothing"),
    ("```bash\nparagrain-bench --case settled \\\n  --nothing\n```", "no option --nothing"), ("    cmake --preset nothing", "no preset nothing"),
    ("    cmake --build build --target nothing", "no target nothing"), ("    cmake -DPARAGRAIN_NOTHING=1", "no option PARAGRAIN_NOTHING"),
    ("    PARAGRAIN_NOTHING=1 ./dev build", "variable PARAGRAIN_NOTHING"), ("    xvfb-run -a pvbatch Data/Cases/nothing.py", "no script Data/Cases/nothing.py"),
    ("    python3 Testing/check_format.py --nothing", "no option --nothing"), ("    paragrain-nothing", "no target makes paragrain-nothing"),
    ("    ctest -L Nothing", "no test has the label Nothing"), ("    ctest -R Nothing.At.All", "no test matches")]
GOOD = ["[a](ARCHITECTURE.md#1-rooms)", "`Scene/Describe.h`, `StepPlan.h`, `N/m`, `Kernels/Physics/*.cuh`, `TestName.cpp`",
        "    ./dev test && paragrain-bench --list | head -3", "[a](https://nowhere.example)"]


def notice(checker):
    for text, message in BROKEN:
        checker.wrong = []
        checker.page("README.md", text)
        if len(checker.wrong) != 1 or message not in checker.wrong[0]:
            yield f"{text!r} should be one fault with {message!r}, but gives {checker.wrong}"
    for text in GOOD:
        checker.wrong = []
        checker.page("README.md", text)
        if checker.wrong:
            yield f"{text!r} is right, but gives {checker.wrong}"


def main():
    checker = Checker()
    if sys.argv[1:] == ["--notice"]:
        missed = list(notice(checker))
        for line in missed:
            print(line)
        print(f"{len(missed)} of {len(BROKEN) + len(GOOD)} texts are judged wrongly")
        sys.exit(1 if missed else 0)
    pages = checker.check()
    for line in checker.wrong:
        print(line)
    print(f"{len(checker.wrong)} faults in {pages} documents")
    sys.exit(1 if checker.wrong else 0)


if __name__ == "__main__":
    main()
