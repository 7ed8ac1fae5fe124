// The part of RayCaster that runs on a device. RayCasterOn.cuh implements it; RayCasterCpu.cpp and
// RayCasterCuda.cu instantiate it.
#pragma once

#include "Spray/RayCaster.h"

namespace dem
{

struct RayCone;

class RayCasterEngine
{
public:
  virtual ~RayCasterEngine() = default;
  virtual void setShapes(const std::vector<Shape>& shapes, int patches) = 0;
  virtual void setWalls(const std::vector<WallElement>& elements) = 0;
  virtual void setGrains(const RayGrains& grains, const RayBox& box, RaySearch search) = 0;
  virtual RaySearch searchInUse() const = 0;
  virtual void rebuild() = 0;
  /// `hits`: null to cast without results.
  virtual void cast(const RayCone& cone, std::size_t rays, std::vector<RayHit>* hits) = 0;
};

std::unique_ptr<RayCasterEngine> makeCpuRayCaster(const Device& device);
std::unique_ptr<RayCasterEngine> makeCudaRayCaster(const Device& device);

/// Sines of the azimuths between the n columns of patches on a face.
std::vector<double> patchEdges(int n);

} // namespace dem
