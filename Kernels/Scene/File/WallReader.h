// Reader of the walls of a .dem document.
#pragma once

#include "Scene/File/ReaderContext.h"

namespace dem
{
namespace detail
{

/// Reads `walls` into the scene. Requires that materials are read. `of_method`: keys of a wall that
/// the method of the document has beside those of all methods. Throws dem::Error with the JSON
/// pointer.
void readWalls(ReaderContext& in, const std::vector<std::string>& of_method);

} // namespace detail
} // namespace dem
