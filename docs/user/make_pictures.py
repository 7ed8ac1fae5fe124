"""Runs the scripts of the tutorials, keeps their pictures, and compares what they print with the
text. The script of a tutorial is its one block ```python, the expected output its one block ```text.

    PV_PLUGIN_PATH=<plugins> xvfb-run -a -s "-screen 0 1600x1000x24 -noreset" \
        pvbatch docs/user/make_pictures.py [check|write|scripts] [NUMBER ...]

check (default)  writes docs/user/pictures/*.png; a printed number that differs by more than 5 %
                 from the text is an error. Lines with "steps/s" are not compared.
write            the same, but puts the printed output into the tutorials
scripts          only writes the scripts to out/, to run them by hand

NUMBER: tutorials to run, for example 01 05; default: all. Exits with 1 after an error."""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkIOImage import vtkPNGReader, vtkPNGWriter

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PICTURES = os.path.join(HERE, "pictures")
LARGEST, WIDTH = 150_000, 900  # bytes, pixels
NUMBER = re.compile(r"[-+]?\d+\.?\d*(?:e[-+]?\d+)?")


def blocks(tutorial, kind):
    with open(tutorial, encoding="utf-8") as text:
        return re.findall(rf"^```{kind}\n(.*?)^```$", text.read(), re.M | re.S)


def script_of(tutorial):
    found = blocks(tutorial, "python")
    if len(found) != 1 or len(blocks(tutorial, "text")) != 1:
        raise RuntimeError(f"{tutorial} must have one block python and one block text")
    return found[0]


def differences(expected, printed):
    """Lines whose words differ, or whose numbers differ by more than 5 %."""
    wrong = []
    one, two = (text.strip().split("\n") for text in (expected, printed))
    if len(one) != len(two):
        return [f"{len(one)} lines are expected, {len(two)} were printed"]
    for a, b in zip(one, two):
        if "steps/s" in a:
            continue
        near = all(abs(float(x) - float(y)) <= 0.05 * abs(float(x)) for x, y in zip(NUMBER.findall(a), NUMBER.findall(b)))
        if not near or NUMBER.sub("#", a).split() != NUMBER.sub("#", b).split():
            wrong.append(f"expected: {a}\n  printed:  {b}")
    return wrong


def keep_picture(source):
    """Copies a picture. One that is too large loses the lower bits of its colours."""
    target = os.path.join(PICTURES, os.path.basename(source))
    for bits in (8, 5, 4):
        reader, writer = vtkPNGReader(), vtkPNGWriter()
        reader.SetFileName(source)
        reader.Update()
        image = reader.GetOutput()
        if image.GetDimensions()[0] != WIDTH:
            return f"{target}: {image.GetDimensions()[0]} pixels wide, not {WIDTH}"
        lost = 8 - bits
        colors = vtk_to_numpy(image.GetPointData().GetScalars()) >> lost << lost
        full = (1 << 8) - (1 << lost)
        colors = (colors * (255.0 / full)).astype("uint8")
        image.GetPointData().SetScalars(numpy_to_vtk(colors, deep=True))
        writer.SetFileName(target)
        writer.SetCompressionLevel(9)
        writer.SetInputData(image)
        writer.Write()
        if os.path.getsize(target) <= LARGEST:
            return ""
    return f"{target}: {os.path.getsize(target)} bytes, at most {LARGEST} are allowed"


def run(tutorial, write):
    """Runs the script in a folder beside a link to Data, as the text asks for; returns errors."""
    with tempfile.TemporaryDirectory() as folder:
        work = os.path.join(folder, "out")
        os.mkdir(work)
        os.symlink(os.path.join(ROOT, "Data"), os.path.join(folder, "Data"))
        script = os.path.join(work, "script.py")
        with open(script, "w", encoding="utf-8") as out:
            out.write(script_of(tutorial))
        done = subprocess.run([shutil.which("pvpython"), script], cwd=work, capture_output=True, text=True)
        wrong = []
        if done.returncode or "Traceback" in done.stderr or "ERR|" in done.stderr or "WARN|" in done.stderr:
            wrong.append(f"exit code {done.returncode}: {done.stderr[-2000:]}")
        pictures = glob.glob(os.path.join(work, "*.png"))
        if not pictures:
            wrong.append("no picture")
        wrong += filter(None, map(keep_picture, pictures))
    if write and not wrong:
        with open(tutorial, encoding="utf-8") as file:
            text = file.read()
        text = re.sub(r"^```text\n.*?^```$", lambda _: f"```text\n{done.stdout}```", text, flags=re.M | re.S)
        with open(tutorial, "w", encoding="utf-8") as file:
            file.write(text)
    return wrong + ([] if write else differences(blocks(tutorial, "text")[0], done.stdout))


def main(words):
    mode = words.pop(0) if words and words[0] in ("check", "write", "scripts") else "check"
    tutorials = sorted(path for path in glob.glob(os.path.join(HERE, "[0-9][0-9]-*.md"))
                       if not words or os.path.basename(path)[:2] in words)
    failed = 0
    for tutorial in tutorials:
        name = os.path.basename(tutorial)[:-3]
        if mode == "scripts":
            os.makedirs(os.path.join(ROOT, "out"), exist_ok=True)
            with open(os.path.join(ROOT, "out", name + ".py"), "w", encoding="utf-8") as out:
                out.write(script_of(tutorial))
            continue
        began = time.time()
        wrong = run(tutorial, mode == "write")
        print(f"{name}: {'as in the text' if not wrong else 'DIFFERS'} ({time.time() - began:.0f} s)", flush=True)
        for line in wrong:
            print("  " + line, flush=True)
        failed += bool(wrong)
    return 1 if failed else 0


if __name__ == "__main__":
    status = main(sys.argv[1:])
    sys.stdout.flush()
    if status:
        sys.exit(status)
