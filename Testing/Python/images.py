"""Views on white ground, and their pictures as arrays of colours between 0 and 1."""
import os

import numpy
from dem_testing import WORK
from paraview import simple
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOImage import vtkPNGReader


def white_view(size=(300, 300), camera=None, angle=20):
    """`camera`: where it is and where it looks."""
    view = simple.CreateRenderView()
    view.ViewSize = list(size)
    view.OrientationAxesVisibility = 0
    view.UseColorPaletteForBackground = 0
    view.Background = [1, 1, 1]
    if camera:
        view.CameraPosition, view.CameraFocalPoint = camera
        view.CameraViewUp = [0, 0, 1]
        view.CameraViewAngle = angle
    return view


def pixels(path):
    reader = vtkPNGReader()
    reader.SetFileName(path)
    reader.Update()
    return vtk_to_numpy(reader.GetOutput().GetPointData().GetScalars())[:, :3].astype(float) / 255


def screenshot(view, name, read=True):
    """Stores the view as it is in the folder of the tests, and returns its pixels."""
    path = os.path.join(WORK, name + ".png")
    simple.SaveScreenshot(path, view, ImageResolution=list(view.ViewSize))
    return pixels(path) if read else None


def coloured(image):
    """Number of pixels that are not white."""
    return int((numpy.abs(image - 1).max(axis=1) > 0.05).sum())
