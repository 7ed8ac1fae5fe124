// Warnings about scenes that are valid but probably not intended.
#pragma once

#include "Scene/Scene.h"

#include <string>
#include <vector>

namespace dem
{

/// Warnings of one or two sentences; empty if there are none. The scene need not be valid. They
/// name
/// - facets that are skipped (wallWarnings)
/// - walls that no grain can reach: outside of a given domain; or farther from all grains than 10
///   times the size of both and than the way of the fastest grain, and not below the grains
/// - walls that seem to have other units: at least 100 times larger than all grains together (which
///   count as at least 10 diameters wide), or 100 times smaller and smaller than a grain
/// - clumps that lost volume (lossWarning)
/// - a time step that is lowered to the output interval
std::vector<std::string> sceneWarnings(const Scene& scene);

/// "The clump 'Stone' of 4 spheres has 29 % less volume than its surface, and so less mass." Empty
/// up to 5 %.
std::string lossWarning(const Shape& shape);

} // namespace dem
