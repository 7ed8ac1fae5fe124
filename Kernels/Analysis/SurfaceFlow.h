// Grains that pass through a surface between two outputs of a run or of a file, counted by species.
#pragma once

#include "Analysis/Grains.h"
#include "Core/Vec.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace dem
{

/// What a centre passes through: an endless plane, or triangles. Forward is the way of the normal,
/// by the right hand for triangles.
class FlowSurface
{
public:
  /// Throws dem::Error for a normal without length.
  static FlowSurface plane(const Vec3d& origin, const Vec3d& normal);
  static FlowSurface triangles(
    const std::vector<Vec3d>& points, const std::vector<std::array<std::int32_t, 3>>& triangles);

  /// Passages of a centre that went straight from `a` to `b`: how often forward and how often
  /// backward. A path through an edge or a corner that triangles share passes once; the end of one
  /// path and the start of the next lie on the same side.
  struct Passages
  {
    int forward = 0, backward = 0;
  };
  Passages passages(const Vec3d& a, const Vec3d& b) const;

  /// Changes with the surface.
  std::uint64_t fingerprint() const { return fingerprint_; }

private:
  bool is_plane_ = true;
  Vec3d origin_, normal_{ 0, 0, 1 };
  struct Tree;
  std::shared_ptr<const Tree> tree_; // of the triangles
  std::uint64_t fingerprint_ = 0;
};

struct FlowTotals
{
  std::uint64_t forward = 0, backward = 0;    ///< grains
  double mass_forward = 0, mass_backward = 0; ///< kg

  std::int64_t count() const
  {
    return static_cast<std::int64_t>(forward) - static_cast<std::int64_t>(backward);
  }
  double mass() const { return mass_forward - mass_backward; }
};

/// Grains that a run has removed so far, each with the first place beyond the border that it left
/// through.
struct GrainExits
{
  std::size_t size = 0;
  const std::int64_t* id = nullptr; ///< in any order
  const double* position = nullptr; ///< 3, m
};

/// All that passed from the first output to `time`, and since the output before.
struct FlowRecord
{
  double time = 0;
  double interval = 0;                            ///< s since the output before; 0 for the first
  std::uint64_t fingerprint = 0;                  ///< of the grains and the surface
  std::map<std::int32_t, FlowTotals> total, last; ///< by species
};

/// Counts from output to output and remembers the totals of each, so that any time that was passed
/// can be shown again. Grains are told by their Id and taken to move straight from output to
/// output, and from the last output to their exit. A grain that comes between two outputs, or goes
/// without an exit, is not counted then. A grain that moves by more than half a period in one
/// interval is taken to have moved the other way.
class FlowCounter
{
public:
  /// Forgets everything.
  void reset();
  /// Takes the next output; the first one only starts. Times ascend; needs masses.
  /// `grains.material` is the species.
  void add(double time, const Grains& grains, const FlowSurface& surface, const Vec3d& period,
    const GrainExits& exits = {});

  const std::vector<FlowRecord>& records() const { return records_; }
  /// Of the last output at or before `time`; null before the first.
  const FlowRecord* find(double time) const;

  static std::uint64_t fingerprint(
    const Grains& grains, const FlowSurface& surface, const GrainExits& exits = {});

private:
  std::vector<FlowRecord> records_;
  std::vector<std::int64_t> id_; // of the last output
  std::vector<double> position_, mass_;
  std::vector<std::int32_t> species_;
};

} // namespace dem
