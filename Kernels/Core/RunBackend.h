// Interface between RunSimulation and the implementation of a run on one device (RunFrame.h), the
// same for all methods.
#pragma once

#include "Core/Bytes.h"
#include "Core/Device.h"
#include "Core/Event.h"
#include "Core/StepPlan.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

namespace dem
{

/// Called between steps at least five times per second, or once per step if steps take longer.
/// Returning false stops the run at this step.
using RunObserver = std::function<bool(std::uint64_t step, double time)>;

/// `Types` defines Scene, Frame, FrameSelection and Statistics of the method. Functions have the
/// contracts of those in RunSimulation.
template <class Types>
class RunBackend
{
public:
  using Scene = typename Types::Scene;
  using Frame = typename Types::Frame;
  using FrameSelection = typename Types::FrameSelection;
  using Statistics = typename Types::Statistics;

  virtual ~RunBackend() = default;
  virtual std::uint64_t step() const = 0;
  virtual double time() const = 0;
  virtual const StepPlan& plan() const = 0;
  virtual const Device& device() const = 0;
  virtual const Scene& scene() const = 0;
  virtual bool advanceTo(std::uint64_t target, const RunObserver& observer) = 0;
  virtual Frame frame(const FrameSelection& selection) = 0;
  virtual Statistics statistics() = 0;
  virtual SnapshotBytes save() = 0;
  virtual void restore(const SnapshotBytes& bytes) = 0;
  virtual bool needsRestore() const = 0;
  virtual void apply(const Event& event) = 0;
  virtual void setEnd(double end_time) = 0;
  virtual std::size_t deviceBytes() const = 0;
  virtual void keepOnDevice(std::size_t bytes) = 0;
};

/// Makes a run on a device. `Backend` has makeCpu(scene, device) and, in builds with CUDA,
/// makeCuda(scene, device).
template <class Backend>
std::unique_ptr<Backend> makeBackend(const typename Backend::Scene& scene, const Device& device)
{
#if defined(PARAGRAIN_HAVE_CUDA)
  if (device.kind == DeviceKind::CUDA)
    return Backend::makeCuda(scene, device);
#endif
  return Backend::makeCpu(scene, device);
}

} // namespace dem
