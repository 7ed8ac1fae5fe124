/**
 * Initial particles: conversion of point sets to dem::ParticleInput and back.
 */

#ifndef vtkDEMParticleInput_h
#define vtkDEMParticleInput_h

#include "Scene/Scene.h"

#include <string>
#include <vector>

class vtkInformationVector;
class vtkMultiProcessController;
class vtkPolyData;

namespace vtkDEMParticleInput
{

/**
 * The materials of a simulation.
 */
struct Materials
{
  std::vector<std::string> Names;
  std::vector<double> Densities;          ///< kg/m^3
  int TableRows = 0;                      ///< number of the first materials that the user has given
  std::string Table = "TableOfMaterials"; ///< where these were given, for messages
  int Grain = 0;                          ///< index of the material of grains without one
};

/**
 * The box of the first input with a periodic axis in its field data `Box` and `Periodic`
 * (vtkDEMArrays::AddBox), on ranks that have it. In m; Period is 0 along other axes.
 */
struct PeriodicBox
{
  std::string Input; ///< its name; empty if there is none
  dem::Vec3d Lower, Period;
};

/**
 * Reads all connections of `inputs`, in order, of all ranks; `names` are the inputs in messages.
 * The array `Material` counts the field data `Materials` of the input, if present. Otherwise an
 * array `type` counts the rows of Table Of Materials from 1 (without a table all grains have the
 * grain material). Otherwise `Material` is an index into `materials`. vtkDEMGrainNames has further
 * names of arrays. Shapes of the inputs (vtkDEMShapeInput) are added to those of `scene` unless
 * they have its name already. Columns such as `Temperature` (Particles/Columns.h) that only some
 * inputs have take the property of `scene` for the grains of the others. `warnings` gets warnings
 * for the user: types without a table, masses that differ from those of the materials. Sets
 * `periodic`. Collective; only rank 0 gets particles. Throws dem::Error after the last
 * communication.
 */
dem::ParticleInput Read(vtkInformationVector* inputs, const std::vector<std::string>& names,
  const Materials& materials, dem::Scene& scene, vtkMultiProcessController* controller,
  std::vector<std::string>& warnings, PeriodicBox& periodic);

/**
 * Fills `output` with one vertex per particle and the point arrays that a simulation reads.
 */
void Write(const dem::ParticleInput& particles, const std::string& material,
  const std::vector<dem::Shape>& shapes, vtkPolyData* output);

} // namespace vtkDEMParticleInput

#endif
