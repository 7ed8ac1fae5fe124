// Kureck 2016, table 6.1 and figure 6.5: oblique impact of a steel sphere on a wall, after Walton.
#pragma once

#include "Solver/Simulation.h"

#include <vector>

namespace bench
{

/// Restitution in normal and tangential direction, and friction, of the table.
constexpr double kReboundE = 0.95, kReboundBeta = 0.35, kReboundFriction = 0.75;

/// An impact at the ratio of tangential to normal velocity of the contact point, and what it has
/// afterwards: -v_t' / v_n'. Positive: it moves on in its direction.
struct Rebound
{
  double incidence, reflexion;
};

/// Stiffness ratio of the linear law without tangential damping whose sphere rebounds with
/// kReboundBeta at the incidence 1: an input of Walton's model. Found by bisection.
double reboundStiffnessRatio(const dem::RunOptions& run);

/// The incidences of the table. `ratio`: of the stiffnesses, with history; 0: without history.
std::vector<Rebound> rebounds(const dem::RunOptions& run, double ratio);

} // namespace bench
