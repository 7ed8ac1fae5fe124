// Warning for frames in which grains touch or have left an automatic domain. Used by the filters.
#pragma once

#include "Measure/Frame.h"
#include "Scene/Scene.h"

#include <cstdint>
#include <string>

namespace dem
{

struct DomainMet
{
  std::string text;     ///< warning with the cure; empty if there is none
  std::int64_t id = -1; ///< of the grain that touches; -1 if grains have left
};

/// Whether a grain touches a border of the automatic domain in this frame, or has left through one.
/// With gravity only a touch of the upper border counts, since grains may rest on the others. Cost:
/// linear in the number of grains. Of ranks that share a run the lowest Id counts.
DomainMet automaticDomainMet(const Scene& scene, const Frame& frame);

} // namespace dem
