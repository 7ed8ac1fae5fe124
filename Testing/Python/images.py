"""Reads pictures as arrays of colours between 0 and 1."""
import numpy
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOImage import vtkPNGReader


def pixels(path):
    reader = vtkPNGReader()
    reader.SetFileName(path)
    reader.Update()
    return vtk_to_numpy(reader.GetOutput().GetPointData().GetScalars())[:, :3].astype(float) / 255


def coloured(image):
    """Number of pixels that are not white."""
    return int((numpy.abs(image - 1).max(axis=1) > 0.05).sum())
