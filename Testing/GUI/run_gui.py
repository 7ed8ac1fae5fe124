"""Plays a test script in the real ParaView window, watches the screen meanwhile, and judges what was seen.

`run_gui.py Play|Continuum|Pause|Impatient|Monitor|Stop|Dump|Network|Averages|Chart|RunAverages|Materials|Files|Coating|Heat|Fluid|Flow|Walls|StateNetwork|StateFields PARAVIEW VERSION IMPORT SCRIPT FOLDER`
"""
import os
import subprocess
import sys
import time

kind, paraview, version, grab, script, folder = sys.argv[1:7]
# Places of the default layout, by version of ParaView: the button Play, which turns into Pause; Next Frame beside it; in the pipeline
# browser of RunAverages the eyes of Particles and of Averages.
PLAY_BUTTON, NEXT_BUTTON, EYES = (((593, 41), (620, 41), [(12, 240), (12, 328)]) if version == "5.11" else
                                  ((577, 38), (608, 38), [(12, 230), (12, 318)]))
# Coloured pixels that the last picture has: of slices, lines, tubes. An empty view has 230 by its border.
LEAST_AT_END = {"Averages": 1500, "Materials": 1500, "RunAverages": 1500, "Files": 1500, "Coating": 1500, "Heat": 1500, "Fluid": 1500, "Flow": 1500, "Walls": 1500, "StateNetwork": 300, "StateFields": 1500}
WIDTH, HEIGHT = 350, 250  # the screen, made small: enough to tell grains from background


def screen():
    raw = subprocess.run([grab, "-silent", "-window", "root", "-resize", f"{WIDTH}x{HEIGHT}!", "-depth", "8", "rgb:-"],
                         stdout=subprocess.PIPE, check=True).stdout
    return raw


def grains(picture):
    """Pixels of a saturated red or blue, as the default colours of grains have; the window's own colours are greys and one dark blue."""
    count = 0
    for i in range(0, len(picture), 3):
        r, g, b = picture[i:i + 3]
        if max(r, g, b) - min(r, g, b) > 90 and max(r, b) > 130:
            count += 1
    return count


def height_of_grains(picture):
    """Mean row of the pixels that grains() counts in the view, left of the legend, counted from its top."""
    rows = [i // WIDTH for i in range(40 * WIDTH, (HEIGHT - 20) * WIDTH) if WIDTH // 4 < i % WIDTH < WIDTH - 80
            and grains(picture[3 * i:3 * i + 3])]
    return sum(rows) / max(len(rows), 1)


def orange(picture):
    """Pixels in the colour of the first material, shaded or not."""
    return sum(picture[i] > picture[i + 2] + 60 and picture[i + 1] > picture[i + 2] + 30
               for i in range(0, len(picture), 3))


def drawn(picture):
    """Coloured pixels of the right three quarters of the screen, where the views are, pale and dark ones too."""
    count = 0
    for y in range(40, HEIGHT - 80):
        for x in range(WIDTH // 4, WIDTH - 70):
            r, g, b = picture[3 * (y * WIDTH + x):3 * (y * WIDTH + x) + 3]
            count += max(r, g, b) - min(r, g, b) > 50
    return count


def differ(a, b):
    """Whether a visible part of the right three quarters of the screen, where the view is, has changed."""
    changed = 0
    for y in range(40, HEIGHT - 20, 2):
        row = 3 * WIDTH * y
        for x in range(WIDTH // 4, WIDTH, 2):
            k = row + 3 * x
            if abs(a[k] - b[k]) + abs(a[k + 1] - b[k + 1]) + abs(a[k + 2] - b[k + 2]) > 60:
                changed += 1
    return changed > 20


def click(place=PLAY_BUTTON):
    subprocess.run(["xdotool", "mousemove", str(place[0]), str(place[1]), "sleep", "0.2", "click", "1"], check=True)


home = os.path.join(folder, "home")  # settings of a user must not change what is tested
os.makedirs(home, exist_ok=True)
environment = dict(os.environ, HOME=home, XDG_CONFIG_HOME=home, XDG_RUNTIME_DIR=home)
with open(os.path.join(folder, kind + ".log"), "w") as log:
    began = time.time()
    window = subprocess.Popen([paraview, "--dr", "--test-script=" + script, "--test-directory=" + folder, "--exit"],
                              stdout=log, stderr=subprocess.STDOUT, env=environment)
    seen = []
    clicks = []  # (time, number of looks so far)
    while window.poll() is None and time.time() - began < 240:
        seen.append((time.time() - began, screen()))
        if kind in LEAST_AT_END and sum(seen[-1][1]) > 40 * len(seen[-1][1]):  # the last picture, for people
            subprocess.run([grab, "-silent", "-window", "root", os.path.join(folder, kind + ".png")], check=True)
        time.sleep(0.3)
        if kind == "RunAverages" and not clicks and time.time() - began > 8:
            if len(seen) > 5 and not any(differ(seen[-i][1], seen[-i - 1][1]) for i in range(1, 5)) and drawn(seen[-1][1]) > 1500:
                clicks.append((time.time() - began, len(seen)))
                for eye in EYES:
                    click(eye)
        if kind == "Impatient" and not clicks and len(seen) > 8 and grains(seen[-1][1]) > 1500:
            if not any(differ(seen[-i][1], seen[-i - 1][1]) for i in range(1, 8)):
                clicks.append((time.time() - began, len(seen)))
                click(NEXT_BUTTON)
                click()  # on Play, while the next frame is computed
        if kind == "Pause":
            now = time.time() - began
            still = len(seen) > 8 and not any(differ(seen[-i][1], seen[-i - 1][1]) for i in range(1, 8))
            if (not clicks and still and grains(seen[-1][1]) > 1500) or (len(clicks) == 1 and now > clicks[0][0] + 6):
                click()
                clicks.append((now, len(seen)))
    if window.poll() is None:
        window.terminate()
        window.wait()
code = window.returncode
with open(os.path.join(folder, kind + ".log")) as log:
    text = log.read()

failures = []
if code != 0 or "critical:" in text or "fatal:" in text:
    failures.append(f"the script did not play to its end (code {code}): {text[-1500:]}")
if "ERR|" in text:
    failures.append("messages: " + text[:1500])
most = max((drawn(picture) if kind.startswith("State") else grains(picture) for _, picture in seen), default=0)
least = LEAST_AT_END.get(kind, 1500)
if most < least:
    failures.append(f"nothing on the screen: {most} coloured pixels at most, {least} expected")
moving = [differ(seen[i][1], seen[i + 1][1]) for i in range(len(seen) - 1)]
print(f"{kind}: {time.time() - began:.0f} s, {len(seen)} looks, {most} coloured pixels, changes {''.join('x' if m else '.' for m in moving)}")
if sum(moving) < {"Play": 5, "Continuum": 5, "Monitor": 5, "Dump": 3, "Chart": 4}.get(kind, 0):
    failures.append("the picture did not change while it should")
if kind == "Play":  # without a click on a camera the first picture is from the side, and gravity points down
    shown = [height_of_grains(picture) for _, picture in seen if grains(picture) > 4500]
    print(f"rows of the grains: {[round(row) for row in shown]}")
    if len(shown) < 5 or shown[-1] < shown[0] + 4:
        failures.append("the grains did not fall down the picture")
if kind == "Chart":  # white, right of the grains
    white = max(sum(min(picture[3 * (y * WIDTH + x):3 * (y * WIDTH + x) + 3]) > 240 for y in range(60, 180) for x in range(WIDTH * 5 // 8, WIDTH - 80))
                for _, picture in seen)
    if white < 2000:
        failures.append(f"no chart: {white} white pixels")
if kind == "RunAverages":
    if not clicks:
        failures.append("the window never came to rest with grains on it")
    elif not any(differ(seen[clicks[0][1] - 1][1], picture) for _, picture in seen[clicks[0][1] + 3:-3]):
        failures.append("the particles did not give their place to the averages")
if kind == "Materials":
    counts = [orange(picture) for _, picture in seen]
    first = next((i for i, count in enumerate(counts) if count > 1500), None)
    hidden = next((i for i in range(first or 0, len(counts)) if counts[i] < 500), None)
    print("orange pixels:", counts)
    if first is None:
        failures.append("no grains in the colour of the first material")
    elif hidden is None:
        failures.append("the surface of the file did not cover the grains")
    elif max(counts[hidden:]) < 1000:
        failures.append("the wall still covers the grains")
if kind == "Impatient":
    if not clicks:
        failures.append("the window never came to rest with grains on it")
    elif sum(moving[clicks[0][1]:]) < 2:
        failures.append("the click on Play while a frame was computed did nothing")
if kind == "Stop" and any(moving[-10:-5]):  # 20 s of the run take minutes; at the end the window closes
    failures.append("the run went on after Stop Here")
if kind == "Pause":
    if len(clicks) < 2:
        failures.append("the window never came to rest with grains on it")
    elif sum(moving[clicks[0][1]:clicks[1][1]]) < 3:
        failures.append("the run did not play")
    elif any(moving[clicks[1][1] + 6:-5]):  # the step on its way may still be shown; at the end the window closes
        failures.append("the run went on after Pause")
if time.time() - began > 120:
    failures.append("the window did not stay alive: the script took far longer than its own pauses")
for failure in failures:
    print("FAILED", failure)
if failures:
    sys.exit(1)
print("ALL PASSED")
