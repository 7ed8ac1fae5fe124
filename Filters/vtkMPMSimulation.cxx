#include "vtkMPMSimulation.h"

#include "Bridge/vtkDEMArrays.h"
#include "Bridge/vtkDEMMaterialTable.h"
#include "Bridge/vtkDEMWallInput.h"
#include "Bridge/vtkMPMBodyInput.h"
#include "Bridge/vtkMPMFrameOutput.h"
#include "Core/Error.h"
#include "MaterialPoint/MpmScene.h"
#include "detail/vtkDEMChoice.h"
#include "detail/vtkMPMRun.h"

#include "vtkMPMMaterial.h"

#include "vtkDataArraySelection.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkMultiBlockDataSet.h"
#include "vtkMultiProcessController.h"
#include "vtkNew.h"
#include "vtkObjectFactory.h"
#include "vtkPolyData.h"
#include "vtkTable.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

using vtkDEMChoice::Choice;

//------------------------------------------------------------------------------
class vtkMPMSimulation::vtkInternals
{
public:
  vtkMPMRun Run;
  vtkMPMFrameOutput Output;
  vtkNew<vtkDataArraySelection> PointArrays;
  vtkNew<vtkDataArraySelection> GridArrays;
  mpm::Scene Read; // by ReadInputs
  std::vector<std::string> MaterialNames;

  mpm::FrameSelection Selection() const
  {
    vtkDataArraySelection* arrays = this->PointArrays;
    mpm::FrameSelection s;
    s.velocity = arrays->ArrayIsEnabled("Velocity");
    s.mass = arrays->ArrayIsEnabled("Mass");
    s.volume = arrays->ArrayIsEnabled("Volume");
    s.jacobian = arrays->ArrayIsEnabled("J");
    s.deformation = arrays->ArrayIsEnabled("DeformationGradient");
    s.stress = arrays->ArrayIsEnabled("Stress");
    s.von_mises = arrays->ArrayIsEnabled("VonMises");
    s.plastic_strain = arrays->ArrayIsEnabled("PlasticStrain");
    s.material = arrays->ArrayIsEnabled("Material");
    s.grid = this->GridArrays->GetNumberOfArraysEnabled() > 0;
    return s;
  }
};

//------------------------------------------------------------------------------
vtkStandardNewMacro(vtkMPMSimulation);

//------------------------------------------------------------------------------
vtkMPMSimulation::vtkMPMSimulation()
  : Internals(new vtkInternals)
{
  this->SetNumberOfInputPorts(NUMBER_OF_INPUT_PORTS);
  this->SetNumberOfOutputPorts(NUMBER_OF_OUTPUT_PORTS);
  for (const char* name : { "Velocity", "Mass", "Volume", "J", "DeformationGradient", "Stress",
         "VonMises", "PlasticStrain", "Material" })
  {
    this->Internals->PointArrays->AddArray(name);
  }
  for (const char* name : { "Mass", "Velocity", "Pressure" })
  {
    this->Internals->GridArrays->AddArray(name);
  }
}

//------------------------------------------------------------------------------
vtkMPMSimulation::~vtkMPMSimulation() = default;

// clang-format off
//------------------------------------------------------------------------------
#define vtkMPMSimulationSetMacro(name, type)                                                       \
  void vtkMPMSimulation::Set##name(type value)                                                     \
  {                                                                                                \
    if (this->name != value)                                                                       \
    {                                                                                              \
      this->name = value;                                                                          \
      this->SceneModified();                                                                       \
    }                                                                                              \
  }                                                                                                \
  static_assert(true, "ends with a semicolon")

vtkMPMSimulationSetMacro(TimeStep, double);
vtkMPMSimulationSetMacro(EndTime, double);
vtkMPMSimulationSetMacro(OutputInterval, double);
vtkMPMSimulationSetMacro(CourantNumber, double);
vtkMPMSimulationSetMacro(FillSurfaces, bool);
vtkMPMSimulationSetMacro(PointsPerAxis, int);
vtkMPMSimulationSetMacro(Jitter, double);
vtkMPMSimulationSetMacro(Seed, int);
vtkMPMSimulationSetMacro(GridSpacing, double);
vtkMPMSimulationSetMacro(WallContact, int);
vtkMPMSimulationSetMacro(WallFriction, double);
vtkMPMSimulationSetMacro(AutomaticDomain, bool);
vtkMPMSimulationSetMacro(BorderXLower, int);
vtkMPMSimulationSetMacro(BorderXUpper, int);
vtkMPMSimulationSetMacro(BorderYLower, int);
vtkMPMSimulationSetMacro(BorderYUpper, int);
vtkMPMSimulationSetMacro(BorderZLower, int);
vtkMPMSimulationSetMacro(BorderZUpper, int);
vtkMPMSimulationSetMacro(BorderFriction, double);
vtkMPMSimulationSetMacro(Transfer, int);
vtkMPMSimulationSetMacro(FlipFraction, double);
vtkMPMSimulationSetMacro(Kernel, int);
vtkMPMSimulationSetMacro(Integrator, int);
vtkMPMSimulationSetMacro(NewtonTolerance, double);
vtkMPMSimulationSetMacro(NewtonIterations, int);
vtkMPMSimulationSetMacro(LinearTolerance, double);
vtkMPMSimulationSetMacro(LinearIterations, int);
vtkMPMSimulationSetMacro(Precision, int);
vtkMPMSimulationSetMacro(EqualBits, bool);
vtkMPMSimulationSetMacro(MemoryLimit, int);

#undef vtkMPMSimulationSetMacro
// clang-format on

//------------------------------------------------------------------------------
void vtkMPMSimulation::SetGravity(double x, double y, double z)
{
  const double gravity[3] = { x, y, z };
  if (!std::equal(gravity, gravity + 3, this->Gravity))
  {
    std::copy(gravity, gravity + 3, this->Gravity);
    this->SceneModified();
  }
}

//------------------------------------------------------------------------------
void vtkMPMSimulation::SetDomain(
  double xMin, double xMax, double yMin, double yMax, double zMin, double zMax)
{
  const double domain[6] = { xMin, xMax, yMin, yMax, zMin, zMax };
  if (!std::equal(domain, domain + 6, this->Domain))
  {
    std::copy(domain, domain + 6, this->Domain);
    this->SceneModified();
  }
}

//------------------------------------------------------------------------------
void vtkMPMSimulation::SetMaterialModel(vtkMPMMaterial* model)
{
  if (this->MaterialModel != model)
  {
    this->MaterialModel = model;
    this->SceneModified();
  }
}

//------------------------------------------------------------------------------
vtkMPMMaterial* vtkMPMSimulation::GetMaterialModel() { return this->MaterialModel; }

//------------------------------------------------------------------------------
int vtkMPMSimulation::GetNumberOfPointArrays()
{
  return this->Internals->PointArrays->GetNumberOfArrays();
}

//------------------------------------------------------------------------------
const char* vtkMPMSimulation::GetPointArrayName(int index)
{
  return this->Internals->PointArrays->GetArrayName(index);
}

//------------------------------------------------------------------------------
int vtkMPMSimulation::GetPointArrayStatus(const char* name)
{
  return this->Internals->PointArrays->ArrayIsEnabled(name);
}

//------------------------------------------------------------------------------
void vtkMPMSimulation::SetPointArrayStatus(const char* name, int status)
{
  vtkDataArraySelection* arrays = this->Internals->PointArrays;
  if (arrays->ArrayExists(name) && arrays->ArrayIsEnabled(name) != (status != 0))
  {
    arrays->SetArraySetting(name, status);
    this->Modified();
  }
}

//------------------------------------------------------------------------------
int vtkMPMSimulation::GetNumberOfGridArrays()
{
  return this->Internals->GridArrays->GetNumberOfArrays();
}

//------------------------------------------------------------------------------
const char* vtkMPMSimulation::GetGridArrayName(int index)
{
  return this->Internals->GridArrays->GetArrayName(index);
}

//------------------------------------------------------------------------------
int vtkMPMSimulation::GetGridArrayStatus(const char* name)
{
  return this->Internals->GridArrays->ArrayIsEnabled(name);
}

//------------------------------------------------------------------------------
void vtkMPMSimulation::SetGridArrayStatus(const char* name, int status)
{
  vtkDataArraySelection* arrays = this->Internals->GridArrays;
  if (arrays->ArrayExists(name) && arrays->ArrayIsEnabled(name) != (status != 0))
  {
    arrays->SetArraySetting(name, status);
    this->Modified();
  }
}

//------------------------------------------------------------------------------
void vtkMPMSimulation::RemoveAllParticleInputs()
{
  this->RemoveAllInputConnections(INPUT_PARTICLES);
}

//------------------------------------------------------------------------------
void vtkMPMSimulation::RemoveAllWallInputs() { this->RemoveAllInputConnections(INPUT_WALLS); }

//------------------------------------------------------------------------------
vtkMTimeType vtkMPMSimulation::GetMTime()
{
  return std::max(
    this->Superclass::GetMTime(), this->MaterialModel ? this->MaterialModel->GetMTime() : 0);
}

//------------------------------------------------------------------------------
vtkMTimeType vtkMPMSimulation::GetSceneMTime(vtkInformationVector** inputVector)
{
  vtkMTimeType time = this->Superclass::GetSceneMTime(inputVector);
  time = std::max(time, this->MaterialModel ? this->MaterialModel->GetMTime() : 0);
  return std::max(time, GetInputMTime(inputVector, this->GetNumberOfInputPorts()));
}

//------------------------------------------------------------------------------
vtkDEMAnyRun& vtkMPMSimulation::GetRun() { return this->Internals->Run; }

//------------------------------------------------------------------------------
std::string vtkMPMSimulation::GetProgressName() { return "MPM"; }

//------------------------------------------------------------------------------
void vtkMPMSimulation::ReadTimes(double& endTime, double& outputInterval)
{
  endTime = this->EndTime;
  outputInterval = this->OutputInterval;
}

//------------------------------------------------------------------------------
int vtkMPMSimulation::FillInputPortInformation(int port, vtkInformation* info)
{
  switch (port)
  {
    case INPUT_PARTICLES:
      vtkDEMArrays::RequireBlocksOf(info, "vtkPointSet");
      info->Set(vtkAlgorithm::INPUT_IS_REPEATABLE(), 1);
      return 1;
    case INPUT_WALLS:
      vtkDEMArrays::RequireBlocksOf(info, "vtkPolyData");
      info->Set(vtkAlgorithm::INPUT_IS_REPEATABLE(), 1);
      info->Set(vtkAlgorithm::INPUT_IS_OPTIONAL(), 1);
      return 1;
    case INPUT_MATERIALS:
      info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkTable");
      info->Set(vtkAlgorithm::INPUT_IS_OPTIONAL(), 1);
      return 1;
    default:
      return 0;
  }
}

//------------------------------------------------------------------------------
int vtkMPMSimulation::FillOutputPortInformation(int port, vtkInformation* info)
{
  constexpr const char* types[NUMBER_OF_OUTPUT_PORTS] = { "vtkPolyData", "vtkMultiBlockDataSet",
    "vtkPolyData", "vtkTable" };
  info->Set(vtkDataObject::DATA_TYPE_NAME(), types[port]);
  return 1;
}

//------------------------------------------------------------------------------
void vtkMPMSimulation::ReadInputs(vtkInformationVector** inputVector)
{
  auto* controller = vtkDEMArrays::GetParallelController();
  const bool root = !controller || controller->GetLocalProcessId() == 0;
  vtkInternals& internals = *this->Internals;
  mpm::Scene& scene = internals.Read;
  scene = mpm::Scene();

  // What meets the other ranks may not be left out because of what was wrong before.
  std::string error;
  const auto attempt = [&error](const auto& work)
  {
    try
    {
      work();
    }
    catch (const dem::Error& e)
    {
      error = error.empty() ? e.what() : error;
    }
  };
  vtkTable* table = vtkTable::GetData(inputVector[INPUT_MATERIALS], 0);
  std::vector<std::string> names;
  attempt(
    [&]
    {
      mpm::Material material;
      vtkNew<vtkMPMMaterial> standard;
      (this->MaterialModel ? this->MaterialModel.Get() : standard.Get())->Fill(material);
      scene.materials = { material };
      if (table)
      {
        scene.materials = vtkDEMMaterialTable::ReadMaterials(table, material, names);
      }
      else
      {
        names = { "Material" };
      }
      if (scene.materials.empty())
      {
        throw dem::Error("TableOfMaterials has no rows: give it one material at least.");
      }
    });
  std::vector<vtkMPMBodyInput::Body> bodies;
  attempt(
    [&]
    {
      bodies = vtkMPMBodyInput::Read(inputVector[INPUT_PARTICLES],
        this->GetInputNames(INPUT_PARTICLES, "Particles"), this->FillSurfaces, names,
        table != nullptr, controller);
    });
  dem::Material plain;
  plain.name = "Wall";
  plain.friction = this->WallFriction;
  std::vector<dem::Material> wallMaterials{ plain };
  this->WallLabels.clear();
  attempt(
    [&]
    {
      scene.walls = vtkDEMWallInput::Read(this, INPUT_WALLS, inputVector[INPUT_WALLS],
        this->GetInputNames(INPUT_WALLS, "Walls"), 0, wallMaterials, scene.events, this->WallLabels,
        controller);
    });
  if (!error.empty())
  {
    throw dem::Error(vtkDEMArrays::HasFailedInput(this) ? vtkDEMArrays::InputFailed : error);
  }

  scene.time_step = this->TimeStep;
  scene.end_time = this->EndTime;
  scene.output_interval = this->OutputInterval;
  scene.cfl = this->CourantNumber;
  scene.gravity = { this->Gravity[0], this->Gravity[1], this->Gravity[2] };
  scene.transfer = Choice<mpm::Transfer>("Transfer", this->Transfer, { "APIC", "PIC", "FLIP" });
  scene.flip_fraction = this->FlipFraction;
  scene.spline = Choice<mpm::Spline>("Kernel", this->Kernel, { "Quadratic", "Cubic" });
  scene.integration = Choice<mpm::TimeIntegration>(
    "Integrator", this->Integrator, { "Explicit", "Implicit Midpoint" });
  scene.implicit.newton_tolerance = this->NewtonTolerance;
  scene.implicit.newton_most = this->NewtonIterations;
  scene.implicit.cg_tolerance = this->LinearTolerance;
  scene.implicit.cg_most = this->LinearIterations;
  scene.precision = Choice<mpm::Precision>("Precision", this->Precision, { "Single", "Double" });
  scene.equal_bits = this->EqualBits;
  scene.memory_limit = this->MemoryLimit * 1048576.0;
  const auto contact =
    Choice<mpm::Contact>("WallContact", this->WallContact, { "Stick", "Slip", "Separate" });
  for (const auto& wall : scene.walls)
  {
    scene.wall_contacts.push_back(
      { contact, wallMaterials[static_cast<std::size_t>(wall.material)].friction });
  }
  const int borders[6] = { this->BorderXLower, this->BorderXUpper, this->BorderYLower,
    this->BorderYUpper, this->BorderZLower, this->BorderZUpper };
  constexpr const char* borderNames[6] = { "BorderXLower", "BorderXUpper", "BorderYLower",
    "BorderYUpper", "BorderZLower", "BorderZUpper" };
  for (int side = 0; side < 6; ++side)
  {
    scene.domain.border[side] = Choice<mpm::Border>(
      borderNames[side], borders[side], { "Stick", "Slip", "Separate", "Remove" });
  }
  scene.domain.friction = this->BorderFriction;
  if (!root)
  {
    return;
  }

  if (!(this->GridSpacing >= 0) || !std::isfinite(this->GridSpacing))
  {
    throw dem::Error("GridSpacing must be > 0 m, or 0 for automatic, but is " +
      vtkDEMArrays::Number(this->GridSpacing) + ".");
  }
  if (this->PointsPerAxis < 1 || this->PointsPerAxis > 8)
  {
    throw dem::Error(
      "PointsPerAxis must be 1 to 8, but is " + std::to_string(this->PointsPerAxis) + ".");
  }
  scene.grid_spacing = this->GridSpacing > 0
    ? this->GridSpacing
    : vtkMPMBodyInput::AdviseSpacing(bodies, scene.materials);
  if (!(scene.grid_spacing > 0))
  {
    throw dem::Error(
      "The points do not tell how wide a cell should be: they have neither volume nor "
      "extent. Give GridSpacing, or the point array Volume (m^3).");
  }
  vtkMPMBodyInput::FillOptions fill;
  fill.PointsPerAxis = this->PointsPerAxis;
  fill.Jitter = this->Jitter;
  fill.Seed = static_cast<std::uint64_t>(this->Seed);
  scene.points = vtkMPMBodyInput::MakePoints(bodies, scene.materials, scene.grid_spacing, fill);

  scene.domain.lower = { this->Domain[0], this->Domain[2], this->Domain[4] };
  scene.domain.upper = { this->Domain[1], this->Domain[3], this->Domain[5] };
  if (this->AutomaticDomain)
  {
    dem::Vec3d& lower = scene.domain.lower;
    dem::Vec3d& upper = scene.domain.upper;
    vtkMPMBodyInput::Bounds(bodies, lower, upper);
    const dem::Vec3d size = upper - lower;
    double margin = 0.5 * std::max({ size.x, size.y, size.z });
    for (const auto& wall : scene.walls)
    {
      for (const auto& p : wall.points)
      {
        lower = { std::min(lower.x, p.x), std::min(lower.y, p.y), std::min(lower.z, p.z) };
        upper = { std::max(upper.x, p.x), std::max(upper.y, p.y), std::max(upper.z, p.z) };
      }
      margin = 0;
    }
    margin = std::max(margin, 4 * scene.grid_spacing);
    lower = lower - dem::Vec3d{ margin, margin, margin };
    upper = upper + dem::Vec3d{ margin, margin, margin };
  }
  for (int axis = 0; axis < 3; ++axis)
  {
    this->DomainInUse[2 * axis] = scene.domain.lower[axis];
    this->DomainInUse[2 * axis + 1] = scene.domain.upper[axis];
  }
  this->GridSpacingInUse = scene.grid_spacing;
  internals.MaterialNames = names;
}

//------------------------------------------------------------------------------
void vtkMPMSimulation::PrepareRun(bool read)
{
  vtkInternals& internals = *this->Internals;
  auto options = this->MakeOptions<vtkMPMRun::Options>();
  options.Selection = internals.Selection();
  if (read)
  {
    internals.Run.SetScene(std::move(internals.Read), options);
  }
  else
  {
    internals.Run.SetOptions(options);
  }
}

//------------------------------------------------------------------------------
void vtkMPMSimulation::FillOutputs(
  bool shows, vtkMultiProcessController* vtkNotUsed(controller), vtkInformationVector* outputVector)
{
  vtkInternals& internals = *this->Internals;
  const std::shared_ptr<const mpm::Frame> frame = shows ? internals.Run.GetLastFrame() : nullptr;
  this->SetMaterialsInUse(frame ? internals.MaterialNames : std::vector<std::string>{});
  internals.Output.Fill(frame, internals.Run.HasScene() ? &internals.Run.GetScene() : nullptr,
    internals.Run.GetGravity(frame ? frame->time : 0), internals.MaterialNames,
    internals.PointArrays, internals.GridArrays, vtkPolyData::GetData(outputVector, POINTS),
    vtkMultiBlockDataSet::GetData(outputVector, GRID), vtkPolyData::GetData(outputVector, WALLS),
    vtkTable::GetData(outputVector, STATISTICS));
}

//------------------------------------------------------------------------------
void vtkMPMSimulation::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "TimeStep: " << this->TimeStep << endl;
  os << indent << "EndTime: " << this->EndTime << endl;
  os << indent << "OutputInterval: " << this->OutputInterval << endl;
  os << indent << "CourantNumber: " << this->CourantNumber << endl;
  os << indent << "FillSurfaces: " << this->FillSurfaces << endl;
  os << indent << "PointsPerAxis: " << this->PointsPerAxis << endl;
  os << indent << "Jitter: " << this->Jitter << endl;
  os << indent << "Seed: " << this->Seed << endl;
  os << indent << "GridSpacing: " << this->GridSpacing << endl;
  os << indent << "WallContact: " << this->WallContact << endl;
  os << indent << "WallFriction: " << this->WallFriction << endl;
  os << indent << "AutomaticDomain: " << this->AutomaticDomain << endl;
  os << indent << "BorderXLower: " << this->BorderXLower << endl;
  os << indent << "BorderXUpper: " << this->BorderXUpper << endl;
  os << indent << "BorderYLower: " << this->BorderYLower << endl;
  os << indent << "BorderYUpper: " << this->BorderYUpper << endl;
  os << indent << "BorderZLower: " << this->BorderZLower << endl;
  os << indent << "BorderZUpper: " << this->BorderZUpper << endl;
  os << indent << "BorderFriction: " << this->BorderFriction << endl;
  os << indent << "Transfer: " << this->Transfer << endl;
  os << indent << "FlipFraction: " << this->FlipFraction << endl;
  os << indent << "Kernel: " << this->Kernel << endl;
  os << indent << "Integrator: " << this->Integrator << endl;
  os << indent << "NewtonTolerance: " << this->NewtonTolerance << endl;
  os << indent << "NewtonIterations: " << this->NewtonIterations << endl;
  os << indent << "LinearTolerance: " << this->LinearTolerance << endl;
  os << indent << "LinearIterations: " << this->LinearIterations << endl;
  os << indent << "Precision: " << this->Precision << endl;
  os << indent << "EqualBits: " << this->EqualBits << endl;
  os << indent << "MemoryLimit: " << this->MemoryLimit << endl;
  os << indent << "Gravity: " << this->Gravity[0] << " " << this->Gravity[1] << " "
     << this->Gravity[2] << endl;
  os << indent << "Domain:";
  for (double border : this->Domain)
  {
    os << " " << border;
  }
  os << endl;
  os << indent << "MaterialModel: " << this->MaterialModel.GetPointer() << endl;
}
