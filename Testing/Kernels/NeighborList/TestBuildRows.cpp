// Rows that warps make (BuildRows.cuh), on the host: against plain loops over all pairs and over
// the old rows.
#include "Threads.h"

#include "BroadPhase/HierarchicalGrid.cuh"
#include "NeighborList/BuildLongRows.cuh"
#include "NeighborList/BuildRows.cuh"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>
#include <random>

using namespace dem;

namespace
{

struct Particles
{
  std::vector<Vec4<double>> position;
  std::vector<std::int64_t> id;

  std::uint32_t size() const { return static_cast<std::uint32_t>(position.size()); }
};

struct Blocks
{
  template <class Kernel>
  void forEachBlock(std::size_t blocks, const Kernel& kernel)
  {
    const auto shared = std::make_unique<typename Kernel::Shared>();
    emulated::run(static_cast<unsigned>(blocks), Kernel::kThreads, [&] {
      emulated::undefined(*shared);
      kernel(blockIdx.x, *shared);
    });
  }
};

// What is done of each particle beside its row.
struct Visit
{
  std::uint32_t n;
  int* visits;

  void operator()(std::uint32_t i) const { ++visits[i]; }
};

struct List
{
  std::vector<std::uint32_t> entries, start, count, group_counts;
  std::vector<std::uint64_t> group_rows;
  std::vector<std::uint8_t> flags;
  std::vector<float> history;

  ListView view()
  {
    ListView view{ entries.data(), start.data(), count.data(), nullptr, nullptr };
    if (!group_counts.empty())
      view.groups = { group_counts.data(), group_rows.data(),
        static_cast<std::uint32_t>(group_rows.size() / 2), flags.data() };
    return view;
  }
};

constexpr double kSkin = 0.1, kOffset = 1000.25;
constexpr std::uint32_t kUntouched = 0x1234567u;

/// All pairs but those of one body of `parts` parts, each with a chance to be left out; flags and
/// history at random.
List allPairs(const Particles& p, const PairTest& near, int parts, int columns, double kept,
  std::mt19937& random)
{
  List list;
  std::uniform_real_distribution<double> unit(0, 1);
  for (std::uint32_t i = 0; i < p.size(); ++i)
  {
    std::vector<std::uint32_t> row;
    for (std::uint32_t j = 0; j < p.size(); ++j)
      if (j != i && (parts == 1 || p.id[i] / parts != p.id[j] / parts) &&
        near(p.position[i], p.position[j]) && unit(random) < kept)
        row.push_back(j);
    std::sort(
      row.begin(), row.end(), [&](std::uint32_t a, std::uint32_t b) { return p.id[a] < p.id[b]; });
    list.start.push_back(static_cast<std::uint32_t>(list.entries.size()));
    list.count.push_back(static_cast<std::uint32_t>(row.size()));
    for (std::uint32_t j : row)
      list.entries.push_back(j | (p.id[j] < p.id[i] ? ListView::kLowerId : 0u));
  }
  for (std::size_t s = 0; s < list.entries.size(); ++s)
    list.flags.push_back(static_cast<std::uint8_t>(random() % 4 | random() % 32 << 3));
  for (std::size_t s = 0; s < columns * list.entries.size(); ++s)
    list.history.push_back(static_cast<float>(unit(random)));
  return list;
}

struct Bed
{
  double size[3], spacing;
  bool periodic = false;
  double smallest = 0.5; // of radii up to 0.5
  int large = 0;         // of eight times that, on a level of their own
  int far = 0;           // beside the grid
  std::int64_t first_id = 0, id_step = 1;
  int parts = 1;      // of a body, neighbours mostly
  double beyond = 0;  // from each side, where the grid does not reach
  int columns = 3;    // of what a contact remembers
  unsigned shift = 5; // of groups of particles that may be crowded
};

// Groups of particles.
struct Groups
{
  std::size_t once;    // whose contacts are in the list once, where that is asked for
  std::size_t crowded; // see FindCrowded
};

Groups check(const Bed& bed, std::uint32_t seed)
{
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(0, 1);
  Particles before;
  Periodic box{ { kOffset, kOffset, kOffset }, {} };
  int n[3];
  for (int k = 0; k < 3; ++k)
  {
    n[k] = static_cast<int>(bed.size[k] / bed.spacing);
    box.period[k] = bed.periodic ? bed.size[k] : 0;
  }
  const auto along = [&](int place, int k) {
    return kOffset + (place + 0.6 * unit(random)) * bed.size[k] / n[k];
  };
  for (int x = 0; x < n[0]; ++x)
    for (int y = 0; y < n[1]; ++y)
      for (int z = 0; z < n[2]; ++z)
        before.position.push_back({ along(x, 0), along(y, 1), along(z, 2),
          bed.smallest + (0.5 - bed.smallest) * unit(random) });
  for (int k = 0; k < bed.large; ++k)
    before.position.push_back({ kOffset + unit(random) * bed.size[0],
      kOffset + unit(random) * bed.size[1], kOffset + unit(random) * bed.size[2], 4. });
  for (int k = 0; k < bed.far; ++k)
    before.position.push_back({ kOffset - 100 * unit(random), kOffset + 3 * unit(random),
      kOffset + 50 * unit(random), 0.5 });
  for (std::uint32_t i = 0; i < before.size(); ++i)
    before.id.push_back(bed.first_id + i * bed.id_step);
  if (bed.parts == 1)
    std::shuffle(before.id.begin(), before.id.end(), random);
  else // whole bodies change places
    for (std::size_t i = 0; i + 2 * bed.parts <= before.id.size(); i += bed.parts)
    {
      const std::size_t other = i + bed.parts * (random() % ((before.id.size() - i) / bed.parts));
      for (int k = 0; k < bed.parts; ++k)
        std::swap(before.id[i + k], before.id[other + k]);
    }
  std::vector<std::uint32_t> body, first_part;
  if (bed.parts > 1)
    for (std::uint32_t i = 0; i < before.size(); ++i)
    {
      body.push_back(i / bed.parts);
      if (i % bed.parts == 0)
        first_part.push_back(i);
    }
  first_part.push_back(before.size());

  // sorted by cell; the large on a level of their own
  const double first = kOffset + bed.beyond, last = kOffset - bed.beyond;
  const Vec3d lower{ first, first, first },
    upper{ last + bed.size[0], last + bed.size[1], last + bed.size[2] };
  const Grid grid = chooseGrid(lower, upper, box, 1 + kSkin, 1e6, false, 2),
             coarse = chooseGrid(lower, upper, box, 8 + kSkin, 1e6, false);
  const GridLevel levels[2] = { { grid, 0.5, 0 }, { coarse, 4, grid.cells() } };
  const std::uint32_t cells = grid.cells() + (bed.large ? coarse.cells() : 0);
  const auto key = [&](const Vec4<double>& p) {
    return p.w > 1 ? grid.cells() + coarse.keyOf(p) : grid.keyOf(p);
  };
  std::vector<std::uint32_t> old_index(before.size());
  for (std::uint32_t i = 0; i < before.size(); ++i)
    old_index[i] = i;
  std::stable_sort(old_index.begin(), old_index.end(), [&](std::uint32_t a, std::uint32_t b) {
    return key(before.position[a]) < key(before.position[b]);
  });
  Particles now;
  std::vector<std::uint32_t> cell_start(cells + 1);
  for (std::uint32_t o : old_index)
  {
    now.position.push_back(before.position[o]);
    now.id.push_back(before.id[o]);
    ++cell_start[key(before.position[o]) + 1];
  }
  for (std::uint32_t c = 0; c < cells; ++c)
    cell_start[c + 1] += cell_start[c];

  const PairTest near{ box, kSkin };
  List old = allPairs(before, near, bed.parts, bed.columns, 0.85, random);
  const List wanted = allPairs(now, near, bed.parts, bed.columns, 1, random);
  std::vector<std::uint32_t> crowded((now.size() >> bed.shift) + 1);
  std::uint32_t crowded_groups = 0;
  for (std::uint32_t group = 0; group < crowded.size(); ++group)
    FindCrowded{ wanted.count.data(), now.size(), bed.shift, crowded.data(), &crowded_groups }(
      group);
  crowded.resize(crowded_groups);
  const CellContents contents{ now.position.data(), cell_start.data(), nullptr };
  const auto make = [&](List& from_list, const std::vector<std::uint32_t>& index, bool grouped) {
    const std::uint32_t first = grouped ? GroupedContacts::roomOf(now.size()) : 0;
    const std::size_t room = first + wanted.entries.size() + 10;
    List made;
    made.entries.resize(room);
    made.flags.resize(room);
    made.history.resize(bed.columns * room);
    made.start.resize(now.size());
    made.count.resize(now.size());
    if (grouped)
    {
      made.group_counts.assign((now.size() + 31) / 32 + 2, kUntouched);
      made.group_rows.assign(2 * now.size(), ~0ull);
    }
    unsigned long long taken = 0, candidates = 0;
    std::vector<std::uint32_t> found((now.size() >> bed.shift) + 1);
    std::uint32_t found_groups = 0;
    const NewRows rows{ made.entries.data(), made.start.data(), made.count.data(), &taken,
      static_cast<std::uint32_t>(room), now.id.data(), found.data(), &found_groups, bed.shift,
      { bed.parts > 1 ? body.data() : nullptr, first_part.data() }, made.view().groups, first,
      &candidates };
    const OldRows<float> from{ from_list.view(), index.data(),
      { from_list.flags.data(), { from_list.history.data(), from_list.flags.size() },
        made.flags.data(), { made.history.data(), room }, bed.columns } };
    std::vector<int> visits(now.size(), 0);
    const Visit also{ now.size(), visits.data() };
    Blocks blocks;
    if (bed.large)
    {
      const HierarchicalSearch search{ levels, 2, near, contents, levels[0] };
      const std::uint32_t* first = cell_start.data() + grid.cells();
      const std::uint32_t long_rows = now.size() - *first / 32 * 32;
      using Build = BuildRows<HierarchicalSearch, float, Visit>;
      blocks.forEachBlock(
        Build::blocks(now.size()), Build::make(search, rows, from, also, now.size(), first));
      blocks.forEachBlock(long_rows,
        CountLongRows<HierarchicalSearch, Visit>{ search, rows, also, first, now.size() });
      for (std::uint32_t group = 0; 32 * group < long_rows + 64;
           ++group) // as who launches them knows no more than a bound
        PlaceLongRows{ rows, first, now.size() }(group);
      blocks.forEachBlock(long_rows,
        FillLongRows<HierarchicalSearch, float>{ search, rows, from, first, now.size() });
    }
    else
    {
      using Build = BuildRows<GridSearch, float, Visit>;
      blocks.forEachBlock(Build::blocks(now.size()),
        Build::make(
          GridSearch{ grid, near, contents, 0.5 }, rows, from, also, now.size(), nullptr));
    }
    EXPECT_EQ(std::count(visits.begin(), visits.end(), 1), now.size());
    EXPECT_EQ(grouped ? candidates : taken, wanted.entries.size());
    found.resize(found_groups);
    std::sort(found.begin(), found.end()); // warps find theirs in any order
    EXPECT_EQ(found, crowded);
    for (int beyond = 0; grouped && beyond < 2; ++beyond)
    {
      EXPECT_EQ(made.group_counts.back(), kUntouched);
      made.group_counts.pop_back();
    }
    return made;
  };

  // each contact of `made` stands where it is wanted and remembers what it did in `was`
  const auto expectContacts = [&](List& made, List& was, const std::vector<std::uint32_t>& index) {
    const ListView list = made.view(), before_it = was.view();
    std::size_t kept = 0, shared = 0;
    std::vector<int> evaluated(made.flags.size(), 0);
    for (std::uint32_t i = 0; i < now.size(); ++i)
    {
      ASSERT_EQ(made.count[i], wanted.count[i]) << i;
      if (i % 32)
      {
        ASSERT_EQ(made.start[i], made.start[i - 1] + made.count[i - 1]) << i;
      }
      for (std::uint32_t s = 0; s < made.count[i]; ++s)
      {
        const auto [entry, contact] = list.at(i, made.start[i] + s);
        ASSERT_EQ(entry, wanted.entries[wanted.start[i] + s]) << i;
        const std::uint32_t j = entry & ListView::kIndex;
        if (!list.evaluates(i, entry))
        {
          std::uint32_t its = ~0u;
          for (std::uint32_t t = made.start[j]; t < made.start[j] + made.count[j]; ++t)
            if ((list.at(j, t).entry & ListView::kIndex) == i)
              its = list.at(j, t).contact;
          ASSERT_EQ(contact, its) << i << " " << j;
          ++shared;
          continue;
        }
        ++evaluated[contact];
        const std::uint32_t o = index[i], other = index[j];
        int flags = 0;
        for (std::uint32_t t = was.start[o]; t < was.start[o] + was.count[o]; ++t)
        {
          const auto [old_entry, old_contact] = before_it.at(o, t);
          if ((old_entry & ListView::kIndex) != other)
            continue;
          flags = was.flags[old_contact] & kContactFlags;
          kept += flags ? 1 : 0;
          for (int c = 0; flags && c < bed.columns; ++c)
            ASSERT_EQ(made.history[c * made.flags.size() + contact],
              was.history[c * was.flags.size() + old_contact]);
        }
        ASSERT_EQ(made.flags[contact], flags | (i % 32) << 3) << i;
      }
    }
    EXPECT_LE(*std::max_element(evaluated.begin(), evaluated.end()),
      1); // nobody shares a place with another
    if (wanted.entries.size() > 100)
    {
      EXPECT_GT(kept, (wanted.entries.size() - shared) / 2);
    }
    if (made.group_counts.empty())
    {
      EXPECT_EQ(shared, 0u);
    }
  };

  std::vector<std::uint32_t> same(now.size());
  std::iota(same.begin(), same.end(), 0u);
  List rows = make(old, old_index, false), groups = make(old, old_index, true);
  expectContacts(rows, old, old_index);
  expectContacts(groups, old, old_index);
  for (const bool grouped : { false, true })
  {
    List again = make(groups, same, grouped);
    expectContacts(again, groups, same);
  }
  const auto once = std::count_if(groups.group_counts.begin(), groups.group_counts.end(),
    [](std::uint32_t counts) { return counts != GroupedContacts::kAsTheyAre; });
  return { static_cast<std::size_t>(once), crowded.size() };
}

} // namespace

TEST(BuildRows, DenseBed)
{
  EXPECT_GT(check({ { 14, 13, 12 }, 0.96 }, 1).once, 40u); // of 68 groups
}

TEST(BuildRows, TallColumn) { EXPECT_GT(check({ { 5, 9, 40 }, 0.96 }, 2).once, 30u); }

TEST(BuildRows, PeriodicBoxes)
{
  check({ { 9, 10, 16 }, 0.96, true }, 3);
  check({ { 4, 5, 6 }, 0.96, true }, 4);
}

TEST(BuildRows, FewParticles)
{
  check({ { 14, 13, 12 }, 2.2 }, 5);
  check({ { 1, 1, 1 }, 0.9 }, 6);
}

TEST(BuildRows, UnequalSpheres)
{
  EXPECT_GT(check({ { 14, 13, 12 }, 0.9, false, 0.25 }, 7).once, 40u);
}

TEST(BuildRows, OutsideOfTheGrid) { check({ { 10, 10, 10 }, 0.96, false, 0.5, 0, 40 }, 8); }

TEST(BuildRows, LongRows) { EXPECT_EQ(check({ { 7, 7, 7 }, 0.6 }, 9).once, 0u); }

TEST(BuildRows, CrowdedGroups)
{
  for (const unsigned shift : { 3u, 4u, 5u })
  {
    Bed bed{ { 5, 5, 6 }, 0.48 };
    bed.shift = shift;
    EXPECT_GT(check(bed, 18).crowded, 0u);
    bed = { { 14, 13, 12 }, 0.96, false, 0.5,
      40 }; // rows that are long for those who make them, too
    bed.shift = shift;
    EXPECT_GT(check(bed, 19).crowded, 0u);
  }
}

TEST(BuildRows, IdsFarFromZeroAndFarApart)
{
  check({ { 9, 9, 9 }, 0.96, false, 0.5, 0, 0, 10000000000, 1 }, 10);
  check({ { 9, 9, 9 }, 0.96, false, 0.5, 0, 0, -7, 3000000000 }, 11);
}

TEST(BuildRows, AnyHistory)
{
  for (const int columns : { 0, 1, 7 })
    check({ { 9, 10, 11 }, 0.96, false, 0.5, 0, 0, 0, 1, 1, 0, columns }, 13);
}

TEST(BuildRows, LargeAmongSmall) { check({ { 14, 13, 12 }, 0.96, false, 0.5, 40 }, 12); }

TEST(BuildRows, LargeAmongSmallOutsideOfTheGrid)
{
  Bed bed{ { 14, 13, 12 }, 0.96, false, 0.5, 40 };
  bed.beyond = 4;
  check(bed, 17);
}

TEST(BuildRows, PartsOfBodies)
{
  check({ { 10, 9, 8 }, 0.96, false, 0.25, 0, 0, 0, 1, 3 }, 13);
  check({ { 7, 7, 7 }, 0.6, false, 0.5, 0, 0, 0, 1, 2 }, 14); // long rows
  check({ { 9, 10, 16 }, 0.96, true, 0.5, 0, 0, 0, 1, 64 }, 15);
  check({ { 10, 9, 8 }, 0.96, false, 0.5, 40, 0, 0, 1, 3 }, 16);
}
