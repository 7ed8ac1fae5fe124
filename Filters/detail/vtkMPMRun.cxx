#include "vtkMPMRun.h"

#include "Solver/Simulation.h"
#include "detail/vtkDEMSceneChanges.h"

#include <cstring>
#include <vector>

namespace
{

//------------------------------------------------------------------------------
// NaN equals NaN here: a bad input that ran again is still the same bad input.
template <class T>
bool SameBytes(const std::vector<T>& a, const std::vector<T>& b)
{
  return a.size() == b.size() &&
    (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

//------------------------------------------------------------------------------
bool Same(const mpm::PointInput& a, const mpm::PointInput& b)
{
  return SameBytes(a.position, b.position) && SameBytes(a.velocity, b.velocity) &&
    SameBytes(a.mass, b.mass) && SameBytes(a.volume, b.volume) &&
    SameBytes(a.material, b.material) && SameBytes(a.id, b.id) &&
    SameBytes(a.deformation, b.deformation);
}

//------------------------------------------------------------------------------
bool Same(const mpm::Material& a, const mpm::Material& b)
{
  return a.kind == b.kind && a.density == b.density && a.youngs_modulus == b.youngs_modulus &&
    a.poissons_ratio == b.poissons_ratio && a.friction_angle == b.friction_angle && a.sand_yield == b.sand_yield &&
    a.cohesion == b.cohesion && a.grain_diameter == b.grain_diameter &&
    a.fast_friction_angle == b.fast_friction_angle && a.inertial_number == b.inertial_number &&
    a.yield_stress == b.yield_stress &&
    a.hardening_modulus == b.hardening_modulus && a.bulk_modulus == b.bulk_modulus &&
    a.gamma == b.gamma && a.viscosity == b.viscosity;
}

//------------------------------------------------------------------------------
bool Same(const mpm::WallContact& a, const mpm::WallContact& b)
{
  return a.kind == b.kind && a.friction == b.friction;
}

//------------------------------------------------------------------------------
template <class T, class SameT>
bool SameList(const std::vector<T>& a, const std::vector<T>& b, const SameT& same)
{
  if (a.size() != b.size())
  {
    return false;
  }
  for (std::size_t i = 0; i < a.size(); ++i)
  {
    if (!same(a[i], b[i]))
    {
      return false;
    }
  }
  return true;
}

//------------------------------------------------------------------------------
// But for the end, which may move under way.
bool Same(const mpm::Scene& a, const mpm::Scene& b)
{
  const auto& i = a.implicit;
  const auto& j = b.implicit;
  return Same(a.points, b.points) &&
    SameList(a.materials, b.materials,
      [](const mpm::Material& x, const mpm::Material& y) { return Same(x, y); }) &&
    SameList(a.walls, b.walls, &vtkDEMSceneChanges::SameWall) &&
    SameList(a.wall_contacts, b.wall_contacts,
      [](const mpm::WallContact& x, const mpm::WallContact& y) { return Same(x, y); }) &&
    a.domain.lower == b.domain.lower && a.domain.upper == b.domain.upper &&
    a.domain.border == b.domain.border && a.domain.friction == b.domain.friction &&
    a.grid_spacing == b.grid_spacing && a.spline == b.spline && a.transfer == b.transfer &&
    a.flip_fraction == b.flip_fraction && a.precision == b.precision &&
    a.integration == b.integration && i.newton_tolerance == j.newton_tolerance &&
    i.newton_most == j.newton_most && i.cg_tolerance == j.cg_tolerance && i.cg_most == j.cg_most &&
    a.equal_bits == b.equal_bits && a.gravity == b.gravity &&
    a.time_step == b.time_step && a.cfl == b.cfl && a.output_interval == b.output_interval &&
    a.memory_limit == b.memory_limit;
}

} // namespace

//------------------------------------------------------------------------------
vtkMPMRun::vtkMPMRun() = default;

//------------------------------------------------------------------------------
vtkMPMRun::~vtkMPMRun() = default;

//------------------------------------------------------------------------------
void vtkMPMRun::SetScene(mpm::Scene&& scene, const Options& options)
{
  if (this->SceneIsSet && !Same(this->Scene, scene))
  {
    this->Forget();
  }
  if (this->Timeline && scene.end_time != this->Scene.end_time)
  {
    this->Timeline->setEnd(scene.end_time);
  }
  this->Scene = std::move(scene);
  this->SceneIsSet = true;
  this->SetOptions(options);
}

//------------------------------------------------------------------------------
void vtkMPMRun::SetOptions(const Options& options)
{
  this->TakeOptions(options);
  if (this->Timeline && !(options.Selection == this->Current.Selection))
  {
    this->Timeline->select(options.Selection);
  }
  this->Current = options;
}

//------------------------------------------------------------------------------
std::unique_ptr<mpm::Timeline> vtkMPMRun::MakeTimeline()
{
  mpm::TimelineOptions options;
  this->FillOptions(options);
  options.selection = this->Current.Selection;
  return std::make_unique<mpm::Timeline>(this->Scene, options);
}

//------------------------------------------------------------------------------
vtkMPMRun::BytesT vtkMPMRun::ReadState(const std::string& fileName)
{
  return dem::readSnapshotFile(fileName);
}

//------------------------------------------------------------------------------
void vtkMPMRun::WriteState(const std::string& fileName, const BytesT& bytes)
{
  dem::writeSnapshotFile(fileName, bytes);
}
