// CellAverage for an execution policy. Grains and pieces of contacts are entered into every cell
// that they touch and sorted by cell. Then one thread per cell adds up its entries in ascending
// order. Cells with more than kPart entries are divided: one thread adds up each part of kPart
// entries, and the parts are added in their order. So the order of a sum does not depend on the
// number of threads.
#pragma once

#include "Analysis/CellContacts.cuh"
#include "Analysis/CellEntries.cuh"
#include "Analysis/CellGrains.cuh"
#include "Analysis/CellPlanes.cuh"
#include "Analysis/detail/CellAverageEngine.h"
#include "Analysis/detail/ContactInput.cuh"
#include "Analysis/detail/GrainInput.cuh"
#include "Analysis/detail/Staging.h"

#include <string>
#include <utility>
#include <vector>

namespace dem
{
template <class Exec>
class CellAverageOn : public CellAverageEngine
{
public:
  template <class... Args>
  explicit CellAverageOn(Args&&... args)
    : exec_(std::forward<Args>(args)...)
    , edges_{ Array<double, Exec>(exec_), Array<double, Exec>(exec_), Array<double, Exec>(exec_) }
    , grains_(exec_)
    , contacts_(exec_)
    , by_grain_(exec_)
    , by_contact_(exec_)
    , shares_(exec_)
    , part_(exec_)
    , contact_(exec_)
    , grain_(exec_)
    , contacts_of_(exec_)
    , part_sums_(exec_)
    , part_fluctuation_(exec_)
    , stress_(exec_)
    , part_species_(exec_)
  {
    for (int k = 0; k < 11; ++k)
      outputs_.emplace_back(exec_);
  }

  void compute(const Grains& grains, const GrainContacts* contacts, const CellGrid& grid,
    const CellAverageOptions& options, const CellAverageFields& fields) override
  {
    try
    {
      exec_.inArena([&] { run(grains, contacts, grid, options, fields); });
    }
    catch (...)
    {
      exec_.finishCopies(); // the caller may release the memory that copies write to
      throw;
    }
  }

private:
  /// Throws dem::Error if entries into cells, with the results, exceed the memory limit.
  struct Budget
  {
    const detail::CellPlanes& planes;
    double results; // bytes
    double limit;   // bytes

    /// `each`: bytes per entry for keys, entries, the buffers of the sort, and sums of parts.
    void require(std::uint64_t entries, double each, const char* what) const
    {
      const double bytes = results + static_cast<double>(entries) * each;
      requireMemory("Averaging on " + std::to_string(planes.size[0]) + " x " +
          std::to_string(planes.size[1]) + " x " + std::to_string(planes.size[2]) +
          " cells, with " + std::to_string(entries) + what,
        entries > 0xffffffffull - 4096 ? 1e300 : bytes, limit,
        "Use larger cells, or raise the memory limit.");
    }
  };

  void run(const Grains& grains, const GrainContacts* contacts, const CellGrid& grid,
    const CellAverageOptions& options, const CellAverageFields& fields)
  {
    const detail::CellPlanes planes = stagePlanes(grid);
    const std::uint32_t cells = planes.cells();
    const Budget budget{ planes, CellAverage::bytes(cells, options.species), options.memory_limit };
    CellAverageFields out = placeFields(fields, cells, options.species);

    const detail::PackedGrains packed =
      grains_.pack(grains_.stage(grains), options.density, options.species);
    const std::size_t m = contacts ? contacts->size : 0;
    detail::ContactsOnDevice touching{};
    if (m)
    {
      touching = contacts_.stage(*contacts);
      contacts_.check(touching, grains.size);
    }
    enterGrains(planes, packed, options.share, budget);
    if (m)
      countContacts(touching, packed);
    const detail::CellSums sums = sumGrains(planes, packed, options.species, out);
    if (out.contact_stress && touching.normal_force)
    {
      const detail::ContactBranches branches{ planes, touching.first_place, touching.second_place };
      countPieces(branches, m, budget);
      fetch(out, false); // these copies run while the contacts are added up
      sumContactStress(branches, touching, sums);
    }
    else
    {
      fetch(out, false);
      if (out.contact_stress)
        exec_.zero(out.contact_stress, std::size_t(cells) * 6 * sizeof(double));
    }
    fetch(out, true);
    exec_.finishCopies();
  }

  detail::CellPlanes stagePlanes(const CellGrid& grid)
  {
    detail::CellPlanes planes{};
    for (int k = 0; k < 3; ++k)
    {
      edges_[k].assign(grid.edges[k]);
      planes.edges[k] = edges_[k].data();
      planes.size[k] = static_cast<int>(grid.edges[k].size()) - 1;
      planes.periodic[k] = grid.periodic[k];
      planes.per_meter[k] = planes.size[k] / (grid.edges[k].back() - grid.edges[k].front());
    }
    return planes;
  }

  /// The destinations of the fields as kernels reach them.
  CellAverageFields placeFields(const CellAverageFields& fields, std::uint32_t cells, int species)
  {
    CellAverageFields wanted = fields, out = fields;
    const auto info = cellAverageFields(species, true);
    const auto host = pointersOf(wanted), device = pointersOf(out);
    detail::requireReachable(exec_, fields.memory);
    for (std::size_t k = 0; k < host.size(); ++k)
      *device[k] = outputs_[k](*host[k], std::size_t(cells) * info[k].components, fields.memory);
    return out;
  }

  /// Copies the contact stress, or all other fields, to the caller's memory.
  void fetch(CellAverageFields& out, bool stress)
  {
    const auto device = pointersOf(out);
    for (std::size_t k = 0; k < outputs_.size(); ++k)
      if ((device[k] == &out.contact_stress) == stress)
        outputs_[k].fetch();
  }

  /// Enters the grains into cells, with their shares, and sorts the entries by cell.
  void enterGrains(const detail::CellPlanes& planes, const detail::PackedGrains& packed,
    GrainShare share, const Budget& budget)
  {
    const std::size_t n = packed.size;
    by_grain_.counts.resize(n);
    exec_.forEach(
      n, detail::CountGrainCells{ planes, share, packed.position, by_grain_.counts.data() });
    const std::uint64_t entries = by_grain_.total(n);
    budget.require(entries, 30, " entries of grains into them,");
    by_grain_.reserve(n, entries);
    shares_.resize(entries, 1.1);
    grain_.resize(entries, 1.1);
    exec_.forEach(n,
      detail::EnterGrains{ planes, share, packed.position, by_grain_.offsets.data(),
        by_grain_.keys.data(), by_grain_.entry.data(), grain_.data() });
    exec_.forEach(n,
      detail::ComputeShares{
        planes, share, packed.position, by_grain_.offsets.data(), shares_.data() });
    by_grain_.sort(planes.cells());
  }

  /// Counts the contacts of each grain.
  void countContacts(const detail::ContactsOnDevice& touching, const detail::PackedGrains& packed)
  {
    contacts_of_.resize(packed.size);
    contacts_of_.zero();
    exec_.forEach(touching.size,
      detail::CountContactsOfGrains{ touching.first, touching.second, contacts_of_.data() });
    exec_.forEach(
      packed.size, detail::SetTouching{ contacts_of_.data(), packed.place, packed.spin });
  }

  /// Computes all fields but the contact stress.
  detail::CellSums sumGrains(const detail::CellPlanes& planes, const detail::PackedGrains& packed,
    int species, const CellAverageFields& out)
  {
    const std::uint32_t cells = planes.cells();
    std::size_t parts = 0;
    detail::CellSums sums{ planes, packed, by_grain_.entry.data(), grain_.data(), shares_.data(),
      species, by_grain_.divide(cells, parts), nullptr, nullptr, nullptr, out };
    if (parts)
    {
      part_sums_.resize(parts, 1.1);
      part_species_.resize(parts * species, 1.1);
      part_fluctuation_.resize(parts, 1.1);
      sums.part_sums = part_sums_.data();
      sums.part_species = part_species_.data();
      sums.part_fluctuation = part_fluctuation_.data();
      exec_.forEach(parts, detail::SumGrainParts{ sums });
      exec_.forEach(cells, detail::JoinGrainParts{ sums });
      if (sums.fluctuates())
        exec_.forEach(parts, detail::SumFluctuationParts{ sums });
    }
    exec_.forEach(cells, sums);
    return sums;
  }

  /// Counts the pieces of the branches of m contacts and gets memory for them.
  void countPieces(const detail::ContactBranches& branches, std::size_t m, const Budget& budget)
  {
    by_contact_.counts.resize(m);
    exec_.forEach(m, detail::CountPieces{ branches, by_contact_.counts.data() });
    const std::uint64_t pieces = by_contact_.total(m);
    budget.require(pieces,
      30 + sizeof(TensorSum) * static_cast<double>(m) / static_cast<double>(pieces),
      " pieces of contacts in them,");
    by_contact_.reserve(m, pieces);
    part_.resize(pieces, 1.1);
    contact_.resize(pieces, 1.1);
  }

  /// Computes the contact stress from the counted pieces.
  void sumContactStress(const detail::ContactBranches& branches,
    const detail::ContactsOnDevice& touching, const detail::CellSums& sums)
  {
    const std::size_t m = touching.size;
    const std::uint32_t cells = branches.grid.cells();
    exec_.forEach(m,
      detail::EnterPieces{ branches, by_contact_.offsets.data(), by_contact_.keys.data(),
        by_contact_.entry.data(), contact_.data(), part_.data() });
    by_contact_.sort(cells);
    stress_.resize(m, 1.1);
    exec_.forEach(m,
      detail::PackContactStress{
        branches, touching.normal_force, touching.tangential_force, stress_.data() });
    std::size_t parts = 0;
    detail::SumContactStress stress{ sums, stress_.data(), by_contact_.entry.data(),
      contact_.data(), part_.data(), by_contact_.divide(cells, parts), nullptr };
    if (parts)
    {
      part_fluctuation_.resize(parts, 1.1);
      stress.part_sums = part_fluctuation_.data();
      exec_.forEach(parts, detail::SumContactParts{ stress });
    }
    exec_.forEach(cells, stress);
  }

  Exec exec_;
  Array<double, Exec> edges_[3];
  detail::GrainInput<Exec> grains_;
  detail::ContactInput<Exec> contacts_;
  detail::CellEntries<Exec> by_grain_, by_contact_;
  Array<double, Exec> shares_, part_;
  Array<std::uint32_t, Exec> contact_, grain_, contacts_of_;
  Array<detail::GrainSum, Exec> part_sums_;
  Array<TensorSum, Exec> part_fluctuation_, stress_;
  Array<double, Exec> part_species_;
  std::vector<detail::Output<double, Exec>> outputs_;
};

} // namespace dem
