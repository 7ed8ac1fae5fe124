// Checkpoint files, which contain a saved state of any method. Used by the filters.
#pragma once

#include "Core/Bytes.h"

#include <string>

namespace dem
{

/// Writes a checkpoint file: magic, version, size, CRC-32, payload. The file is written beside
/// `path` and renamed, so that a failure leaves an old checkpoint as it was. Throws dem::Error.
void writeSnapshotFile(const std::string& path, const SnapshotBytes& bytes);

/// Reads a checkpoint file. Throws dem::Error with the offset of the fault if the file is not a
/// checkpoint, is cut off or altered, or has another version.
SnapshotBytes readSnapshotFile(const std::string& path);

} // namespace dem
