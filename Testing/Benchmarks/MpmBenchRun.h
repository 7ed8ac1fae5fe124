// A run of paragrain-bench-mpm: its options, device and results.
#pragma once

#include "Core/Device.h"
#include "MaterialPoint/MpmTransfers.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace bench
{

using namespace mpm;
using nlohmann::json;

struct Options
{
  std::vector<std::string> cases;
  std::size_t particles = 0;
  int cells = 128, repeat = 0, threads = 0;
  dem::DeviceKind device = dem::DeviceKind::Auto;
  std::string spline, precision = "single", transfer = "apic", material = "fixed-corotated",
                      json_file;
  bool any_order = false;
  double jitter = 0.5, per_cell = 4;
  TransferOptions methods; // of the case transfer
  TransferPoints arrangement = TransferPoints::Cube;
  std::vector<std::string> given; // the options that were named
  bool has(const std::string& option) const;
};

struct Run
{
  Options options;
  dem::Device device;
  json results = json::array();

  bool cuda() const { return device.kind == dem::DeviceKind::CUDA; }
  /// The number of repetitions: as given, or by the device.
  int repeat(int on_cuda, int on_cpu) const;
  /// Adds a result and prints its text.
  void row(json r, const std::string& text);
};

/// While one lives, profilers show the kernels that start under this name (an NVTX range). Nothing
/// without NVTX.
class ProfiledAs
{
public:
  explicit ProfiledAs(const std::string& name);
  ~ProfiledAs();
  ProfiledAs(const ProfiledAs&) = delete;
  ProfiledAs& operator=(const ProfiledAs&) = delete;
};

/// A text as by printf, of at most 399 characters.
std::string format(const char* f, ...) __attribute__((format(printf, 1, 2)));

} // namespace bench
