// Cells and interval of the void fraction around grains, from a scene, and the checks of a fluid.
// Used by the solver and by validation.
#pragma once

#include "Core/StepPlan.h"
#include "Scene/Scene.h"

namespace dem
{

/// Cells of the void fraction.
struct FluidCellGrid
{
  Vec3d lower, size; ///< m: first corner, and size of a cell
  int count[3];
  bool periodic[3];
};

/// Largest diameter (m) of the grains of a scene; 0 without grains.
double largestDiameter(const Scene& scene);

/// Largest number of cells of the void fraction.
constexpr double kMostFluidCells = 1 << 27;

/// Returns the grid of the void fraction. It fills the domain if that is limited, else the given
/// field, with cells near FluidCellSize. Requires a valid fluid.
FluidCellGrid fluidCellGrid(const Scene& scene);

/// True if the drag law needs the void fraction, and the field does not give it.
bool needsFluidCells(const Scene& scene);

/// Number of time steps from one void fraction to the next. Throws dem::Error if FluidInterval is
/// below a time step.
unsigned stepsOfFluid(const Scene& scene, const StepPlan& plan);

/// Throws dem::Error if the fluid of the scene is not possible.
void validateFluid(const Scene& scene);

} // namespace dem
