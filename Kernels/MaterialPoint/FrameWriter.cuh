// The point arrays of a frame, on the host and, if there is memory, on the device.
#pragma once

#include "Analysis/NewestFrame.cuh"
#include "Core/Algorithms.h"
#include "MaterialPoint/GridGeometry.cuh"
#include "MaterialPoint/MaterialTable.cuh"
#include "MaterialPoint/MpmFrame.h"
#include "MaterialPoint/PointFields.cuh"
#include "MaterialPoint/PointSet.cuh"

#include <memory>
#include <utility>
#include <vector>

namespace mpm
{

template <class Exec, class Real>
class FrameWriter
{
public:
  FrameWriter(Exec& exec, const dem::Device& device, std::uint64_t run,
    const GridGeometry<Real>& geometry, MaterialTable<Exec, Real>& materials,
    PointSet<Exec, Real>& points, PointOrder<Exec>& order)
    : exec_(exec)
    , newest_(exec, device, run)
    , geometry_(geometry)
    , materials_(materials)
    , points_(points)
    , order_(order)
  {
  }

  /// Limits the device memory of the newest frame, in bytes. With 0 no frame is kept there.
  void keepOnDevice(std::size_t bytes) { newest_.limit(bytes); }
  std::size_t bytes() const { return newest_.bytes(); } ///< memory of the kept frame

  /// Fills the arrays of the points in ascending Id. The frame's size, selection, time, step and
  /// run must be set.
  void write(Frame& f)
  {
    const std::size_t left = f.size;
    Buffer<std::uint32_t> alive(exec_), places(exec_);
    position_ = left != points_.capacity() ? positions(alive, places) : nullptr;
    newest_.drop();
    dem::detail::FrameArrays arrays;
    arrays.grains = left;
    arrays.continuum = true;
    const bool keep = newest_.fits(arrays);
    const auto where = [keep](auto*& place) { return keep ? &place : nullptr; };
    const PlaceToWorld world{ order_.grid(), geometry_.bin_origin, geometry_.spacing };
    f.position = read<double>(3, left, PlaceOf{ world }, where(arrays.position));
    f.id = read<std::int64_t>(1, left, IdOf{}, where(arrays.id));
    if (points_.hasIds())
      for (std::size_t i = 0; i < left; ++i)
        f.id[i] = points_.idOf(static_cast<std::size_t>(f.id[i]));
    points_.exits().write(f.exited_id, f.exited_position);
    for (std::size_t i = 0; i < f.exited_id.size(); ++i)
      f.exited_id[i] = points_.idOf(static_cast<std::uint64_t>(f.exited_id[i]));
    const auto field = [&](bool wanted, int components, PointField which,
                         const float** place = nullptr) {
      return wanted
        ? read<float>(components, left, FieldOf<Real>{ which, materials_.data() }, place)
        : dem::HostArray<float>{};
    };
    const FrameSelection& selection = f.selection;
    f.radius = field(true, 1, PointField::Radius, where(arrays.radius));
    f.velocity = field(selection.velocity, 3, PointField::Velocity, where(arrays.velocity));
    f.mass = field(selection.mass, 1, PointField::Mass, where(arrays.mass));
    f.volume = field(selection.volume, 1, PointField::Volume);
    f.jacobian = field(selection.jacobian, 1, PointField::Jacobian);
    f.deformation = field(selection.deformation, 9, PointField::Deformation);
    f.stress = field(selection.stress, 6, PointField::Stress, where(arrays.stress));
    f.von_mises = field(selection.von_mises, 1, PointField::VonMises);
    f.plastic_strain = field(selection.plastic_strain, 1, PointField::PlasticStrain);
    if (selection.material)
      f.material = read<std::int32_t>(1, left, MaterialOf{}, where(arrays.material));
    if (keep)
      keepFrame(f, arrays);
    kept_fields_.clear();
  }

private:
  template <class T>
  using Buffer = dem::Array<T, Exec>;

  /// Place of each Id among those left.
  const std::uint32_t* positions(Buffer<std::uint32_t>& alive, Buffer<std::uint32_t>& places)
  {
    const std::uint32_t n = points_.capacity();
    alive.resize(n);
    alive.zero();
    places.resize(std::size_t(n) + 1);
    const PointsView<Real> p = points_.view();
    exec_.forEach(points_.entries(), MarkAlive{ p.key, p.id, alive.data() });
    dem::queueScan(exec_, alive.data(), places.data(), n);
    return places.data();
  }

  /// Reads a field of the points left. `where`: if not null, receives a pointer to the values on
  /// the device, which stay there until kept_fields_ is cleared.
  template <class T, class Value>
  dem::HostArray<T> read(
    int components, std::size_t left, const Value& value, const T** where = nullptr)
  {
    dem::HostArray<T> host(left * components, Exec::kDevice);
    auto out = std::make_shared<Buffer<T>>(exec_);
    out->resize(left * components);
    exec_.forEach(points_.entries(),
      WriteById<Real, T, Value>{ points_.view(), position_, components, value, out->data() });
    exec_.toHost(host.data(), out->data(), host.size() * sizeof(T));
    exec_.synchronize();
    if (where)
      *where = Exec::kDevice ? out->data() : host.data();
    if (where && Exec::kDevice)
      kept_fields_.push_back(std::move(out));
    return host;
  }

  void keepFrame(Frame& f, const dem::detail::FrameArrays& arrays)
  {
    const auto withIds = [&] {
      dem::detail::FrameArrays all = arrays;
      if (Exec::kDevice && points_.hasIds()) // so far they are ranks
      {
        auto ids = std::make_shared<Buffer<std::int64_t>>(exec_);
        ids->resize(f.size);
        exec_.toDevice(ids->data(), f.id.data(), f.size * sizeof(std::int64_t));
        all.id = ids->data();
        kept_fields_.push_back(std::move(ids));
      }
      return all;
    };
    newest_.keep(f, withIds, [&] {
      return std::vector<std::shared_ptr<void>>{ f.position.block(), f.id.block(), f.radius.block(),
        f.mass.block(), f.velocity.block(), f.material.block(), f.stress.block() };
    });
    exec_.synchronize(); // the fields are freed
  }

  Exec& exec_;
  dem::NewestFrame<Exec> newest_;
  const GridGeometry<Real>& geometry_;
  MaterialTable<Exec, Real>& materials_;
  PointSet<Exec, Real>& points_;
  PointOrder<Exec>& order_;
  const std::uint32_t* position_ = nullptr;        // of an Id among those left; null: the Id
  std::vector<std::shared_ptr<void>> kept_fields_; // while a frame is written
};

} // namespace mpm
