// Times and memory of the MPM solver.
#pragma once

#include "MpmBenchRun.h"

#include <string>

namespace bench
{

/// A material by its name among the options. Throws dem::Error if there is none.
MaterialKind materialOf(const std::string& name);
/// Times explicit or implicit steps of a block.
void timeSteps(Run& run, bool implicit);
/// The memory of a point, and whether as many points as wanted fit.
void memory(Run& run);

} // namespace bench
