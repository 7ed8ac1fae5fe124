// Reader of STL files, ASCII and binary, so that .dem scenes can be read without VTK.
#pragma once

#include "Core/Vec.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace dem
{

/// Reads an STL file, or its bytes, ASCII or binary. Equal points get one index, in the order of
/// their first appearance. Throws dem::Error with the file and the line (ASCII) or offset (binary).
void readStl(const std::string& path, std::vector<Vec3d>& points,
  std::vector<std::array<std::int32_t, 3>>& triangles);
void parseStl(const std::string& bytes, const std::string& label, std::vector<Vec3d>& points,
  std::vector<std::array<std::int32_t, 3>>& triangles);

} // namespace dem
