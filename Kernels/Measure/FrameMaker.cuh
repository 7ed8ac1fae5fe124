// Makes frames of the present state. Arrays are computed in device buffers, which are reused, and
// copied to the host. The newest frame may also stay on the device for the analysis.
#pragma once

#include "Analysis/NewestFrame.cuh"
#include "Core/HostArray.h"
#include "Measure/Measurement.cuh"
#include "Measure/RunAverages.h"
#include "Measure/WallFrames.h"
#include "Spray/RayCaster.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace dem
{

/// Output memory for the arrays of one frame. On the CPU kernels write to the host arrays; on CUDA
/// they write to device buffers that finish() copies to the host.
template <class Exec>
class FrameStage
{
public:
  using Buffers = std::vector<Array<std::uint8_t, Exec>>;

  /// Without `shown`, arrays stay on the device and are not copied.
  FrameStage(Exec& exec, Buffers& buffers, bool shown)
    : exec_(exec)
    , buffers_(buffers)
    , shown_(shown)
  {
  }

  /// Memory for n values of an array, for kernels to write.
  template <class T>
  T* array(HostArray<T>& host, std::size_t n)
  {
    if (shown_ || !Exec::kDevice)
      host = HostArray<T>(n, Exec::kDevice);
    if (!Exec::kDevice || n == 0)
      return host.data();
    if (used_ == buffers_.size())
      buffers_.emplace_back(exec_);
    Array<std::uint8_t, Exec>& buffer = buffers_[used_++];
    buffer.resize(n * sizeof(T));
    if (shown_)
      copies_.push_back({ host.data(), buffer.data(), n * sizeof(T) });
    return reinterpret_cast<T*>(buffer.data());
  }
  template <class T>
  T* arrayIf(bool wanted, HostArray<T>& host, std::size_t n)
  {
    return wanted ? array(host, n) : nullptr;
  }
  /// Copies the arrays to the host and waits for the device.
  void finish()
  {
    for (const Copy& c : copies_)
      exec_.toHost(c.host, c.device, c.bytes);
    exec_.synchronize();
  }

private:
  struct Copy
  {
    void* host;
    const void* device;
    std::size_t bytes;
  };
  Exec& exec_;
  Buffers& buffers_;
  bool shown_;
  std::size_t used_ = 0;
  std::vector<Copy> copies_;
};

template <class Exec, class Real>
class FrameMaker : private RunOwners<Exec, Real>
{
public:
  using Owners = RunOwners<Exec, Real>;
  using Stage = FrameStage<Exec>;

  FrameMaker(Exec& exec, const Owners& owners, Measurement<Exec, Real>& measurement,
    const Device& device, std::uint64_t run)
    : Owners(owners)
    , exec_(exec)
    , measurement_(measurement)
    , device_(device)
    , run_(run)
    , newest_(exec, device, run)
  {
  }

  /// Limits the device memory of the newest frame, in bytes. With 0 no frame is kept there.
  void keepOnDevice(std::size_t bytes) { newest_.limit(bytes); }
  std::size_t deviceBytes() const { return newest_.bytes() + (sample_ ? sample_->bytes() : 0); }

  /// Returns the frame of the present instant, or of this part of it: the arrays selected by
  /// `want`, without statistics (Measurement::measure() is called) and walls. Requires
  /// Measurement::prepare().
  Frame make(const FrameSelection& want, std::uint64_t step, double time)
  {
    Frame f;
    f.time = time;
    f.step = step;
    f.size = measurement_.grains();
    f.selection = want;
    f.device = device_.name;
    f.run = run_;
    Stage stage(exec_, buffers_, true);
    const detail::FrameArrays arrays = queue(f, want, stage, true);
    newest_.drop();
    if (newest_.fits(arrays) && !particles.ghosts())
      keep(f, arrays);
    stage.finish();
    exited.write(f.exited_id, f.exited_position);
    return f;
  }
  /// Adds the walls of the scene, if selected, to a frame with the contacts of all parts.
  void addWalls(Frame& f, const std::vector<Wall>& walls_of)
  {
    if (f.selection.walls)
      makeWallFrames(f, walls.set(), walls_of, f.time);
  }
  /// Completes the contacts, after addWalls().
  void completeContacts(Frame& f) { numberTriangles(f, walls.set()); }

  /// Returns the present instant as a sample for the averages, valid until the next call. Requires
  /// Measurement::prepare().
  const DeviceFrame& sample(std::uint64_t step, double time)
  {
    Frame f; // holds the arrays on the CPU
    Stage stage(exec_, buffers_, false);
    return sampleOf(
      queue(f, RunAverages::selection(particles.hasHeat()), stage, false), step, time);
  }
  /// The same from a frame of all parts of a run, made with RunAverages::selection().
  const DeviceFrame& sample(Frame whole)
  {
    merged_ = std::move(whole); // holds the arrays on the CPU
    std::size_t used = 0;
    const auto here = [&](const auto& array) { return onDevice(array, used); };
    detail::FrameArrays arrays;
    arrays.grains = merged_.size;
    arrays.position = here(merged_.position);
    arrays.id = here(merged_.id);
    arrays.radius = here(merged_.radius);
    arrays.mass = here(merged_.mass);
    arrays.velocity = here(merged_.velocity);
    arrays.spin = here(merged_.angular_velocity);
    arrays.material = here(merged_.material);
    arrays.temperature = here(merged_.passive[kTemperature]);
    arrays.contacts = merged_.contacts.size;
    arrays.ids = here(merged_.contacts.ids);
    arrays.ends = here(merged_.contacts.ends);
    arrays.normal_force = here(merged_.contacts.normal_force);
    arrays.tangential_force = here(merged_.contacts.tangential_force);
    return sampleOf(arrays, merged_.step, merged_.time);
  }

  /// The grains of the present instant for the rays of a spray, and their Ids on the host, in
  /// ascending order. `turned`: with the orientations of spheres. The arrays are valid until the
  /// next call. Requires Measurement::prepare().
  RayGrains rayGrains(std::vector<std::int64_t>& ids, bool turned)
  {
    const std::uint32_t n = measurement_.grains();
    const FrameSelection want = raySelection(turned);
    Stage stage(exec_, buffers_, false);
    float* orientation = nullptr;
    std::int32_t* shape = nullptr;
    sprayed_ = Frame{}; // holds the arrays on the CPU
    const detail::FrameArrays arrays = queueGrains(sprayed_, want, stage, n, &orientation, &shape);
    ray_radius_.resize(n);
    ray_turn_.resize(orientation ? 4 * std::size_t(n) : 0);
    exec_.forEach(n, detail::Widen{ arrays.radius, ray_radius_.data() });
    exec_.forEach(ray_turn_.size(), detail::Widen{ orientation, ray_turn_.data() });
    ids.resize(n);
    exec_.toHost(ids.data(), arrays.id, n * sizeof(std::int64_t));
    exec_.synchronize();
    RayGrains grains;
    grains.size = n;
    if constexpr (Exec::kDevice)
      grains.memory = exec_.ordinal();
    grains.position = arrays.position;
    grains.radius = ray_radius_.data();
    grains.id = arrays.id;
    grains.orientation = orientation ? ray_turn_.data() : nullptr;
    grains.shape = shape;
    return grains;
  }
  /// What a frame for rayGrains() shows.
  FrameSelection raySelection(bool turned) const
  {
    FrameSelection want;
    want.velocity = want.angular_velocity = want.force = want.torque = want.mass = want.material =
      want.coordination_number = want.stress = want.contacts = want.walls = false;
    want.shape = bodies.inUse();
    want.orientation = want.shape || turned;
    return want;
  }
  /// The same as rayGrains() from a frame of all parts of a run, made with raySelection(). The
  /// arrays are in host memory.
  RayGrains rayGrains(Frame whole, std::vector<std::int64_t>& ids)
  {
    sprayed_ = std::move(whole);
    host_radius_.assign(sprayed_.radius.begin(), sprayed_.radius.end());
    host_turn_.assign(sprayed_.orientation.begin(), sprayed_.orientation.end());
    ids.assign(sprayed_.id.begin(), sprayed_.id.end());
    RayGrains grains;
    grains.size = sprayed_.size;
    grains.position = sprayed_.position.data();
    grains.radius = host_radius_.data();
    grains.id = sprayed_.id.data();
    grains.orientation = host_turn_.empty() ? nullptr : host_turn_.data();
    grains.shape = sprayed_.shape.empty() ? nullptr : sprayed_.shape.data();
    return grains;
  }

private:
  const DeviceFrame& sampleOf(const detail::FrameArrays& arrays, std::uint64_t step, double time)
  {
    if (!sample_)
      sample_ = newest_.make(step, time);
    sample_->take(exec_, arrays);
    exec_.synchronize();
    return *sample_;
  }
  // The array where kernels read it; null if it is empty.
  template <class T>
  const T* onDevice(const HostArray<T>& array, std::size_t& used)
  {
    if (!Exec::kDevice || array.empty())
      return array.data();
    if (used == buffers_.size())
      buffers_.emplace_back(exec_);
    Array<std::uint8_t, Exec>& buffer = buffers_[used++];
    buffer.resize(array.size() * sizeof(T));
    exec_.toDevice(buffer.data(), array.data(), buffer.size());
    return reinterpret_cast<const T*>(buffer.data());
  }

  using Owners::bodies;
  using Owners::exited;
  using Owners::law;
  using Owners::particles;
  using Owners::walls;

  // Queues the kernels that write the arrays, and returns the arrays that the analysis reads.
  // Without `all`, statistics are skipped, and contacts have only the arrays that averages need.
  detail::FrameArrays queue(Frame& f, const FrameSelection& want, Stage& stage, bool all)
  {
    const std::uint32_t n = measurement_.grains();
    detail::FrameArrays arrays = queueGrains(f, want, stage, n);
    std::int32_t* coordination = stage.arrayIf(want.coordination_number, f.coordination_number, n);
    float* stress = stage.arrayIf(want.stress, f.stress, 6 * std::size_t(n));
    counts_.resize(n);
    if (all)
      measurement_.measure(coordination, stress, counts_.data());
    else if (bodies.inUse())
      exec_.forEach(n, CountBodyContacts<Real>{ measurement_.bodyView(), counts_.data() });
    else
    {
      measurement_.evaluatePairs();
      exec_.forEach(
        measurement_.places(), CountContacts<Real>{ measurement_.view(), counts_.data() });
    }
    if (want.contacts || want.walls)
      queueContacts(f, want, stage, all, n, arrays);
    return arrays;
  }

  // Also returns the places of orientations and shapes, if wanted.
  detail::FrameArrays queueGrains(Frame& f, const FrameSelection& want, Stage& stage,
    std::uint32_t n, float** orientation = nullptr, std::int32_t** shape = nullptr)
  {
    WriteParticles<Real> write{ measurement_.view(), stage.array(f.position, 3 * std::size_t(n)),
      stage.array(f.id, n), stage.array(f.radius, n),
      stage.arrayIf(want.velocity, f.velocity, 3 * std::size_t(n)),
      stage.arrayIf(want.angular_velocity, f.angular_velocity, 3 * std::size_t(n)),
      stage.arrayIf(want.orientation, f.orientation, 4 * std::size_t(n)),
      stage.arrayIf(want.force, f.force, 3 * std::size_t(n)),
      stage.arrayIf(want.torque, f.torque, 3 * std::size_t(n)), stage.arrayIf(want.mass, f.mass, n),
      stage.arrayIf(want.material, f.material, n), stage.arrayIf(want.shape, f.shape, n) };
    if (bodies.inUse())
      exec_.forEach(n, WriteBodies<Real>{ measurement_.bodyView(), write, bodies.frames() });
    else
      exec_.forEach(n, write);
    detail::FrameArrays arrays;
    for (std::size_t k = 0; k < kPassiveCount; ++k)
      if (want.passive[k] && kPassiveColumns[k].is_shown)
      {
        double* values = stage.array(f.passive[k], n);
        queuePassive(k, values, n);
        if (k == kTemperature)
          arrays.temperature = values;
      }
    if (orientation)
      *orientation = write.orientation;
    if (shape)
      *shape = write.shape;
    arrays.grains = n;
    arrays.position = write.position;
    arrays.id = write.id;
    arrays.radius = write.radius;
    arrays.mass = write.mass;
    arrays.velocity = write.velocity;
    arrays.spin = write.spin;
    arrays.material = write.material;
    return arrays;
  }

  void queuePassive(std::size_t k, double* to, std::uint32_t n)
  {
    const auto& column = particles.passive(k);
    const WritePassive write{ column ? column->data() : nullptr, kPassiveColumns[k].initial,
      particles.idOrder(), to };
    if (bodies.inUse())
      exec_.forEach(n, WritePassiveOfBodies{ bodies.view(), bodies.shownBodies(), write });
    else
      exec_.forEach(n, write);
  }

  void queueContacts(Frame& f, const FrameSelection& want, Stage& stage, bool all, std::uint32_t n,
    detail::FrameArrays& arrays)
  {
    rows_.resize(n + 1);
    const std::size_t m = scanCounts(exec_, counts_.data(), rows_.data(), n);
    ContactArrays& c = f.contacts;
    c.size = m;
    c.of_cohesion = law.parameters().cohesion != CohesionModel::None;
    const bool more = all && law.parameters().statistics;
    const ContactOutput out{ stage.array(c.ids, 2 * m), stage.array(c.ends, 6 * m),
      stage.array(c.normal_force, 3 * m), stage.array(c.tangential_force, 3 * m),
      stage.arrayIf(all, c.overlap, m), stage.arrayIf(all, c.sliding, m),
      stage.arrayIf(more, c.age, m), stage.arrayIf(more, c.slip_distance, m),
      stage.arrayIf(more, c.dissipated_energy, m),
      stage.arrayIf(all && c.of_cohesion, c.cohesive_force, 3 * m),
      stage.arrayIf(all, c.wall_element, m), stage.arrayIf(all && bodies.inUse(), c.point, 3 * m) };
    c.of_bodies = bodies.inUse();
    const WriteContacts<Real> write{ measurement_.view(), rows_.data(), out };
    if (bodies.inUse())
      exec_.forEach(n, WriteBodyContacts<Real>{ measurement_.bodyView(), rows_.data(), write });
    else
      exec_.forEach(measurement_.places(), write);
    if (!want.contacts)
      return;
    arrays.contacts = m;
    arrays.ids = out.ids;
    arrays.ends = out.ends;
    arrays.point = out.point;
    arrays.normal_force = out.normal_force;
    arrays.tangential_force = out.tangential_force;
    arrays.overlap = out.overlap;
    arrays.sliding = out.sliding;
  }

  void keep(Frame& f, const detail::FrameArrays& arrays)
  {
    newest_.keep(
      f, [&] { return arrays; },
      [&] {
        return std::vector<std::shared_ptr<void>>{ f.position.block(), f.id.block(),
          f.radius.block(), f.mass.block(), f.velocity.block(), f.angular_velocity.block(),
          f.material.block(), f.passive[kTemperature].block(), f.contacts.ids.block(),
          f.contacts.ends.block(), f.contacts.point.block(), f.contacts.normal_force.block(),
          f.contacts.tangential_force.block(), f.contacts.overlap.block(),
          f.contacts.sliding.block() };
      });
  }

  Exec& exec_;
  Measurement<Exec, Real>& measurement_;
  const Device& device_;
  const std::uint64_t run_;
  typename Stage::Buffers buffers_;
  Array<std::uint32_t, Exec> counts_{ exec_ }, rows_{ exec_ };
  NewestFrame<Exec> newest_;
  Frame sprayed_, merged_; // arrays of rayGrains() and sample()
  std::vector<double> host_radius_, host_turn_;
  Array<double, Exec> ray_radius_{ exec_ }, ray_turn_{ exec_ };
  std::shared_ptr<detail::DeviceFrameOn<Exec>> sample_; // last sample, reused by the next
};

} // namespace dem
