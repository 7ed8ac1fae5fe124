// The newest frame of a run on its device, for the analysis. Used by the frames of all methods.
#pragma once

#include "Analysis/DeviceFrameOn.cuh"
#include "Core/Error.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace dem
{

/// Keeps one frame, within a limit of memory.
template <class Exec>
class NewestFrame
{
public:
  using OnDevice = detail::DeviceFrameOn<Exec>;

  NewestFrame(Exec& exec, const Device& device, std::uint64_t run)
    : exec_(exec)
    , device_(device)
    , run_(run)
  {
  }

  /// Limits the device memory of the frame, in bytes. With 0 no frame is kept.
  void limit(std::size_t bytes)
  {
    limit_ = bytes;
    if (!bytes)
      drop();
  }
  std::size_t bytes() const { return frame_ ? frame_->bytes() : 0; }
  void drop() { frame_.reset(); }
  bool fits(const detail::FrameArrays& arrays) const
  {
    return limit_ > 0 && OnDevice::bytesFor(arrays) <= static_cast<double>(limit_);
  }

  /// Keeps the arrays of `f`. `arrays()` returns them on the device, `owners()` the memory of the
  /// arrays on the CPU. Too little device memory is no error: readers then use the host arrays.
  template <class Frame, class Arrays, class Owners>
  void keep(Frame& f, const Arrays& arrays, const Owners& owners)
  {
    try
    {
      std::shared_ptr<OnDevice> frame = make(f.step, f.time);
      if constexpr (Exec::kDevice)
        frame->take(exec_, arrays());
      else
        frame->takeLater(arrays(), owners());
      frame_ = std::move(frame);
      f.on_device = frame_;
    }
    catch (const Error&)
    {
      exec_.synchronize(); // kernels and copies queued before the allocation failed
    }
  }

  /// Returns an empty frame of this run.
  std::shared_ptr<OnDevice> make(std::uint64_t step, double time) const
  {
    std::shared_ptr<OnDevice> frame;
    if constexpr (Exec::kDevice)
      frame = std::make_shared<OnDevice>(device_, device_.ordinal, DeviceMemory::Pooled);
    else
      frame = std::make_shared<OnDevice>(device_, device_.threads);
    frame->run = run_;
    frame->step = step;
    frame->time = time;
    return frame;
  }

private:
  Exec& exec_;
  const Device& device_;
  const std::uint64_t run_;
  std::size_t limit_ = 0;
  std::shared_ptr<const DeviceFrame> frame_; // null: none
};

} // namespace dem
