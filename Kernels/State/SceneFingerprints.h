// Tells whether a saved state belongs to a scene: one number for each part of a scene that a run
// from a state needs unchanged.
#pragma once

#include "Scene/Scene.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace dem
{

/// The numbers are FNV-1a hashes of the members whose rows in Scene/Describe.h are in the
/// fingerprint. They are part of the format of saved states, so they must not change.
struct SceneFingerprints
{
  static constexpr std::size_t kParts = 6, kDomain = 4, kShapes = 5;

  /// "its materials", ...
  static const char* name(std::size_t part);

  static std::array<std::uint64_t, kParts> of(const Scene& scene);

  /// `borders`: with the borders, which states hold themselves from format 7 on.
  static std::uint64_t ofDomain(const Domain& domain, bool borders);

  /// That of the shapes of a scene whose grains are spheres.
  static std::uint64_t spheres();
};

} // namespace dem
