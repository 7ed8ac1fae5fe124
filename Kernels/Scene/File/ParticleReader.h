// Reader of the particles of a .dem document: explicit arrays and packings.
#pragma once

#include "Scene/File/ReaderContext.h"

namespace dem
{
namespace detail
{

/// Reads `particles` into the scene. Requires that materials and shapes are read. Throws dem::Error
/// with the JSON pointer.
void readParticles(ReaderContext& in);

/// Appends the particles of `packings` to those of the scene. Throws dem::Error with the JSON
/// pointer.
void readPackings(ReaderContext& in);

} // namespace detail
} // namespace dem
