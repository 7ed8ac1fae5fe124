"""Forces in a packing: grains settle in a flat box, one of its sides pushes them, and the loads are
drawn. Run by

    PV_PLUGIN_PATH=<plugins> pvbatch Data/Cases/force_network.py OUT

Writes to OUT: network.png (tubes whose width and brightness show the normal force), chains.png
(force chains over transparent grains), forces.png (P(f) on a logarithmic axis, with the q-model),
and force_network.pvsm, the same three views to open in ParaView.
"""
import os
import sys

from paraview.simple import *

OUT = sys.argv[1] if len(sys.argv) > 1 else "out"
SETTLED, END = 0.5, 0.6           # s: the side starts to push; the pictures are taken
WIDTH, DEPTH, HEIGHT = 0.16, 0.02, 0.3
STROKE = 0.002                    # m


def apply_preset(colors, name):
    """Chooses a colour map. ParaView 5 calls Viridis "Viridis (matplotlib)"."""
    presets = servermanager.vtkSMTransferFunctionPresets.GetInstance()
    colors.ApplyPreset(name if presets.HasPreset(name) else name + " (matplotlib)", True)


def pipeline():
    """About a thousand grains of 5 to 8 mm in a box three grains deep. Its right side is a moving
    wall."""
    grains = DEMPacking(registrationName="Grains", LowerCorner=[-WIDTH / 2, -DEPTH / 2, 0], Size=[WIDTH, DEPTH, 0.25], Spacing=0.0085,
                        Arrangement="Jittered Lattice", RadiusDistribution="Uniform", MinimumRadius=0.0025, MaximumRadius=0.004)
    sheet = Plane(registrationName="Sheet", Origin=[WIDTH / 2, -DEPTH / 2, 0], Point1=[WIDTH / 2, DEPTH / 2, 0],
                  Point2=[WIDTH / 2, -DEPTH / 2, HEIGHT])
    side = DEMWall(registrationName="Side", Input=sheet, WallName="Side", Motion="Translation", StartTime=SETTLED, StopTime=END,
                   Velocity=[-STROKE / (END - SETTLED), 0, 0])
    return DEMSimulation(registrationName="Simulation", Particles=grains, Walls=side, EndTime=END, OutputInterval=0.01, Friction=0.4,
                         AutomaticDomain=0, Domain=[-WIDTH / 2, WIDTH / 2 + 0.02, -DEPTH / 2, DEPTH / 2, 0, HEIGHT])


def front_view():
    view = CreateView("RenderView")
    view.ViewSize = [1000, 720]
    view.OrientationAxesVisibility = 0
    view.UseColorPaletteForBackground = 0
    view.Background = [1, 1, 1]
    view.ViewTime = END
    return view


def bar(display, array, title, view):
    colors = GetColorTransferFunction(array)
    legend = GetScalarBar(colors, view)
    legend.Title, legend.ComponentTitle = title, ""
    legend.TitleColor = legend.LabelColor = [0, 0, 0]
    legend.WindowLocation, legend.Position, legend.ScalarBarLength = "Any Location", [0.36, 0.02], 0.3
    legend.Orientation = "Horizontal"
    display.SetScalarBarVisibility(view, True)
    return colors


def ghosts(source, view):
    """Draws the grains transparently."""
    shown = Show(source, view)
    shown.Representation = "DEM Spheres"
    ColorBy(shown, None)
    shown.DiffuseColor = shown.AmbientColor = [0.72, 0.76, 0.82]
    shown.Opacity = 0.25
    return shown


def network_view(run, network):
    view = front_view()
    tubes = Tube(registrationName="Tubes", Input=network, Scalars=["POINTS", "NormalForceMagnitude"], Radius=0.00015,
                 VaryRadius="By Scalar", RadiusFactor=14, NumberofSides=12)
    tubes.UpdatePipeline(END)
    shown = Show(tubes, view)
    ColorBy(shown, ("CELLS", "NormalForceMagnitude"))
    colors = bar(shown, "NormalForceMagnitude", "Normal force (N)", view)
    apply_preset(colors, "Inferno")
    largest = network.CellData.GetArray("NormalForceMagnitude").GetRange(0)[1]
    colors.RescaleTransferFunction(0, 0.5 * largest)
    return view


def chains_view(run, chains):
    view = front_view()
    ghosts(OutputPort(run, 0), view)
    tubes = Tube(registrationName="Chain Tubes", Input=chains, Radius=0.0011, NumberofSides=16)
    tubes.UpdatePipeline(END)
    shown = Show(tubes, view)
    ColorBy(shown, ("CELLS", "MeanForce"))
    apply_preset(bar(shown, "MeanForce", "Mean force of a chain (N)", view), "Plasma")
    shown.RescaleTransferFunctionToDataRange(False, True)
    return view


def chart_view(network):
    view = CreateView("XYChartView")
    view.ViewSize = [760, 560]
    view.ChartTitle = "Normal forces over their mean"
    view.LeftAxisTitle, view.BottomAxisTitle = "P(f)", "f"
    view.LeftAxisLogScale = 1
    view.LeftAxisUseCustomRange, view.LeftAxisRangeMinimum, view.LeftAxisRangeMaximum = 1, 1e-3, 2
    view.BottomAxisUseCustomRange, view.BottomAxisRangeMinimum, view.BottomAxisRangeMaximum = 1, 0, 6
    view.ViewTime = END
    shown = Show(OutputPort(network, 2), view, "XYChartRepresentation")
    shown.AttributeType = "Row Data"
    shown.UseIndexForXAxis = 0
    shown.XArrayName = "Force"
    shown.SeriesVisibility = ["Probability", "QModel"]
    shown.SeriesLabel = ["Probability", "grains", "QModel", "q-model, N = 3"]
    shown.SeriesMarkerStyle = ["Probability", "4", "QModel", "0"]
    shown.SeriesLineStyle = ["Probability", "0", "QModel", "1"]
    shown.SeriesColor = ["Probability", "0.1", "0.25", "0.6", "QModel", "0.8", "0.2", "0.1"]
    return view


def main():
    os.makedirs(OUT, exist_ok=True)
    run = pipeline()
    scene = GetAnimationScene()
    scene.UpdateAnimationUsingDataTimeSteps()
    network = DEMContactNetwork(registrationName="Network", Input=run, LargestForce=6, NumberOfBins=24)
    chains = DEMForceChains(registrationName="Force Chains", Input=run)
    for filter in (network, chains):
        filter.UpdatePipeline(END)
    scene.AnimationTime = END
    # The chart comes first: in ParaView 5.11 without a window, a legend in a view damages the
    # letters of later charts.
    views = {}
    for name, make in (("forces", lambda: chart_view(network)), ("network", lambda: network_view(run, network)), ("chains", lambda: chains_view(run, chains))):
        view = views[name] = make()
        Render(view)
        if name != "forces":  # after the first picture, which sets the camera of a new view
            view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp = [0, -0.3, 0.04], [0, 0, 0.04], [0, 0, 1]
        Render(view)
        SaveScreenshot(os.path.join(OUT, name + ".png"), view)
    layout = CreateLayout("Forces")
    right = layout.SplitHorizontal(0, 0.62) + 1
    lower = layout.SplitVertical(right - 1, 0.5) + 1
    for place, name in ((lower - 1, "network"), (lower, "chains"), (right, "forces")):
        layout.AssignView(place, views[name])
    SaveState(os.path.join(OUT, "force_network.pvsm"))
    scalars = servermanager.Fetch(network, idx=1)
    column = lambda name: scalars.GetValueByName(0, name).ToDouble()
    print(f"{column('GrainCount'):.0f} grains, {column('ContactCount'):.0f} contacts, coordination number {column('CoordinationNumber'):.2f} "
          f"({column('MechanicalCoordinationNumber'):.2f} without rattlers), anisotropy {column('Anisotropy'):.3f}, "
          f"{100 * column('SlidingFraction'):.1f} % slide, mean force {column('MeanNormalForce'):.4g} N, "
          f"{chains.GetDataInformation().GetNumberOfCells()} force chains")


main()
