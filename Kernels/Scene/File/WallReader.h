// Reader of the walls of a .dem document.
#pragma once

#include "Scene/File/ReaderContext.h"

namespace dem
{
namespace detail
{

/// Reads `walls` into the scene. Requires that materials are read. Throws dem::Error with the JSON
/// pointer.
void readWalls(ReaderContext& in);

} // namespace detail
} // namespace dem
