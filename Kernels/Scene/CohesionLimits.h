// Limits of cohesion: models that go together, and the surface energy that grains of a size can
// bear. Used by Validate.cpp and before a change during a run.
#pragma once

#include "Scene/Scene.h"

namespace dem
{

/// Radii of the spheres of a scene, m: of grains and of the parts of clumps.
struct SphereRadii
{
  double smallest = 0;
  double farthest = 0; ///< of any point of a grain from its centre
};

SphereRadii sphereRadii(const Scene& scene);

/// Throws dem::Error if the cohesion model of the scene does not go with its other choices, if
/// grains of these radii would be drawn together by more than half a radius, or if a periodic axis
/// is too short for the reach of its contacts. Does not read `scene.particles`.
void validateCohesion(const Scene& scene, const SphereRadii& radii);

} // namespace dem
