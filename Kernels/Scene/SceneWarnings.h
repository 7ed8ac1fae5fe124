// What a user should know of a scene that is not wrong but perhaps not what was meant.
#pragma once

#include "Scene/Scene.h"

#include <string>
#include <vector>

namespace dem
{

/// One sentence each; empty where nothing is to be said. The scene need not be valid.
/// - facets that are skipped (wallWarnings)
/// - walls that no grain can reach: outside of a given domain; or farther from all grains than 10
///   times the size of both and than the fastest grain comes, but not where gravity leads
/// - walls that seem to have other units: 100 times as large as all grains together (these taken
///   for 10 diameters wide at least), or as small and smaller than a grain
/// - clumps that lost volume (lossWarning)
/// - a time step that is lowered to the output interval
std::vector<std::string> sceneWarnings(const Scene& scene);

/// "The clump 'Stone' of 4 spheres has 29 % less volume than its surface, and so less mass." Empty
/// up to 5 %.
std::string lossWarning(const Shape& shape);

} // namespace dem
