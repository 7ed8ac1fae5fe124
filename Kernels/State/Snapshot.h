// What other parts read from a saved state without restoring it. Used by the filters.
#pragma once

#include "Core/Bytes.h"
#include "Scene/Scene.h"

namespace dem
{

/// Gives an automatic domain the borders of a saved state, so that its run can continue from there.
/// Does nothing to a domain that is not automatic, for a state without borders (formats before 7),
/// or for bytes that are not a saved state.
void takeBorders(const SnapshotBytes& state, Domain& domain);

} // namespace dem
