// DeviceFrame for an execution policy, made from the arrays of a solver's frame. Used by the
// engines of Solver and MaterialPoint.
#pragma once

#include "Analysis/DeviceFrame.h"
#include "Analysis/detail/StressPairs.cuh"
#include "Core/Array.h"
#include "Core/HostDevice.h"

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace dem
{
namespace detail
{

/// The arrays of a solver's frame, readable by kernels. Null: not shown.
struct FrameArrays
{
  std::size_t grains = 0, contacts = 0;
  const double* position = nullptr;
  const std::int64_t* id = nullptr; // ascending
  const float *radius = nullptr, *mass = nullptr, *velocity = nullptr, *spin = nullptr;
  const std::int32_t* material = nullptr;
  const double* temperature = nullptr;
  const std::int64_t* ids = nullptr; // 2 per contact
  const double* ends = nullptr;      // 6 per contact
  const double* point = nullptr;     // 3 per contact; only in scenes with bodies
  const float *normal_force = nullptr, *tangential_force = nullptr, *overlap = nullptr;
  const std::uint8_t* sliding = nullptr;
  bool continuum = false;        // material points: their stress replaces the contacts
  const float* stress = nullptr; // 6 per point
};

struct Widen
{
  const float* from;
  double* to;

  DEM_HD void operator()(std::uint32_t i) const { to[i] = from[i]; }
};

/// Splits the frame's contact arrays: Ids become indices, pairs of ends become two arrays.
struct SplitContacts
{
  FrameArrays frame;
  std::int64_t *first, *second;
  double *first_place, *second_place;

  DEM_HD std::int64_t indexOf(std::int64_t id) const
  {
    std::size_t low = 0, high = frame.grains; // id[low] <= id < id[high]
    const std::int64_t near = id - frame.id[0];
    if (near >= 0 && static_cast<std::size_t>(near) < high)
    {
      if (frame.id[near] == id) // no grain with a lower Id has been removed
        return near;
      high = static_cast<std::size_t>(near); // Ids ascend by at least 1
    }
    while (high - low > 1)
    {
      const std::size_t middle = low + (high - low) / 2;
      if (frame.id[middle] <= id)
        low = middle;
      else
        high = middle;
    }
    return static_cast<std::int64_t>(low);
  }
  DEM_HD void operator()(std::uint32_t c) const
  {
    const std::int64_t other = frame.ids[2 * std::size_t(c) + 1];
    first[c] = indexOf(frame.ids[2 * std::size_t(c)]);
    second[c] = other < 0 ? other : indexOf(other); // a wall keeps its number
    for (int k = 0; k < 3; ++k)
    {
      first_place[3 * std::size_t(c) + k] = frame.ends[6 * std::size_t(c) + k];
      second_place[3 * std::size_t(c) + k] = frame.ends[6 * std::size_t(c) + 3 + k];
    }
  }
};

template <class Exec>
class DeviceFrameOn final : public DeviceFrame
{
public:
  template <class... ExecArguments>
  explicit DeviceFrameOn(const Device& on, ExecArguments&&... arguments)
    : exec_(std::forward<ExecArguments>(arguments)...)
  {
    device = on;
  }

  /// Device memory of a frame of this size, in bytes.
  static double bytesFor(std::size_t grains, std::size_t contacts)
  {
    return Exec::kDevice ? 100. * static_cast<double>(grains) + 121. * static_cast<double>(contacts)
                         : 0.;
  }

  static double bytesFor(const FrameArrays& frame)
  {
    return bytesFor(frame.grains, frame.contacts) +
      (Exec::kDevice && frame.continuum ? 264. * static_cast<double>(frame.grains) : 0.);
  }

  /// Copies and converts the frame's values with kernels on the stream of `by`; complete when that
  /// stream is done. Reuses the memory of an earlier frame.
  template <class Queue>
  void take(Queue& by, const FrameArrays& frame)
  {
    const std::size_t n = frame.grains, m = frame.continuum ? 3 * n : frame.contacts;
    size(radius_, n, frame.radius);
    size(mass_, n, frame.mass);
    size(velocity_, 3 * n, frame.velocity);
    size(spin_, 3 * n, frame.spin);
    size(normal_force_, 3 * m, frame.continuum ? frame.stress : frame.normal_force);
    size(tangential_force_, 3 * m, frame.tangential_force);
    size(overlap_, m, frame.overlap);
    first_.resize(m);
    second_.resize(m);
    first_place_.resize(3 * m);
    second_place_.resize(3 * m);
    grains_ = {};
    contacts_ = {};
    grains_.size = n;
    contacts_.size = m;
    if constexpr (Exec::kDevice)
    {
      grains_.memory = contacts_.memory = exec_.ordinal();
      size(position_, 3 * n, frame.position);
      size(id_, n, frame.id);
      size(material_, n, frame.material);
      size(temperature_, n, frame.temperature);
      size(sliding_, m, frame.sliding);
      size(point_, 3 * m, frame.point);
      exec_.synchronize(); // pooled memory is usable by other streams only after this
      grains_.position = copied(by, position_, frame.position);
      grains_.id = copied(by, id_, frame.id);
      grains_.material = copied(by, material_, frame.material);
      grains_.temperature = copied(by, temperature_, frame.temperature);
      contacts_.sliding = copied(by, sliding_, frame.sliding);
      contacts_.point = copied(by, point_, frame.point);
    }
    else
    {
      grains_.position = frame.position;
      grains_.id = frame.id;
      grains_.material = frame.material;
      grains_.temperature = frame.temperature;
      contacts_.sliding = frame.sliding;
      contacts_.point = frame.point;
    }
    contacts_.shaped = frame.point != nullptr;
    grains_.radius = widened(by, radius_, frame.radius);
    grains_.mass = widened(by, mass_, frame.mass);
    grains_.velocity = widened(by, velocity_, frame.velocity);
    grains_.angular_velocity = widened(by, spin_, frame.spin);
    contacts_.normal_force = widened(by, normal_force_, frame.normal_force);
    contacts_.tangential_force = widened(by, tangential_force_, frame.tangential_force);
    contacts_.overlap = widened(by, overlap_, frame.overlap);
    if (frame.continuum)
    {
      by.forEach(n,
        StressPairs<float>{ grains_.position, radius_.data(), frame.stress, first_.data(),
          second_.data(), first_place_.data(), second_place_.data(), normal_force_.data() });
      contacts_.normal_force = frame.stress ? normal_force_.data() : nullptr;
    }
    else
      by.forEach(m,
        SplitContacts{
          frame, first_.data(), second_.data(), first_place_.data(), second_place_.data() });
    contacts_.first = first_.data();
    contacts_.second = second_.data();
    contacts_.first_place = first_place_.data();
    contacts_.second_place = second_place_.data();
  }

  /// Postpones take() to the first call of grains() or contacts(). `owners` keep the memory of the
  /// frame until then.
  void takeLater(const FrameArrays& frame, std::vector<std::shared_ptr<void>>&& owners)
  {
    later_ = frame;
    owners_ = std::move(owners);
  }

  Grains grains() const override
  {
    const_cast<DeviceFrameOn*>(this)->takeNow();
    return grains_;
  }
  GrainContacts contacts() const override
  {
    const_cast<DeviceFrameOn*>(this)->takeNow();
    return contacts_;
  }
  std::size_t bytes() const override { return Exec::kDevice ? exec_.allocatedBytes() : 0; }

private:
  void takeNow()
  {
    std::lock_guard<std::mutex> lock(mutex_); // filters may call from several threads
    if (later_.position)
      take(exec_, std::exchange(later_, FrameArrays{}));
  }
  template <class T>
  void size(Array<T, Exec>& array, std::size_t n, const void* wanted)
  {
    array.resize(wanted ? n : 0);
  }
  template <class Queue, class T>
  static const T* copied(Queue& by, Array<T, Exec>& array, const T* from)
  {
    if (from)
      by.copy(array.data(), from, array.size() * sizeof(T));
    return from ? array.data() : nullptr;
  }
  template <class Queue>
  static const double* widened(Queue& by, Array<double, Exec>& array, const float* from)
  {
    if (from)
      by.forEach(array.size(), Widen{ from, array.data() });
    return from ? array.data() : nullptr;
  }

  Exec exec_; // not shared with the engine, because the frame may outlive the run
  Array<double, Exec> position_{ exec_ }, radius_{ exec_ }, mass_{ exec_ }, velocity_{ exec_ },
    spin_{ exec_ }, temperature_{ exec_ };
  Array<std::int64_t, Exec> id_{ exec_ }, first_{ exec_ }, second_{ exec_ };
  Array<std::int32_t, Exec> material_{ exec_ };
  Array<std::uint8_t, Exec> sliding_{ exec_ };
  Array<double, Exec> point_{ exec_ }, first_place_{ exec_ }, second_place_{ exec_ },
    normal_force_{ exec_ }, tangential_force_{ exec_ }, overlap_{ exec_ };
  Grains grains_;
  GrainContacts contacts_;
  std::mutex mutex_;
  FrameArrays later_;
  std::vector<std::shared_ptr<void>> owners_;
};

} // namespace detail
} // namespace dem
