"""ParaView's filters over time, the modes of the animation and SaveAnimation work on a simulation.
"""
import glob
import os

import numpy
from dem_testing import WORK, arrays, check, everything, fetch, main, simulation
from paraview import simple


def plot_data_over_time():
    s = simulation()
    s.UpdatePipeline(0.05)
    plot = simple.PlotDataOverTime(Input=s, OnlyReportSelectionStatistics=1)
    plot.UpdatePipeline()
    table = fetch(plot)
    check(table.GetNumberOfBlocks() == 1 if table.IsA("vtkMultiBlockDataSet") else table.GetNumberOfRows() == 21)


def plot_totals_over_time():
    plot = simple.PlotGlobalVariablesOverTime(Input=simulation())
    plot.UpdatePipeline()
    data = fetch(plot)
    block = data.GetBlock(0) if data.IsA("vtkMultiBlockDataSet") else data
    check(block.GetNumberOfRows() == 21 and block.GetColumnByName("KineticEnergy") is not None)


def temporal_statistics():
    statistics = simple.TemporalStatistics(Input=simulation())
    statistics.UpdatePipeline()
    got = arrays(fetch(statistics))
    check(("point", "Velocity_average") in got and len(got["points"]) == 125)


def pathlines():
    s = simulation()
    lines = simple.TemporalParticlesToPathlines(Input=s, IdChannelArray="Id", MaskPoints=1, MaxTrackLength=30,
                                                MaxStepDistance=[1, 1, 1])
    for t in s.TimestepValues:
        lines.UpdatePipeline(t)
    data = fetch(lines)
    check(data.GetNumberOfCells() == 125 and data.GetNumberOfPoints() == 125 * 21,
          f"{data.GetNumberOfCells()} {data.GetNumberOfPoints()}")


def interpolator_and_force_time():
    s = simulation()
    at = {t: everything(s, t)[0]["points"] for t in (0.0, 0.1, 0.11)}
    interpolated = arrays(fetch(simple.TemporalInterpolator(Input=s), 0, 0.105))
    check(numpy.allclose(interpolated["points"], 0.5 * (at[0.1] + at[0.11]), atol=1e-12))
    forced = arrays(fetch(simple.ForceTime(Input=s, ForcedTime=0.1), 0, 0.2))
    check(numpy.array_equal(forced["points"], at[0.1]))


def other_filters_take_the_outputs():
    s = simulation()
    s.UpdatePipeline(0.2)
    count = s.GetDataInformation().GetNumberOfPoints()
    fast = simple.Threshold(Input=s, Scalars=["POINTS", "Id"], LowerThreshold=0, UpperThreshold=9)
    fast.UpdatePipeline(0.2)
    check(fast.GetDataInformation().GetNumberOfPoints() == 10)
    glyph = simple.Glyph(Input=s, GlyphType="Sphere", GlyphMode="All Points")
    glyph.UpdatePipeline(0.2)
    check(glyph.GetDataInformation().GetNumberOfPoints() > count)
    doubled = simple.Calculator(Input=s, ResultArrayName="D", Function="2*Radius+mag(Velocity)")
    check(("point", "D") in arrays(fetch(doubled, 0, 0.2)))


def animation_modes():
    s = simulation()
    view = simple.CreateRenderView()
    view.ViewSize = [300, 300]
    simple.Show(s, view)
    scene = simple.GetAnimationScene()
    scene.UpdateAnimationUsingDataTimeSteps()
    check(scene.PlayMode == "Snap To TimeSteps" and scene.EndTime == 0.2)
    seen = []
    tag = view.SMProxy.AddObserver("EndEvent", lambda *_: seen.append(view.ViewTime))
    scene.Play()
    check(len(set(seen)) == 21, f"{len(set(seen))} of 21 steps were played")
    scene.PlayMode = "Sequence"
    scene.NumberOfFrames = 8
    scene.Play()
    if "Real Time" in scene.GetProperty("PlayMode").Available:  # not in ParaView 6
        scene.PlayMode = "Real Time"
        scene.Duration = 1
        scene.Play()
    view.SMProxy.RemoveObserver(tag)
    scene.PlayMode = "Snap To TimeSteps"
    scene.GoToFirst()
    scene.GoToLast()
    check(view.ViewTime == 0.2 and arrays(fetch(s, 0))["field", "Time"][0] == 0.2)


def save_animation():
    s = simulation(EndTime=0.04)
    view = simple.CreateRenderView()
    view.ViewSize = [300, 300]
    simple.Show(s, view)
    for old in glob.glob(os.path.join(WORK, "frames.*.png")):
        os.remove(old)
    simple.GetAnimationScene().UpdateAnimationUsingDataTimeSteps()
    simple.SaveAnimation(os.path.join(WORK, "frames.png"), view, ImageResolution=[300, 300])
    check(len(glob.glob(os.path.join(WORK, "frames.*.png"))) == 5)


main(plot_data_over_time, plot_totals_over_time, temporal_statistics, pathlines, interpolator_and_force_time,
     other_filters_take_the_outputs, animation_modes, save_animation)
