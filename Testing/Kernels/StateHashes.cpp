// paragrain-state-hashes [cpu|cuda]: a line for each of many short runs, with a hash of its saved
// state, of a run restored from it, and of its frame. Two builds that compute the same bits on one
// machine print the same lines: run it before and after a change that only moves code.
#include "BusyScene.h"
#include "MpmSupport.h"
#include "Scene/File/SceneFile.h"

#include <cstdio>
#include <functional>

namespace
{

class Hash
{
public:
  void add(const void* data, std::size_t bytes)
  {
    const auto* p = static_cast<const unsigned char*>(data);
    for (std::size_t k = 0; k < bytes; ++k)
    {
      value_ = (value_ ^ p[k]) * 1099511628211ull; // FNV-1a
    }
  }
  template <class Array>
  void addArray(const Array& array)
  {
    add(array.data(), array.size() * sizeof(*array.data()));
  }
  std::uint64_t value() const { return value_; }

private:
  std::uint64_t value_ = 14695981039346656037ull;
};

std::uint64_t hashOf(const dem::Frame& f)
{
  Hash h;
  h.addArray(f.position);
  h.addArray(f.velocity);
  h.addArray(f.orientation);
  h.addArray(f.force);
  h.addArray(f.torque);
  h.addArray(f.stress);
  h.addArray(f.coordination_number);
  h.addArray(f.contacts.ids);
  h.addArray(f.contacts.normal_force);
  h.addArray(f.contacts.tangential_force);
  h.addArray(f.contacts.overlap);
  h.addArray(f.contacts.age);
  for (const dem::WallFrame& wall : f.walls)
  {
    h.addArray(wall.pressure);
    h.addArray(wall.force);
    h.addArray(wall.points);
  }
  const dem::Statistics& s = f.statistics;
  for (double x : { s.kinetic_energy, s.potential_energy, s.dissipated_energy, s.stiffness_work,
         s.wall_work, s.removed_energy, s.energy_error, s.largest_overlap })
  {
    h.add(&x, sizeof x);
  }
  return h.value();
}

class Runs
{
public:
  explicit Runs(dem::RunOptions options)
    : options_(options)
  {
  }

  void run(const std::string& name, const dem::Scene& scene, std::uint64_t steps)
  {
    try
    {
      dem::Simulation sim(scene, options_);
      sim.advanceTo(steps / 2);
      const dem::SnapshotBytes half = sim.save();
      sim.advanceTo(steps);
      const std::uint64_t whole = hash(sim.save());
      dem::Simulation other(scene, options_);
      other.restore(half);
      other.advanceTo(steps);
      std::printf("%-52s %016llx %016llx %016llx %016llx\n", name.c_str(), print(hash(half)),
        print(whole), print(hash(other.save())), print(hashOf(sim.frame())));
    }
    catch (const std::exception& e)
    {
      std::printf("%-52s %s\n", name.c_str(), e.what());
    }
    std::fflush(stdout);
  }

  void run(const std::string& name, const mpm::Scene& scene, std::uint64_t steps)
  {
    mpm::Simulation sim(scene, { options_.device, options_.threads });
    sim.advanceTo(steps);
    std::printf("%-52s %016llx\n", name.c_str(), print(hash(sim.save())));
  }

private:
  static std::uint64_t hash(const dem::SnapshotBytes& bytes)
  {
    Hash h;
    h.addArray(bytes);
    return h.value();
  }
  static unsigned long long print(std::uint64_t value) { return value; }

  dem::RunOptions options_;
};

using Change = std::function<void(dem::Scene&)>;

// Laws, integrators, searches and lists, each with the busy scene in both precisions.
std::vector<std::pair<std::string, Change>> changes()
{
  using namespace dem;
  std::vector<std::pair<std::string, Change>> all;
  const auto add = [&](const std::string& name, const Change& change) {
    all.emplace_back(name, change);
  };
  add("EPSD", [](Scene&) {});
  add("CDT", [](Scene& s) { s.contact.rolling = RollingModel::CDT; });
  add("plain", [](Scene& s) { s.contact.rolling = RollingModel::None; });
  add("no history", [](Scene& s) {
    s.contact.rolling = RollingModel::None;
    s.contact.tangential_history = false;
  });
  add("linear", [](Scene& s) {
    s.contact.law = NormalLaw::LinearSpringDashpot;
    s.contact.collision_time = 3e-4;
  });
  add("elastic limit, equal damping, clamped", [](Scene& s) {
    s.contact.friction_limit = FrictionLimit::Elastic;
    s.contact.tangential_damping = TangentialDamping::EqualToNormal;
    s.contact.clamp_normal_force = true;
  });
  add("statistics", [](Scene& s) { s.contact_statistics = true; });
  add("averages, events", [](Scene& s) {
    s.averages.enabled = true;
    s.events = { { 0.003, "Gravity", { 0, 1, -9 } }, { 0.004, "Friction", { 0.1 } },
      { 0.005, "WallRate", { 1, 3 } } };
  });
  for (int k = 1; k < 3; ++k)
  {
    add(kIntegratorNames[k], [k](Scene& s) { s.integrator = static_cast<IntegratorKind>(k); });
  }
  for (int k = 1; k < 7; ++k)
  {
    add(
      kBroadPhaseNames[k], [k](Scene& s) { s.broad_phase.kind = static_cast<BroadPhaseKind>(k); });
  }
  add("tiles, uniform grid of triangles, sorted every 50 steps", [](Scene& s) {
    s.broad_phase.kind = BroadPhaseKind::SortedGrid;
    s.broad_phase.cell_order = CellOrder::Tiles;
    s.broad_phase.triangles = TriangleSearchKind::UniformGrid;
    s.broad_phase.sort = SortKind::EverySteps;
    s.broad_phase.sort_steps = 50;
  });
  add("half search", [](Scene& s) {
    s.broad_phase.kind = BroadPhaseKind::SortedGrid;
    s.broad_phase.half_search = true;
  });
  for (int k = 1; k < 6; ++k)
  {
    for (int t = 0; t < (k == 4 ? 1 : 3); ++t)
    {
      add(std::string(kNeighborListNames[k]) + ", " + kThreadPerNames[t], [k, t](Scene& s) {
        s.neighbor_list.kind = static_cast<NeighborListKind>(k);
        s.neighbor_list.thread_per = static_cast<ThreadPer>(t);
        s.broad_phase.kind = BroadPhaseKind::SortedGrid;
      });
    }
  }
  return all;
}

void runAll(Runs& runs)
{
  for (const auto& [name, change] : changes())
  {
    for (const dem::Precision precision : { dem::Precision::Mixed, dem::Precision::Double })
    {
      dem::Scene scene = test::busyScene();
      scene.precision = precision;
      change(scene);
      runs.run(name + (precision == dem::Precision::Mixed ? ", mixed" : ", double"), scene, 1000);
    }
  }
  for (const char* name : { "avalanche", "brick_heap", "clump_hopper", "hopper_discharge",
         "rotating_drum", "tablet_coater" })
  {
    dem::Scene scene =
      dem::readSceneFile(std::string(PARAGRAIN_DATA_DIR) + "/Cases/" + name + ".dem");
    scene.particles.velocity.assign(scene.particles.size(), { 0.2, 0.1, -0.5 });
    runs.run(name, scene, 400);
  }
  mpm::Scene solid = test::softScene();
  solid.points = mpm::fillBox({ 0.3, 0.3, 0.1 }, { 0.6, 0.6, 0.4 }, solid.grid_spacing, 2, 1, 7);
  solid.gravity = { 0, 0, -9.81 };
  runs.run("solid", solid, 500);
}

} // namespace

int main(int arguments, char** argument)
{
  const bool cuda = arguments > 1 && std::string(argument[1]) == "cuda";
  Runs runs({ cuda ? dem::DeviceKind::CUDA : dem::DeviceKind::CPU, 2 });
  runAll(runs);
}
