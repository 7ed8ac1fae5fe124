// Warnings about scenes that are valid but probably not intended. Used by the filters.
#pragma once

#include "Scene/Scene.h"

#include <string>
#include <vector>

namespace dem
{

/// Returns warnings of one or two sentences. The scene need not be valid. There are warnings for
/// - facets that are skipped (wallWarnings)
/// - walls outside a given domain, which no grain can reach
/// - walls far from all grains: by more than 10 times the size of both, and more than the path of
///   the fastest grain during the run. Walls below the grains are exempt.
/// - walls that seem to have other units: at least 100 times larger than the cloud of all grains,
///   or 100 times smaller and smaller than a grain. The cloud counts as at least 10 diameters
///   wide.
/// - clumps that lost volume (lossWarning)
/// - a time step that is reduced to the output interval
std::vector<std::string> sceneWarnings(const Scene& scene);

/// Returns a warning for a clump that lost volume, empty for a loss of at most 5 %. Example: "The
/// clump 'Stone' of 4 spheres has 29 % less volume than its surface, and so less mass."
std::string lossWarning(const Shape& shape);

} // namespace dem
