// Saved states as bytes, and checkpoint files that contain them. Used by the solver and the
// filters.
#pragma once

#include "Scene/Scene.h"

#include <cstdint>
#include <string>
#include <vector>

namespace dem
{

/// The whole state of a run: particles, contact history, counters, events. SnapshotFormat.h has its
/// layout.
using SnapshotBytes = std::vector<std::uint8_t>;

/// Writes a checkpoint file: magic, version, size, CRC-32, payload. The file is written beside
/// `path` and renamed, so that a failure leaves an old checkpoint as it was. Throws dem::Error.
void writeSnapshotFile(const std::string& path, const SnapshotBytes& bytes);

/// Reads a checkpoint file. Throws dem::Error with the offset of the fault if the file is not a
/// checkpoint, is cut off or altered, or has another version.
SnapshotBytes readSnapshotFile(const std::string& path);

/// Gives an automatic domain the borders of a saved state, so that its run can continue from there.
/// Does nothing to a domain that is not automatic, for a state without borders (formats before 7),
/// or for bytes that are not a saved state.
void takeBorders(const SnapshotBytes& state, Domain& domain);

} // namespace dem
