#include "vtkDEMSimulation.h"

#include "Bridge/vtkDEMArrays.h"
#include "Bridge/vtkDEMMaterialTable.h"
#include "Bridge/vtkDEMFluidInput.h"
#include "Bridge/vtkDEMNozzleInput.h"
#include "Bridge/vtkDEMParticleInput.h"
#include "Bridge/vtkDEMWallInput.h"
#include "Core/Error.h"
#include "Scene/AutomaticDomain.h"
#include "Scene/Names.h"
#include "detail/vtkDEMChoice.h"
#include "detail/vtkDEMCollectiveReads.h"
#include "detail/vtkDEMSetSceneMacro.h"

#include "vtkDEMContactModel.h"
#include "vtkDEMFluidModel.h"
#include "vtkDEMFluidVolumeAveraged.h"
#include "vtkDEMHeatModel.h"
#include "vtkDEMRollingModel.h"

#include "vtkDataObject.h"
#include "vtkAlgorithmOutput.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkMultiProcessController.h"
#include "vtkObjectFactory.h"
#include "vtkTable.h"

#include <algorithm>
#include <string>
#include <vector>

namespace
{

using vtkDEMChoice::Choice;

//------------------------------------------------------------------------------
// Sets the borders of periodic axes of an automatic domain to those of the box of the particles.
// Returns a warning if an axis is periodic in the box but not in the domain, else an empty text.
std::string TakePeriodicBox(const vtkDEMParticleInput::PeriodicBox& box, dem::Domain& domain)
{
  std::string axes, exits;
  for (int k = 0; k < 3; ++k)
  {
    const double period = box.Period[k];
    if (period > 0 && domain.exit[k] == dem::Exit::Periodic)
    {
      domain.lower[k] = box.Lower[k];
      domain.upper[k] = box.Lower[k] + period;
      domain.given[static_cast<std::size_t>(k)] = true;
    }
    else if (period > 0)
    {
      axes += std::string(axes.empty() ? "" : ", ") + "xyz"[k] + " (" +
        vtkDEMArrays::Number(box.Lower[k]) + " to " + vtkDEMArrays::Number(box.Lower[k] + period) +
        " m)";
      exits += std::string(exits.empty() ? "Exit" : " and Exit") + "XYZ"[k];
    }
  }
  return axes.empty() ? ""
                      : "The box of " + box.Input + " is periodic along " + axes +
      ", the domain is not. To keep it, set " + exits +
      " to Periodic: AutomaticDomain then has the borders of that box. To have walls there, turn "
      "AutomaticDomain off.";
}

//------------------------------------------------------------------------------
// The index of the material of that name in `materials`, where it is appended if missing.
int AddMaterial(const dem::Material& material, std::vector<dem::Material>& materials)
{
  const auto found = std::find_if(materials.begin(), materials.end(),
    [&](const dem::Material& known) { return known.name == material.name; });
  if (found != materials.end())
  {
    return static_cast<int>(found - materials.begin());
  }
  materials.push_back(material);
  return static_cast<int>(materials.size()) - 1;
}

} // namespace

//------------------------------------------------------------------------------
vtkStandardNewMacro(vtkDEMSimulation);

//------------------------------------------------------------------------------
vtkDEMSimulation::vtkDEMSimulation() { this->SetNumberOfInputPorts(NUMBER_OF_INPUT_PORTS); }

//------------------------------------------------------------------------------
vtkDEMSimulation::~vtkDEMSimulation() = default;

//------------------------------------------------------------------------------
vtkDEMSetSceneMacro(vtkDEMSimulation, TangentialHistory, bool);
vtkDEMSetSceneMacro(vtkDEMSimulation, FrictionLimit, int);
vtkDEMSetSceneMacro(vtkDEMSimulation, TangentialDamping, int);
vtkDEMSetSceneMacro(vtkDEMSimulation, ClampNormalForce, bool);
vtkDEMSetSceneMacro(vtkDEMSimulation, YoungsModulus, double);
vtkDEMSetSceneMacro(vtkDEMSimulation, PoissonsRatio, double);
vtkDEMSetSceneMacro(vtkDEMSimulation, Density, double);
vtkDEMSetSceneMacro(vtkDEMSimulation, Restitution, double);
vtkDEMSetSceneMacro(vtkDEMSimulation, Friction, double);
vtkDEMSetSceneMacro(vtkDEMSimulation, RollingFriction, double);
vtkDEMSetSceneMacro(vtkDEMSimulation, SurfaceEnergy, double);
vtkDEMSetSceneMacro(vtkDEMSimulation, HeatCapacity, double);
vtkDEMSetSceneMacro(vtkDEMSimulation, ThermalConductivity, double);
vtkDEMSetSceneMacro(vtkDEMSimulation, TrueYoungsModulus, double);
vtkDEMSetSceneMacro(vtkDEMSimulation, WallYoungsModulus, double);
vtkDEMSetSceneMacro(vtkDEMSimulation, WallPoissonsRatio, double);
vtkDEMSetSceneMacro(vtkDEMSimulation, WallDensity, double);
vtkDEMSetSceneMacro(vtkDEMSimulation, WallRestitution, double);
vtkDEMSetSceneMacro(vtkDEMSimulation, WallFriction, double);
vtkDEMSetSceneMacro(vtkDEMSimulation, WallRollingFriction, double);
vtkDEMSetSceneMacro(vtkDEMSimulation, WallSurfaceEnergy, double);
vtkDEMSetSceneMacro(vtkDEMSimulation, WallHeatCapacity, double);
vtkDEMSetSceneMacro(vtkDEMSimulation, WallThermalConductivity, double);
vtkDEMSetSceneMacro(vtkDEMSimulation, WallTrueYoungsModulus, double);
vtkDEMSetSceneMacro(vtkDEMSimulation, LimitDomain, bool);
vtkDEMSetSceneMacro(vtkDEMSimulation, ExitX, int);
vtkDEMSetSceneMacro(vtkDEMSimulation, ExitY, int);
vtkDEMSetSceneMacro(vtkDEMSimulation, ExitZ, int);
vtkDEMSetSceneMacro(vtkDEMSimulation, Precision, int);
vtkDEMSetSceneMacro(vtkDEMSimulation, Integrator, int);
vtkDEMSetSceneMacro(vtkDEMSimulation, Skin, double);
vtkDEMSetSceneMacro(vtkDEMSimulation, ContactStatistics, bool);
vtkDEMSetSceneMacro(vtkDEMSimulation, InitialTemperature, double);
vtkDEMSetSceneMacro(vtkDEMSimulation, InitialOverlapTolerance, double);
vtkDEMSetSceneMacro(vtkDEMSimulation, RelaxInitialOverlaps, bool);
vtkDEMSetSceneMacro(vtkDEMSimulation, AccumulateAverages, bool);
vtkDEMSetSceneMacro(vtkDEMSimulation, AveragesFillDomain, bool);
vtkDEMSetSceneMacro(vtkDEMSimulation, AveragesFrom, double);
vtkDEMSetSceneMacro(vtkDEMSimulation, AveragesTo, double);
vtkDEMSetSceneMacro(vtkDEMSimulation, AveragesInterval, double);
vtkDEMSetSceneMacro(vtkDEMSimulation, AveragesMemoryLimit, double);
vtkDEMSetSceneMacro(vtkDEMSimulation, RaySearch, int);
vtkDEMSetSceneMacro(vtkDEMSimulation, CoatingPatches, int);

//------------------------------------------------------------------------------
void vtkDEMSimulation::RemoveAllNozzleInputs() { this->RemoveAllInputConnections(INPUT_NOZZLES); }

//------------------------------------------------------------------------------
int vtkDEMSimulation::FillInputPortInformation(int port, vtkInformation* info)
{
  if (port == INPUT_FLUID)
  {
    info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkDataSet");
    info->Append(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkCompositeDataSet");
    info->Set(vtkAlgorithm::INPUT_IS_OPTIONAL(), 1);
    return 1;
  }
  if (port != INPUT_NOZZLES)
  {
    return this->Superclass::FillInputPortInformation(port, info);
  }
  vtkDEMArrays::RequireBlocksOf(info, "vtkPolyData");
  info->Set(vtkAlgorithm::INPUT_IS_REPEATABLE(), 1);
  info->Set(vtkAlgorithm::INPUT_IS_OPTIONAL(), 1);
  return 1;
}

//------------------------------------------------------------------------------
void vtkDEMSimulation::SetAveragesBounds(
  double xMin, double xMax, double yMin, double yMax, double zMin, double zMax)
{
  this->SetSceneValues(this->AveragesBounds, { xMin, xMax, yMin, yMax, zMin, zMax });
}

//------------------------------------------------------------------------------
void vtkDEMSimulation::SetAveragesDimensions(int x, int y, int z)
{
  this->SetSceneValues(this->AveragesDimensions, { x, y, z });
}

//------------------------------------------------------------------------------
void vtkDEMSimulation::AddMaterialName(const char* name)
{
  this->MaterialNames.emplace_back(name ? name : "");
  this->SceneModified();
}

//------------------------------------------------------------------------------
void vtkDEMSimulation::RemoveAllMaterialNames()
{
  this->MaterialNames.clear();
  this->SceneModified();
}

//------------------------------------------------------------------------------
#define vtkDEMSimulationMaterialMacro(name, names)                                                 \
  void vtkDEMSimulation::AddMaterial##name(double value)                                           \
  {                                                                                                \
    this->MaterialNumbers[#name].push_back(value);                                                 \
    this->SceneModified();                                                                         \
  }                                                                                                \
  void vtkDEMSimulation::RemoveAllMaterial##names()                                                \
  {                                                                                                \
    this->MaterialNumbers[#name].clear();                                                          \
    this->SceneModified();                                                                         \
  }                                                                                                \
  static_assert(true, "requires a semicolon")

vtkDEMSimulationMaterialMacro(YoungsModulus, YoungsModuli);
vtkDEMSimulationMaterialMacro(PoissonsRatio, PoissonsRatios);
vtkDEMSimulationMaterialMacro(Density, Densities);
vtkDEMSimulationMaterialMacro(Restitution, Restitutions);
vtkDEMSimulationMaterialMacro(Friction, Frictions);
vtkDEMSimulationMaterialMacro(RollingFriction, RollingFrictions);
vtkDEMSimulationMaterialMacro(SurfaceEnergy, SurfaceEnergies);
vtkDEMSimulationMaterialMacro(HeatCapacity, HeatCapacities);
vtkDEMSimulationMaterialMacro(ThermalConductivity, ThermalConductivities);
vtkDEMSimulationMaterialMacro(TrueYoungsModulus, TrueYoungsModuli);

#undef vtkDEMSimulationMaterialMacro

//------------------------------------------------------------------------------
void vtkDEMSimulation::SetContactModel(vtkDEMContactModel* model)
{
  if (this->ContactModel != model)
  {
    this->ContactModel = model;
    this->SceneModified();
  }
}

//------------------------------------------------------------------------------
vtkDEMContactModel* vtkDEMSimulation::GetContactModel() { return this->ContactModel; }

//------------------------------------------------------------------------------
void vtkDEMSimulation::SetRollingModel(vtkDEMRollingModel* model)
{
  if (this->RollingModel != model)
  {
    this->RollingModel = model;
    this->SceneModified();
  }
}

//------------------------------------------------------------------------------
vtkDEMRollingModel* vtkDEMSimulation::GetRollingModel() { return this->RollingModel; }

//------------------------------------------------------------------------------
void vtkDEMSimulation::SetHeatTransfer(vtkDEMHeatModel* model)
{
  if (this->HeatTransfer != model)
  {
    this->HeatTransfer = model;
    this->SceneModified();
  }
}

//------------------------------------------------------------------------------
vtkDEMHeatModel* vtkDEMSimulation::GetHeatTransfer() { return this->HeatTransfer; }

//------------------------------------------------------------------------------
void vtkDEMSimulation::SetFluidCoupling(vtkDEMFluidModel* model)
{
  if (this->FluidCoupling != model)
  {
    this->FluidCoupling = model;
    this->SceneModified();
  }
}

//------------------------------------------------------------------------------
vtkDEMFluidModel* vtkDEMSimulation::GetFluidCoupling() { return this->FluidCoupling; }

//------------------------------------------------------------------------------
vtkMTimeType vtkDEMSimulation::GetModelMTime()
{
  return std::max({ this->ContactModel ? this->ContactModel->GetMTime() : 0,
    this->RollingModel ? this->RollingModel->GetMTime() : 0,
    this->HeatTransfer ? this->HeatTransfer->GetMTime() : 0,
    this->FluidCoupling ? this->FluidCoupling->GetMTime() : 0 });
}

//------------------------------------------------------------------------------
bool vtkDEMSimulation::HasContactStatistics() { return this->ContactStatistics; }

//------------------------------------------------------------------------------
int vtkDEMSimulation::GetCoatingPatchesInUse()
{
  return this->GetNumberOfInputConnections(INPUT_NOZZLES) > 0
    ? 6 * this->CoatingPatches * this->CoatingPatches
    : -1;
}

//------------------------------------------------------------------------------
void vtkDEMSimulation::ReadAverages(dem::AveragesOptions& averages)
{
  if (!this->AccumulateAverages)
  {
    return; // the other properties of the averages then have no effect
  }
  const double* bounds = this->AveragesBounds;
  averages.enabled = true;
  averages.whole_domain = this->AveragesFillDomain;
  if (!this->AveragesFillDomain)
  {
    averages.lower = { bounds[0], bounds[2], bounds[4] };
    averages.upper = { bounds[1], bounds[3], bounds[5] };
  }
  std::copy_n(this->AveragesDimensions, 3, averages.cells.begin());
  averages.from = this->AveragesFrom;
  averages.to = this->AveragesTo;
  averages.interval = this->AveragesInterval;
  averages.memory_limit = this->AveragesMemoryLimit * 1048576.0;
}

//------------------------------------------------------------------------------
// The materials of the table or of the lists, none without both. `fallback` supplies values that
// are not given. Throws dem::Error.
std::vector<dem::Material> vtkDEMSimulation::ReadMaterials(
  vtkTable* table, const dem::Material& fallback, std::vector<std::string>& warnings)
{
  const vtkDEMMaterialTable::TableNames names{ "Materials", "Material #", 1 };
  const auto lists =
    vtkDEMMaterialTable::MakeTable(this->MaterialNames, this->MaterialNumbers, names);
  if (table && lists)
  {
    throw dem::Error("Both Materials (" + std::to_string(lists->GetNumberOfRows()) +
      ") and Table Of Materials (" + std::to_string(table->GetNumberOfRows()) +
      " rows) are given. Remove all Materials, or choose (none) as Table Of Materials.");
  }
  if (lists)
  {
    return vtkDEMMaterialTable::ReadMaterials(lists, fallback, warnings, names);
  }
  return table ? vtkDEMMaterialTable::ReadMaterials(table, fallback, warnings)
               : std::vector<dem::Material>{};
}

//------------------------------------------------------------------------------
void vtkDEMSimulation::ReadScene(vtkInformationVector** inputVector, dem::Scene& scene)
{
  const vtkDEMParticleInput::PeriodicBox periodic = this->ReadInputPorts(inputVector, scene);
  scene.gravity = { this->Gravity[0], this->Gravity[1], this->Gravity[2] };
  scene.end_time = this->EndTime;
  scene.fluid = {};
  if (this->FluidCoupling)
  {
    this->FluidCoupling->Fill(scene.fluid);
  }
  this->FillDomain(periodic, scene);
  this->SceneIsInUse(scene); // until the run reports borders of its own
  this->FillContact(scene.contact);
  scene.heat = {};
  if (this->HeatTransfer)
  {
    this->HeatTransfer->Fill(scene.heat);
  }
  scene.time_step = this->TimeStep;
  scene.output_interval = this->OutputInterval;
  scene.precision = Choice<dem::Precision>("Precision", this->Precision, dem::kPrecisionNames);
  scene.integrator =
    Choice<dem::IntegratorKind>("Integrator", this->Integrator, dem::kIntegratorNames);
  this->FillBroadPhase(scene.broad_phase);
  this->FillNeighborList(scene.neighbor_list);
  scene.skin = this->Skin;
  scene.contact_statistics = this->ContactStatistics;
  scene.initial_overlap_tolerance = this->InitialOverlapTolerance;
  scene.relax_initial_overlaps = this->RelaxInitialOverlaps;
  this->ReadAverages(scene.averages);
  scene.spray.search = Choice<dem::RaySearch>("RaySearch", this->RaySearch, dem::kRaySearchNames);
  scene.spray.patches = this->CoatingPatches;
}

//------------------------------------------------------------------------------
void vtkDEMSimulation::ReadFlowScene(vtkInformationVector** inputVector, dem::Scene& scene)
{
  if (!vtkDEMFluidVolumeAveraged::SafeDownCast(this->FluidCoupling))
  {
    return;
  }
  for (int port = 0; port < this->GetNumberOfInputPorts(); ++port)
  {
    for (int i = 0; i < this->GetNumberOfInputConnections(port); ++i)
    {
      vtkAlgorithmOutput* input = this->GetInputConnection(port, i);
      input->GetProducer()->Update(input->GetIndex());
    }
  }
  this->ReadScene(inputVector, scene);
}

//------------------------------------------------------------------------------
// Reads materials, particles and walls into `scene`. Returns the periodic box of the particles.
// Collective.
vtkDEMParticleInput::PeriodicBox vtkDEMSimulation::ReadInputPorts(
  vtkInformationVector** inputVector, dem::Scene& scene)
{
  auto* controller = vtkDEMArrays::GetParallelController();
  const dem::Material grain = this->GetGrainMaterial();
  vtkDEMCollectiveReads reads;
  std::vector<std::string> warnings;
  scene.materials.clear();
  reads.Try(
    [&]
    {
      vtkTable* table = vtkTable::GetData(inputVector[INPUT_MATERIALS], 0);
      scene.materials = this->ReadMaterials(table, grain, warnings);
    });
  vtkDEMParticleInput::Materials known;
  known.TableRows = static_cast<int>(scene.materials.size());
  if (!this->MaterialNames.empty())
  {
    known.Table = "Materials";
  }
  known.Grain = AddMaterial(grain, scene.materials);
  scene.domain.wall_material = AddMaterial(this->GetWallMaterial(), scene.materials);
  for (const auto& material : scene.materials)
  {
    known.Names.push_back(material.name);
    known.Densities.push_back(material.density);
  }

  vtkDEMParticleInput::PeriodicBox periodic;
  reads.Try(
    [&]
    {
      scene.shapes = { dem::makeSphere() };
      scene.initial_temperature = this->InitialTemperature;
      scene.particles = vtkDEMParticleInput::Read(inputVector[INPUT_PARTICLES],
        this->GetInputNames(INPUT_PARTICLES, "Particles"), known, scene, controller, warnings,
        periodic);
    });
  this->WallLabels.clear();
  reads.Try(
    [&]
    {
      scene.walls = vtkDEMWallInput::Read(this, INPUT_WALLS, inputVector[INPUT_WALLS],
        this->GetInputNames(INPUT_WALLS, "Walls"), scene.domain.wall_material, scene.materials,
        scene.events, this->WallLabels, controller);
    });
  reads.Try(
    [&]
    {
      scene.nozzles = vtkDEMNozzleInput::Read(inputVector[INPUT_NOZZLES],
        this->GetInputNames(INPUT_NOZZLES, "Spray Nozzles"), controller);
    });
  reads.Try(
    [&]
    {
      this->Fluid = vtkDEMFluidInput::Read(this, INPUT_FLUID, inputVector[INPUT_FLUID],
        this->FluidCoupling ? this->FluidCoupling->GetResolution() : 0, this->Fluid,
        this->FluidMTime, warnings, controller);
      scene.fluid_field = this->Fluid;
    });
  reads.ThrowError(this);
  scene.pairs.clear();
  if (vtkTable* table = vtkTable::GetData(inputVector[INPUT_MATERIAL_PAIRS], 0))
  {
    scene.pairs = vtkDEMMaterialTable::ReadPairs(table, scene.materials, warnings);
  }
  for (const std::string& warning : warnings)
  {
    this->AddWarning(warning);
  }
  return periodic;
}

//------------------------------------------------------------------------------
dem::Material vtkDEMSimulation::GetGrainMaterial() const
{
  return vtkDEMMaterialTable::MakeMaterial("Grain",
    { { "YoungsModulus", this->YoungsModulus }, { "PoissonsRatio", this->PoissonsRatio },
      { "Density", this->Density }, { "Restitution", this->Restitution },
      { "Friction", this->Friction }, { "RollingFriction", this->RollingFriction },
      { "SurfaceEnergy", this->SurfaceEnergy }, { "HeatCapacity", this->HeatCapacity },
      { "ThermalConductivity", this->ThermalConductivity },
      { "TrueYoungsModulus", this->TrueYoungsModulus } });
}

//------------------------------------------------------------------------------
dem::Material vtkDEMSimulation::GetWallMaterial() const
{
  return vtkDEMMaterialTable::MakeMaterial("Wall",
    { { "YoungsModulus", this->WallYoungsModulus }, { "PoissonsRatio", this->WallPoissonsRatio },
      { "Density", this->WallDensity }, { "Restitution", this->WallRestitution },
      { "Friction", this->WallFriction }, { "RollingFriction", this->WallRollingFriction },
      { "SurfaceEnergy", this->WallSurfaceEnergy }, { "HeatCapacity", this->WallHeatCapacity },
      { "ThermalConductivity", this->WallThermalConductivity },
      { "TrueYoungsModulus", this->WallTrueYoungsModulus } });
}

//------------------------------------------------------------------------------
// Fills scene.domain except its wall material. Needs the particles, walls, gravity and end time of
// `scene` for an automatic domain.
void vtkDEMSimulation::FillDomain(
  const vtkDEMParticleInput::PeriodicBox& periodic, dem::Scene& scene)
{
  scene.domain.limited = this->LimitDomain;
  scene.domain.given = {};
  scene.domain.lower = { this->Domain[0], this->Domain[2], this->Domain[4] };
  scene.domain.upper = { this->Domain[1], this->Domain[3], this->Domain[5] };
  scene.domain.exit = { Choice<dem::Exit>("ExitX", this->ExitX, dem::kExitNames),
    Choice<dem::Exit>("ExitY", this->ExitY, dem::kExitNames),
    Choice<dem::Exit>("ExitZ", this->ExitZ, dem::kExitNames) };
  if (this->LimitDomain && this->AutomaticDomain && scene.particles.size() > 0)
  {
    this->AddWarning(TakePeriodicBox(periodic, scene.domain));
    dem::setAutomaticDomain(scene);
  }
}

//------------------------------------------------------------------------------
void vtkDEMSimulation::FillContact(dem::ContactModel& contact) const
{
  if (this->ContactModel)
  {
    this->ContactModel->Fill(contact);
  }
  if (this->RollingModel)
  {
    this->RollingModel->Fill(contact);
  }
  contact.tangential_history = this->TangentialHistory;
  contact.friction_limit =
    Choice<dem::FrictionLimit>("FrictionLimit", this->FrictionLimit, dem::kFrictionLimitNames);
  contact.tangential_damping = Choice<dem::TangentialDamping>(
    "TangentialDamping", this->TangentialDamping, dem::kTangentialDampingNames);
  contact.clamp_normal_force = this->ClampNormalForce;
}

//------------------------------------------------------------------------------
void vtkDEMSimulation::SceneIsInUse(const dem::Scene& scene)
{
  const dem::Vec3d none;
  this->SetDomainInUse(scene.domain.limited ? scene.domain.lower : none,
    scene.domain.limited ? scene.domain.upper : none);
}

//------------------------------------------------------------------------------
void vtkDEMSimulation::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "TangentialHistory: " << this->TangentialHistory << endl;
  os << indent << "FrictionLimit: " << this->FrictionLimit << endl;
  os << indent << "TangentialDamping: " << this->TangentialDamping << endl;
  os << indent << "ClampNormalForce: " << this->ClampNormalForce << endl;
  os << indent << "YoungsModulus: " << this->YoungsModulus << endl;
  os << indent << "PoissonsRatio: " << this->PoissonsRatio << endl;
  os << indent << "Density: " << this->Density << endl;
  os << indent << "Restitution: " << this->Restitution << endl;
  os << indent << "Friction: " << this->Friction << endl;
  os << indent << "RollingFriction: " << this->RollingFriction << endl;
  os << indent << "SurfaceEnergy: " << this->SurfaceEnergy << endl;
  os << indent << "HeatCapacity: " << this->HeatCapacity << endl;
  os << indent << "ThermalConductivity: " << this->ThermalConductivity << endl;
  os << indent << "TrueYoungsModulus: " << this->TrueYoungsModulus << endl;
  os << indent << "WallYoungsModulus: " << this->WallYoungsModulus << endl;
  os << indent << "WallPoissonsRatio: " << this->WallPoissonsRatio << endl;
  os << indent << "WallDensity: " << this->WallDensity << endl;
  os << indent << "WallRestitution: " << this->WallRestitution << endl;
  os << indent << "WallFriction: " << this->WallFriction << endl;
  os << indent << "WallRollingFriction: " << this->WallRollingFriction << endl;
  os << indent << "WallSurfaceEnergy: " << this->WallSurfaceEnergy << endl;
  os << indent << "WallHeatCapacity: " << this->WallHeatCapacity << endl;
  os << indent << "WallThermalConductivity: " << this->WallThermalConductivity << endl;
  os << indent << "WallTrueYoungsModulus: " << this->WallTrueYoungsModulus << endl;
  os << indent << "Materials: " << this->MaterialNames.size() << endl;
  os << indent << "LimitDomain: " << this->LimitDomain << endl;
  os << indent << "ExitX: " << this->ExitX << endl;
  os << indent << "ExitY: " << this->ExitY << endl;
  os << indent << "ExitZ: " << this->ExitZ << endl;
  os << indent << "Precision: " << this->Precision << endl;
  os << indent << "Integrator: " << this->Integrator << endl;
  os << indent << "Skin: " << this->Skin << endl;
  os << indent << "ContactStatistics: " << this->ContactStatistics << endl;
  os << indent << "InitialTemperature: " << this->InitialTemperature << endl;
  os << indent << "InitialOverlapTolerance: " << this->InitialOverlapTolerance << endl;
  os << indent << "RelaxInitialOverlaps: " << this->RelaxInitialOverlaps << endl;
  os << indent << "AccumulateAverages: " << this->AccumulateAverages << endl;
  os << indent << "AveragesFillDomain: " << this->AveragesFillDomain << endl;
  os << indent << "AveragesBounds:";
  for (double border : this->AveragesBounds)
  {
    os << " " << border;
  }
  os << endl;
  os << indent << "AveragesDimensions: " << this->AveragesDimensions[0] << " "
     << this->AveragesDimensions[1] << " " << this->AveragesDimensions[2] << endl;
  os << indent << "AveragesFrom: " << this->AveragesFrom << endl;
  os << indent << "AveragesTo: " << this->AveragesTo << endl;
  os << indent << "AveragesInterval: " << this->AveragesInterval << endl;
  os << indent << "AveragesMemoryLimit: " << this->AveragesMemoryLimit << endl;
  os << indent << "RaySearch: " << this->RaySearch << endl;
  os << indent << "CoatingPatches: " << this->CoatingPatches << endl;
  os << indent << "ContactModel: " << this->ContactModel.GetPointer() << endl;
  os << indent << "RollingModel: " << this->RollingModel.GetPointer() << endl;
  os << indent << "HeatTransfer: " << this->HeatTransfer.GetPointer() << endl;
  os << indent << "FluidCoupling: " << this->FluidCoupling.GetPointer() << endl;
}
