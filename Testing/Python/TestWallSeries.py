"""A wall whose input changes with time moves like a wall of DEM Wall, or is an error whose message
names it."""
import math
import os

from dem_testing import WORK, Messages, arrays, check, differences, everything, expect, expect_same, fetch, main
from paraview import simple


def wall_name(proxy):
    """The name in the pipeline browser, with which messages begin."""
    return next(name for (name, _), source in simple.GetSources().items() if source == proxy)


def plate(name, times, place, corners=((-.1, -.1, 0), (.1, -.1, 0), (.1, .1, 0), (-.1, .1, 0)), faces=((0, 1, 2, 3),)):
    """Files of a plate with corners place(t, corner). The times are 0, 1, 2, ..., because the
    reader counts files."""
    files = []
    for k, t in enumerate(times):
        shape = corners(t) if callable(corners) else corners
        points = [place(t, p) for p in shape]
        rows = faces(t) if callable(faces) else faces
        text = f"# vtk DataFile Version 3.0\nplate\nASCII\nDATASET POLYDATA\nPOINTS {len(points)} double\n"
        text += "".join("%.17g %.17g %.17g\n" % tuple(p) for p in points)
        text += f"POLYGONS {len(rows)} {len([i for r in rows for i in (len(r), *r)])}\n" + "".join(f"{len(r)} {' '.join(map(str, r))}\n" for r in rows)
        files.append(os.path.join(WORK, f"series_{name}_{k}.vtk"))
        with open(files[-1], "w", encoding="ascii") as file:
            file.write(text)
    return simple.LegacyVTKReader(FileNames=files)


def lifted(t, p, height=lambda t: .02 * t):
    return p[0], p[1], p[2] + height(t)


def turned(t, p, angle=lambda t: .3 * t, pivot=(.02, .01)):
    """Rotates a point about the axis along y through x, z = pivot."""
    c, s = math.cos(angle(t)), math.sin(angle(t))
    x, z = p[0] - pivot[0], p[2] - pivot[1]
    return pivot[0] + c * x + s * z, p[1], pivot[1] - s * x + c * z


def run(wall, gap=0.0095, end=3, interval=1, place=(.05, 0), **properties):
    """A ball on the wall under gravity, without borders."""
    point = simple.PointSource(Center=[place[0], place[1], gap], Radius=0, NumberOfPoints=1)
    ball = simple.Calculator(Input=point, ResultArrayName="Radius", Function="0.01")
    values = dict(Particles=ball, Walls=[wall], Device="CPU", EndTime=end, OutputInterval=interval, LimitDomain=0, TimeStep=2e-4,
                  InitialOverlapTolerance=.2, YoungsModulus=1e6, WallYoungsModulus=1e6)
    values.update(properties)
    return simple.DEMSimulation(**values)


def close(a, b, tolerance):
    """Positions of the ball and points of the wall in two simulations at several times."""
    for t in (0., 1., 2., 3.):
        for port in (0, 2):
            p, q = (arrays(fetch(s, port, t))["points"] for s in (a, b))
            check(p.shape == q.shape and p.size > 0, f"t = {t}, port {port}: {p.shape}, {q.shape}")
            check(abs(p - q).max() <= tolerance, f"t = {t}, port {port}: {p} {q}")


def wall_heights(s, times):
    return [arrays(fetch(s, 2, float(t)))["points"][:, 2].mean() for t in times]


def a_series_of_constant_speed_is_a_translation():
    still = plate("still", [0], lifted)
    expected = run(simple.DEMWall(Input=still, Motion="Translation", Velocity=[0, 0, .02], StopTime=3))
    moving = run(plate("lift", range(4), lifted))
    close(moving, expected, 1e-8)
    heights = wall_heights(moving, range(4))
    check(all(abs(z - .02 * t) < 1e-8 for t, z in enumerate(heights)), str(heights))
    check(arrays(fetch(moving, 0, 3.))["points"][0, 2] > .065, "the ball was not carried")


def a_turning_series_is_a_rotation():
    still = plate("paddle0", [0], turned)
    spin = simple.DEMWall(Input=still, Motion="Rotation", Origin=[.02, 0, .01], Axis=[0, 1, 0], RotationRate=math.degrees(.3), StopTime=3)
    # The ball hovers below the sinking side, which pushes it down.
    values = dict(gap=-.04, place=(.08, 0), Gravity=[0, 0, 0])
    expected, turning = run(spin, **values), run(plate("paddle", range(4), turned), **values)
    close(turning, expected, 1e-6)
    check(arrays(fetch(turning, 0, 3.))["points"][0, 2] < -.041, "the paddle did not meet the ball")


def speeds_change_between_the_files():
    """The wall has each file's position at its time, is interpolated linearly in between, and rests
    after the last file."""
    def height(t):
        return [0, .01, .01, .04, .02][t]
    s = run(plate("uneven", range(5), lambda t, p: lifted(t, p, height)), end=5, interval=.5)
    heights = wall_heights(s, [k / 2 for k in range(11)])
    for k, z in enumerate(heights):
        low, high = height(min(4, k // 2)), height(min(4, (k + 1) // 2))
        check(abs(z - (low + high) / 2) < 1e-8, f"t = {k / 2}: {z}")

    def angle(t):
        return [0, .5, .2, .2][t]
    s = run(plate("swing", range(4), lambda t, p: turned(t, p, angle)), interval=.5, gap=.5, Gravity=[0, 0, 0])
    for k in range(7):
        p = arrays(fetch(s, 2, k / 2))["points"][1]
        here = (angle(k // 2) + angle((k + 1) // 2)) / 2
        right = turned(0, (.1, -.1, 0), lambda t: here)
        check(max(abs(a - b) for a, b in zip(p, right)) < 1e-6, f"t = {k / 2}: {p} {right}")


def any_order_of_times_gives_the_same():
    def height(t):
        return [0, .01, .01, .04][t]
    def build(name):
        return run(plate(name, range(4), lambda t, p: lifted(t, p, height)))
    straight = build("order")
    expected = {t: everything(straight, t) for t in (0., 1., 2., 3.)}
    check(differences(expected[1.], expected[3.]), "the comparison compares nothing")
    late = build("order")
    reader = late.Walls[0]
    for t in (3., 1., 2., 0., 3.):
        reader.UpdatePipeline(t)  # as a view does that shows the file at this time
        expect_same(everything(late, t), expected[t], f"t = {t}")


def another_series_starts_a_new_run():
    reader = plate("first", range(4), lifted)
    s = run(reader)
    check(abs(wall_heights(s, [3])[0] - .06) < 1e-8)
    # Equal up to t = 1; only the later speed differs.
    other = plate("second", range(4), lambda t, p: lifted(t, p, lambda t: [0, .02, .02, .02][t]))
    s.Walls = [other]
    check(abs(wall_heights(s, [3])[0] - .02) < 1e-8, str(wall_heights(s, [3])))


def times_before_zero_begin_the_run_under_way():
    shifted = simple.TemporalShiftScale(Input=plate("early", range(4), lifted), PreShift=-1.5)
    heights = wall_heights(run(simple.DEMWall(Input=shifted)), (0, 1, 2))
    check(all(abs(z - right) < 1e-8 for z, right in zip(heights, (.03, .05, .06))), str(heights))


def a_series_that_stands_still_keeps_its_motion():
    rest = plate("rest", range(3), lambda t, p: p)
    moved = run(simple.DEMWall(Input=rest, Motion="Translation", Velocity=[0, 0, .01]))
    check(abs(wall_heights(moved, [2])[0] - .02) < 1e-8)


def what_cannot_move_is_refused():
    def refused(wall, *words):
        expect(lambda: run(wall).UpdatePipeline(1.0), wall_name(wall), *words)
    refused(plate("grown", range(3), lambda t, p: (p[0] * (1 + .1 * t), p[1], p[2])), "another shape at t = 1 s", "rigid", "Extract Time Steps")
    refused(plate("split", range(3), lifted, faces=lambda t: ((0, 1, 2, 3),) if t < 2 else ((0, 1, 3), (1, 2, 3))), "same mesh", "at t = 2 s",
            "Extract Time Steps")
    refused(plate("screw", range(3), lambda t, p: lifted(t, turned(t, p), lambda t: .01 * t * t)), "neither", "fixed axis", "Extract Time Steps")
    refused(plate("flip", range(3), lambda t, p: turned(t, p, lambda t: 3.1 * t)), "turns by", "more times")
    both = simple.DEMWall(Input=plate("both", range(3), lifted), WallName="Lid", Motion="Translation", Velocity=[0, 0, .1])
    expect(lambda: run(both).UpdatePipeline(1.0), "(\"Lid\")", "two motions", "Fixed")


def a_wall_without_time_steps_is_refused():
    """A source that is defined at any time but lists none: positions between its times are unknown.
    """
    source = simple.ProgrammableSource(OutputDataSetType="vtkPolyData")
    source.ScriptRequestInformation = ("executive = self.GetExecutive()\ninfo = executive.GetOutputInformation(0)\n"
                                       "info.Set(executive.TIME_RANGE(), [0.0, 3.0], 2)")
    source.Script = ("from vtkmodules.vtkFiltersSources import vtkPlaneSource\nexecutive = self.GetExecutive()\n"
                     "info = executive.GetOutputInformation(0)\nkey = executive.UPDATE_TIME_STEP()\n"
                     "plane = vtkPlaneSource()\nplane.Push(.1 * (info.Get(key) if info.Has(key) else 0))\nplane.Update()\n"
                     "self.GetPolyDataOutput().ShallowCopy(plane.GetOutput())")
    expect(lambda: run(source).UpdatePipeline(1.), wall_name(source), "lists no times", "series of files", "DEM Wall")


def a_wall_moved_by_an_animation_is_told():
    """Keyframes of a Transform have no time steps: each request gives another wall and restarts the
    run."""
    for limited in (0, 1):
        moved = simple.Transform(Input=plate("keys", [0], lifted))
        s = run(moved, LimitDomain=limited)
        s.UpdatePipeline(1.)
        moved.Transform.Translate = [0, 0, -.01]
        expect(lambda: s.UpdatePipeline(2.), wall_name(moved) + " was moved between two requests of different times", "again from 0 s", "Motion of DEM Wall")
        with Messages() as messages:
            s.UpdatePipeline(1.)
            # A user who moves the wall and looks at the same time.
            moved.Transform.Translate = [0, 0, -.02]
            s.UpdatePipeline(1.)
        check(not messages.text, messages.text)


def walls_of_mpm_move_too():
    s = simple.MPMSimulation(Particles=simple.Box(XLength=.04, YLength=.04, ZLength=.04, Center=[0, 0, .03]),
                             Walls=[plate("mpm", range(2), lifted)], Device="CPU", EndTime=.02, OutputInterval=.01, GridSpacing=.01)
    z = arrays(fetch(s, 2, .02))["points"][:, 2]
    check(abs(z - .0004).max() < 1e-8, str(z))


if __name__ == "__main__":
    main(a_series_of_constant_speed_is_a_translation, a_turning_series_is_a_rotation, speeds_change_between_the_files,
         any_order_of_times_gives_the_same, another_series_starts_a_new_run, times_before_zero_begin_the_run_under_way,
         a_series_that_stands_still_keeps_its_motion, what_cannot_move_is_refused, a_wall_without_time_steps_is_refused,
         a_wall_moved_by_an_animation_is_told, walls_of_mpm_move_too)
