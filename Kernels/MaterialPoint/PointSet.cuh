// The points of a run: their columns, where a sub-step writes them, and those that left.
#pragma once

#include "MaterialPoint/ExitedPoints.cuh"
#include "MaterialPoint/GridMemory.cuh"
#include "MaterialPoint/InitialPoints.cuh"
#include "MaterialPoint/PointColumns.cuh"
#include "MaterialPoint/PointOrder.cuh"
#include "Measure/ExitList.h"

#include <memory>
#include <utility>
#include <vector>

namespace mpm
{

/// The first sub-step of a step reads one set of columns and writes the other in the order of the
/// bins, so that a step that fails leaves the points as they were. Later sub-steps of the step work
/// in place: they write columns of their own only for place and bin.
template <class Exec, class Real>
class PointSet
{
public:
  using Columns = PointColumns<Exec, Real>;

  PointSet(Exec& exec, PointOrder<Exec>& order)
    : exec_(exec)
    , order_(order)
  {
  }

  /// Uploads the points of a scene in ascending Id. Throws if memory does not suffice.
  void upload(const Scene& scene, const GridGeometry<Real>& geometry)
  {
    const InitialPoints<Real> initial(scene, geometry);
    const std::size_t n = initial.size();
    capacity_ = entries_ = static_cast<std::uint32_t>(n);
    ids_ = initial.ids();
    mass_ = initial.totalMass();
    constexpr double kBytes =
      2. * (PointsView<Real>::kColumns * sizeof(Vec4<Real>) + sizeof(Real) + 9);
    requireMemory<Exec>(kBytes * static_cast<double>(n), std::to_string(n) + " points");
    Columns& to = *columns_[0];
    to.resize(n);
    columns_[1]->resize(n);
    {
      std::vector<Vec4<Real>> column;
      for (int k = 0; k < PointsView<Real>::kColumns; ++k)
      {
        initial.column(k, column);
        to.column[k].assign(column);
      }
    }
    std::vector<BinKey> key;
    std::vector<Real> volume;
    std::vector<std::uint8_t> material;
    std::vector<std::uint32_t> rank;
    initial.others(key, volume, material, rank);
    to.key.assign(key);
    to.volume.assign(volume);
    to.material.assign(material);
    to.id.assign(rank);
  }

  // ---- access  ----

  /// Number of entries in memory, with points that left in the last sub-steps among them.
  std::uint32_t entries() const { return entries_; }
  /// Number of points at the start of the run.
  std::uint32_t capacity() const { return capacity_; }
  double mass() const { return mass_; } ///< kg, of the points at the start
  PointsView<Real> view() { return columns_[current_]->view(); }
  /// Orders the present points (PointOrder::make).
  void makeOrder(bool equal_bits)
  {
    order_.make(columns_[current_]->key.data(), entries_, capacity_, equal_bits);
  }
  bool hasIds() const { return !ids_.empty(); }
  /// The Id of a point by its rank among the Ids of the start.
  std::int64_t idOf(std::uint64_t rank) const
  {
    return ids_.empty() ? static_cast<std::int64_t>(rank) : ids_[rank];
  }
  dem::ExitList<Exec, ExitedPoint>& exits() { return exits_; }

  // ---- a step  ----

  /// What a failed step returns to.
  struct Start
  {
    int current;
    std::uint32_t entries;
  };
  Start start() const { return { current_, entries_ }; }
  void rollBack(const Start& start, std::uint64_t step)
  {
    current_ = start.current;
    entries_ = start.entries;
    exits_.drop([step](const ExitedPoint& e) { return e.step >= static_cast<std::int64_t>(step); });
    order_.forget();
  }
  /// Whether a sub-step of the step that began with `start` works in place.
  bool isCopied(const Start& start) const { return current_ != start.current; }

  /// Copies the points to the other columns and continues there: all sub-steps of the step then
  /// work in place, and points keep their order in memory (PointSorting::Index).
  void copyAside()
  {
    Columns &from = *columns_[current_], &to = *columns_[1 - current_];
    const auto copy = [&](auto& target, auto& source) {
      exec_.copy(target.data(), source.data(), entries_ * sizeof(*source.data()));
    };
    for (int k = 0; k < PointsView<Real>::kColumns; ++k)
      copy(to.column[k], from.column[k]);
    copy(to.volume, from.volume);
    copy(to.key, from.key);
    copy(to.id, from.id);
    copy(to.material, from.material);
    current_ = 1 - current_;
  }

  /// Sorts the columns into the order of the bins after every kSortAfter sub-steps in place.
  /// Returns whether it did.
  bool sortIfDue(bool in_place)
  {
    since_sorted_ = in_place ? since_sorted_ + 1 : 0;
    if (since_sorted_ != kSortAfter)
      return false;
    sort();
    since_sorted_ = 0;
    return true;
  }

  /// The columns that a sub-step writes.
  PointsView<Real> target(bool in_place)
  {
    Columns& to = *columns_[in_place ? current_ : 1 - current_];
    PointsView<Real> v = to.view();
    if (in_place)
    {
      spare_.resize(capacity_);
      v.column[0] = spare_.data();
      v.key = order_.spare().data();
    }
    return v;
  }
  /// Queues the read-back of the number of points that the sub-step finds in the run.
  void queueCount() { exec_.toHost(&alive_, order_.alive(), sizeof alive_); }
  /// Makes what the sub-step wrote the present points.
  void takeTarget(bool in_place, bool sorted)
  {
    if (!in_place)
      current_ = 1 - current_;
    else
    {
      std::swap(columns_[current_]->column[0], spare_);
      std::swap(columns_[current_]->key, order_.spare());
    }
    order_.keysChanged();
    if (!in_place || sorted)
      entries_ = alive_;
  }
  /// Adds the `gone` points that left in the last sub-step to exits(); after takeTarget().
  void listExits(
    unsigned gone, bool in_place, std::uint64_t step, const GridGeometry<Real>& geometry)
  {
    if (gone)
      exits_.append(gone, [&](ExitedPoint* list, unsigned* count) {
        exec_.forEach(entries_,
          ListExits<Real>{ view(), in_place ? order_.spare().data() : nullptr, geometry.bin_origin,
            geometry.spacing, static_cast<std::int64_t>(step), list, count });
      });
  }

  // ---- saved states  ----

  /// Calls write(vector) with each column of the present points, in the order of a saved state.
  template <class Write>
  void save(const Write& write)
  {
    Columns& p = *columns_[current_];
    const auto read = [&](const auto& buffer) {
      using T = std::decay_t<decltype(*buffer.data())>;
      std::vector<T> host(entries_);
      exec_.toHost(host.data(), buffer.data(), entries_ * sizeof(T));
      exec_.synchronize();
      write(host);
    };
    for (auto& c : p.column)
      read(c);
    read(p.volume);
    read(p.key);
    read(p.id);
    read(p.material);
  }

  /// Takes the points of a saved state (SavedState.cuh).
  template <class Saved>
  void restore(const Saved& saved)
  {
    Columns& p = *columns_[0];
    const auto put = [&](auto& buffer, const auto& from) {
      exec_.toDevice(buffer.data(), from.data(), from.size() * sizeof(from[0]));
      exec_.synchronize();
    };
    for (std::size_t k = 0; k < saved.columns.size(); ++k)
      put(p.column[k], saved.columns[k]);
    put(p.volume, saved.volume);
    put(p.key, saved.key);
    put(p.id, saved.id);
    put(p.material, saved.material);
    current_ = 0;
    entries_ = static_cast<std::uint32_t>(saved.id.size());
    exits_.use(saved.exited);
    order_.forget();
  }

private:
  /// Sub-steps after which a tenth of the points or more may lie among points of other bins.
  static constexpr int kSortAfter = 32;

  /// Brings the columns into the order of the bins, one after the other through spare_.
  void sort()
  {
    Columns& p = *columns_[current_];
    spare_.resize(capacity_);
    const std::uint32_t* alive = order_.alive();
    for (auto& column : p.column)
    {
      exec_.forEach(
        entries_, InOrder<Vec4<Real>>{ order_.order(), alive, column.data(), spare_.data() });
      std::swap(column, spare_);
    }
    const auto sortThin = [&](auto& array) {
      using T = std::decay_t<decltype(*array.data())>;
      T* to = reinterpret_cast<T*>(spare_.data());
      exec_.forEach(entries_, InOrder<T>{ order_.order(), alive, array.data(), to });
      exec_.copy(array.data(), to, entries_ * sizeof(T));
    };
    sortThin(p.volume);
    sortThin(p.key);
    sortThin(p.id);
    sortThin(p.material);
    order_.setToIdentity(entries_);
  }

  Exec& exec_;
  PointOrder<Exec>& order_;
  std::unique_ptr<Columns> columns_[2] = { std::make_unique<Columns>(exec_),
    std::make_unique<Columns>(exec_) };
  int current_ = 0;
  dem::Array<Vec4<Real>, Exec> spare_{ exec_ };
  int since_sorted_ = 0; // sub-steps in place
  std::uint32_t entries_ = 0, capacity_ = 0;
  std::uint32_t alive_ = 0; // read back by a sub-step
  dem::ExitList<Exec, ExitedPoint> exits_{ exec_ };
  std::vector<std::int64_t> ids_; // of ranks; empty: the ranks themselves
  double mass_ = 0;
};

} // namespace mpm
