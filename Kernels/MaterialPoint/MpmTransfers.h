// The transfers of Meyer 2019 one by one, on a dense grid, for comparison and timing: how points
// are sorted, how they add to nodes and read from them. The solver uses the transfers of Tiles.cuh
// and SeenField.cuh.
#pragma once

#include "Core/Device.h"
#include "MaterialPoint/MpmScene.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace mpm
{

enum class SortMethod
{
  None,  ///< points keep their order in memory
  Index, ///< an index in the order of the bins (Meyer 2019, 5.3)
  Deep   ///< all columns of the points are moved into the order of the bins
};

enum class ToGridMethod
{
  Global,        ///< a point a thread, 64 (27) atomic additions each (Meyer 2019, 5.4.2)
  GlobalSupport, ///< a point and a node a thread ([Mey15] there)
  WarpSums,     ///< a point a thread, sums of neighbouring points of a bin in the warp, then atomic
                ///< additions (Gao et al. 2018)
  Pull,         ///< a node a thread, which reads the points of its bins through shared memory
  SharedAtomic, ///< a bin a thread, atomic additions to a tile in shared memory
  Sync          ///< a bin a thread, one node of the support after the other between barriers
};

enum class ToPointsMethod
{
  Global, ///< a point a thread, which reads its nodes
  Shared  ///< a bin a thread, which reads from a tile in shared memory
};

struct TransferOptions
{
  SortMethod sort = SortMethod::Deep;
  ToGridMethod to_grid = ToGridMethod::Sync;
  ToPointsMethod to_points = ToPointsMethod::Global;
  int batching =
    1; ///< points that a thread processes at once, 1, 2 or 4; SharedAtomic and Sync only
  bool active_blocks = true; ///< launch only blocks that hold or see points (Meyer 2019, 5.4.3)
  bool wide_blocks = true;   ///< blocks of 8 x 4 x 4 bins, else 4 x 4 x 4
  bool affine = false;       ///< APIC, else PIC
  int map_points = 1;        ///< points that a thread of a map processes, 1 or 4
};

enum class TransferPoints
{
  Random, ///< anywhere in the grid
  Cube    ///< a rotated cube of equal spacing, in random order
};

struct TransferCase
{
  std::size_t points = 1000000;
  int cells = 128; ///< along each axis
  TransferPoints arrangement = TransferPoints::Random;
  double per_cell = 4; ///< Cube
  std::uint64_t seed = 1;
  Spline spline = Spline::Cubic;
  Precision precision = Precision::Single;
};

enum class TransferStage
{
  Bin,      ///< count the points of each bin
  Scan,     ///< compute the starts of the bins
  Reorder,  ///< make the index, or move 8 columns of four numbers
  Filter,   ///< list active blocks and their fullest bins
  ToGrid,   ///< clear the grid and add the points to it
  ToPoints, ///< divide by mass and read from the grid
  MapSoA1,  ///< length(velocity), separate columns (Meyer 2019, table 5)
  MapAoS1,  ///< the same, place and velocity side by side
  MapSoA2,  ///< length(velocity) and length(place) (table 6)
  MapAoS2,
  ReduceLength,  ///< sum of lengths (tables 3 and 7), in a fixed order
  ReduceLibrary, ///< the same by the library: CUB, Thrust
  ScanIntegers,  ///< prefix sums of four integers for each point, by the library (Meyer 2019, table
                 ///< 8)
  CopyIntegers,  ///< a copy of the integers, for comparison
  // by hand, one dispatch each (BenchScans.cuh)
  ReduceInterleaved, ///< neighbours add: bank conflicts
  ReduceSequential,  ///< halves add
  ReduceSequential2, ///< the same after 2 or 128 additions in each thread
  ReduceSequential128,
  ScanConflicts, ///< within segments of 1024 integers
  ScanPadded,    ///< the same without most bank conflicts
  ScanPadded2,   ///< segments of 2048 or 4096, 2 or 4 integers in each thread
  ScanPadded4
};

/// Totals of points or nodes.
struct TransferTotals
{
  double mass = 0;
  Vec3d momentum{}, angular{}; ///< about the grid's origin
};

class TransferBench
{
public:
  class Body;

  TransferBench(const dem::Device& device, const TransferCase& what);
  ~TransferBench();

  /// Throws dem::Error if two options do not go together, and names both.
  void choose(const TransferOptions& options);
  /// Runs the stages Bin, Scan, Reorder and Filter as the options require.
  void prepare();
  /// Runs a stage `times` times and returns its mean time in seconds, measured on the device.
  double run(TransferStage stage, int times = 1);

  TransferTotals ofPoints() const;
  TransferTotals ofGrid() const;
  /// Momentum and mass of every node, x fastest: 4 numbers each.
  std::vector<double> grid() const;
  /// Velocity of every point in the order of the start: 3 numbers each.
  std::vector<double> velocities() const;
  /// Whether bins ascend in the present order of the points.
  bool sorted() const;
  double reduced() const; ///< result of the last reduction
  /// Results of the last map, one a point: length(velocity) (0) or length(place) (1).
  std::vector<double> mapped(int which) const;
  std::vector<std::uint32_t> scanned() const; ///< result of the last scan, of 0, 1, 2, 0, 1, 2, ...

private:
  std::unique_ptr<Body> body_;
};

const char* name(SortMethod);
const char* name(ToGridMethod);
const char* name(ToPointsMethod);

} // namespace mpm
