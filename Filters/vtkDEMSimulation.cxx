#include "vtkDEMSimulation.h"

#include "Bridge/vtkDEMArrays.h"
#include "Bridge/vtkDEMMaterialTable.h"
#include "Bridge/vtkDEMParticleInput.h"
#include "Bridge/vtkDEMWallInput.h"
#include "Core/Error.h"
#include "Scene/AutomaticDomain.h"
#include "Scene/Scene.h"
#include "detail/vtkDEMChoice.h"
#include "detail/vtkDEMLabels.h"

#include "vtkDEMContactModel.h"
#include "vtkDEMRollingModel.h"

#include "vtkDataObject.h"
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
template <std::size_t N>
std::vector<const char*> Names(const char* const (&names)[N])
{
  return { names, names + N };
}

//------------------------------------------------------------------------------
// Gives periodic axes of an automatic domain the borders that they have in the box of the
// particles. Returns a warning if an axis is periodic there and not here.
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

} // namespace

//------------------------------------------------------------------------------
vtkStandardNewMacro(vtkDEMSimulation);

//------------------------------------------------------------------------------
vtkDEMSimulation::vtkDEMSimulation() { this->SetNumberOfInputPorts(NUMBER_OF_INPUT_PORTS); }

//------------------------------------------------------------------------------
vtkDEMSimulation::~vtkDEMSimulation() = default;

//------------------------------------------------------------------------------
#define vtkDEMSimulationSetMacro(name, type)                                                       \
  void vtkDEMSimulation::Set##name(type value)                                                     \
  {                                                                                                \
    if (this->name != value)                                                                       \
    {                                                                                              \
      this->name = value;                                                                          \
      this->SceneModified();                                                                       \
    }                                                                                              \
  }

vtkDEMSimulationSetMacro(TimeStep, double) vtkDEMSimulationSetMacro(EndTime, double)
  vtkDEMSimulationSetMacro(OutputInterval, double) vtkDEMSimulationSetMacro(TangentialHistory,
    bool) vtkDEMSimulationSetMacro(FrictionLimit, int) vtkDEMSimulationSetMacro(TangentialDamping,
    int) vtkDEMSimulationSetMacro(ClampNormalForce, bool) vtkDEMSimulationSetMacro(YoungsModulus,
    double) vtkDEMSimulationSetMacro(PoissonsRatio, double) vtkDEMSimulationSetMacro(Density,
    double) vtkDEMSimulationSetMacro(Restitution, double) vtkDEMSimulationSetMacro(Friction, double)
    vtkDEMSimulationSetMacro(RollingFriction, double) vtkDEMSimulationSetMacro(
      WallYoungsModulus, double) vtkDEMSimulationSetMacro(WallPoissonsRatio, double)
      vtkDEMSimulationSetMacro(WallDensity, double) vtkDEMSimulationSetMacro(
        WallRestitution, double) vtkDEMSimulationSetMacro(WallFriction, double)
        vtkDEMSimulationSetMacro(WallRollingFriction, double) vtkDEMSimulationSetMacro(LimitDomain,
          bool) vtkDEMSimulationSetMacro(AutomaticDomain, bool) vtkDEMSimulationSetMacro(ExitX, int)
          vtkDEMSimulationSetMacro(ExitY, int) vtkDEMSimulationSetMacro(ExitZ, int)
            vtkDEMSimulationSetMacro(Precision, int) vtkDEMSimulationSetMacro(Integrator, int)
              vtkDEMSimulationSetMacro(BroadPhase, int) vtkDEMSimulationSetMacro(CellOrder, int)
                vtkDEMSimulationSetMacro(LinkedCells, int) vtkDEMSimulationSetMacro(FixedCells, int)
                  vtkDEMSimulationSetMacro(CellCapacity, int) vtkDEMSimulationSetMacro(
                    HashFunction, int) vtkDEMSimulationSetMacro(HashTableFactor, int)
                    vtkDEMSimulationSetMacro(BVHKeyBits, int) vtkDEMSimulationSetMacro(
                      HalfSearch, bool) vtkDEMSimulationSetMacro(TriangleSearch, int)
                      vtkDEMSimulationSetMacro(SortParticles, int) vtkDEMSimulationSetMacro(
                        SortSteps, int) vtkDEMSimulationSetMacro(SortTime, double)
                        vtkDEMSimulationSetMacro(NeighborList, int) vtkDEMSimulationSetMacro(
                          StaticSize, int) vtkDEMSimulationSetMacro(SymmetricList, bool)
                          vtkDEMSimulationSetMacro(ThreadPer, int)
                            vtkDEMSimulationSetMacro(Skin, double)
                              vtkDEMSimulationSetMacro(ContactStatistics, bool)
                                vtkDEMSimulationSetMacro(InitialOverlapTolerance, double)
                                  vtkDEMSimulationSetMacro(RelaxInitialOverlaps, bool)
                                    vtkDEMSimulationSetMacro(AccumulateAverages, bool)
                                      vtkDEMSimulationSetMacro(AveragesFillDomain, bool)
                                        vtkDEMSimulationSetMacro(AveragesFrom, double)
                                          vtkDEMSimulationSetMacro(AveragesTo, double)
                                            vtkDEMSimulationSetMacro(AveragesInterval, double)
                                              vtkDEMSimulationSetMacro(AveragesMemoryLimit, double)

#undef vtkDEMSimulationSetMacro

  //------------------------------------------------------------------------------
  void vtkDEMSimulation::SetGravity(double x, double y, double z)
{
  if (this->Gravity[0] != x || this->Gravity[1] != y || this->Gravity[2] != z)
  {
    this->Gravity[0] = x;
    this->Gravity[1] = y;
    this->Gravity[2] = z;
    this->SceneModified();
  }
}

//------------------------------------------------------------------------------
void vtkDEMSimulation::SetDomain(
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
void vtkDEMSimulation::SetAveragesBounds(
  double xMin, double xMax, double yMin, double yMax, double zMin, double zMax)
{
  const double bounds[6] = { xMin, xMax, yMin, yMax, zMin, zMax };
  if (!std::equal(bounds, bounds + 6, this->AveragesBounds))
  {
    std::copy(bounds, bounds + 6, this->AveragesBounds);
    this->SceneModified();
  }
}

//------------------------------------------------------------------------------
void vtkDEMSimulation::SetAveragesDimensions(int x, int y, int z)
{
  const int cells[3] = { x, y, z };
  if (!std::equal(cells, cells + 3, this->AveragesDimensions))
  {
    std::copy(cells, cells + 3, this->AveragesDimensions);
    this->SceneModified();
  }
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
  }

vtkDEMSimulationMaterialMacro(YoungsModulus, YoungsModuli)
  vtkDEMSimulationMaterialMacro(PoissonsRatio, PoissonsRatios)
    vtkDEMSimulationMaterialMacro(Density, Densities)
      vtkDEMSimulationMaterialMacro(Restitution, Restitutions)
        vtkDEMSimulationMaterialMacro(Friction, Frictions)
          vtkDEMSimulationMaterialMacro(RollingFriction, RollingFrictions)

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
void vtkDEMSimulation::RemoveAllParticleInputs()
{
  this->RemoveAllInputConnections(INPUT_PARTICLES);
}

//------------------------------------------------------------------------------
void vtkDEMSimulation::RemoveAllWallInputs() { this->RemoveAllInputConnections(INPUT_WALLS); }

//------------------------------------------------------------------------------
vtkMTimeType vtkDEMSimulation::GetMTime()
{
  vtkMTimeType time = this->Superclass::GetMTime();
  time = std::max(time, this->ContactModel ? this->ContactModel->GetMTime() : 0);
  time = std::max(time, this->RollingModel ? this->RollingModel->GetMTime() : 0);
  return time;
}

//------------------------------------------------------------------------------
vtkMTimeType vtkDEMSimulation::GetSceneMTime(vtkInformationVector** inputVector)
{
  vtkMTimeType time = this->Superclass::GetSceneMTime(inputVector);
  time = std::max(time, this->ContactModel ? this->ContactModel->GetMTime() : 0);
  time = std::max(time, this->RollingModel ? this->RollingModel->GetMTime() : 0);
  time = std::max(time, GetInputMTime(inputVector, this->GetNumberOfInputPorts()));
  return time;
}

//------------------------------------------------------------------------------
bool vtkDEMSimulation::HasContactStatistics() { return this->ContactStatistics; }

//------------------------------------------------------------------------------
void vtkDEMSimulation::ReadTimes(double& endTime, double& outputInterval)
{
  endTime = this->EndTime;
  outputInterval = this->OutputInterval;
}

//------------------------------------------------------------------------------
void vtkDEMSimulation::ReadAverages(dem::AveragesOptions& averages)
{
  if (!this->AccumulateAverages)
  {
    return; // what is set besides has no meaning, and changes nothing
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
int vtkDEMSimulation::FillInputPortInformation(int port, vtkInformation* info)
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
    case INPUT_MATERIAL_PAIRS:
      info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkTable");
      info->Set(vtkAlgorithm::INPUT_IS_OPTIONAL(), 1);
      return 1;
    default:
      return 0;
  }
}

//------------------------------------------------------------------------------
// The materials that the user states, by the table or by the lists; none without both.
std::vector<dem::Material> vtkDEMSimulation::ReadMaterials(
  vtkTable* table, const dem::Material& fallback)
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
    return vtkDEMMaterialTable::ReadMaterials(lists, fallback, names);
  }
  return table ? vtkDEMMaterialTable::ReadMaterials(table, fallback) : std::vector<dem::Material>{};
}

//------------------------------------------------------------------------------
void vtkDEMSimulation::ReadScene(vtkInformationVector** inputVector, dem::Scene& scene)
{
  auto* controller = vtkDEMArrays::GetParallelController();

  const dem::Material grain = vtkDEMMaterialTable::MakeMaterial("Grain",
    { { "YoungsModulus", this->YoungsModulus }, { "PoissonsRatio", this->PoissonsRatio },
      { "Density", this->Density }, { "Restitution", this->Restitution },
      { "Friction", this->Friction }, { "RollingFriction", this->RollingFriction } });
  const dem::Material wall = vtkDEMMaterialTable::MakeMaterial("Wall",
    { { "YoungsModulus", this->WallYoungsModulus }, { "PoissonsRatio", this->WallPoissonsRatio },
      { "Density", this->WallDensity }, { "Restitution", this->WallRestitution },
      { "Friction", this->WallFriction }, { "RollingFriction", this->WallRollingFriction } });
  scene.materials.clear();
  std::string error;
  try
  {
    vtkTable* table = vtkTable::GetData(inputVector[INPUT_MATERIALS], 0);
    scene.materials = this->ReadMaterials(table, grain);
  }
  catch (const dem::Error& e)
  {
    error = e.what();
  }
  const auto add = [&scene](const dem::Material& material)
  {
    const auto found = std::find_if(scene.materials.begin(), scene.materials.end(),
      [&](const dem::Material& known) { return known.name == material.name; });
    if (found != scene.materials.end())
    {
      return static_cast<int>(found - scene.materials.begin());
    }
    scene.materials.push_back(material);
    return static_cast<int>(scene.materials.size()) - 1;
  };
  vtkDEMParticleInput::Materials known;
  known.TableRows = static_cast<int>(scene.materials.size());
  if (!this->MaterialNames.empty())
  {
    known.Table = "Materials";
  }
  known.Grain = add(grain);
  const int wallMaterial = add(wall);

  // Both reads meet the other ranks, so the first may not throw before the second has run.
  for (const auto& material : scene.materials)
  {
    known.Names.push_back(material.name);
    known.Densities.push_back(material.density);
  }
  std::vector<std::string> warnings;
  vtkDEMParticleInput::PeriodicBox periodic;
  try
  {
    scene.shapes = { dem::makeSphere() };
    scene.particles = vtkDEMParticleInput::Read(inputVector[INPUT_PARTICLES],
      this->GetInputNames(INPUT_PARTICLES, "Particles"), known, scene.shapes, controller, warnings,
      periodic);
  }
  catch (const dem::Error& e)
  {
    error = error.empty() ? e.what() : error;
  }
  this->WallLabels.clear();
  try
  {
    scene.walls = vtkDEMWallInput::Read(this, INPUT_WALLS, inputVector[INPUT_WALLS],
      this->GetInputNames(INPUT_WALLS, "Walls"), wallMaterial, scene.materials, scene.events,
      this->WallLabels, controller);
  }
  catch (const dem::Error& e)
  {
    error = error.empty() ? e.what() : error;
  }
  if (!error.empty())
  {
    throw dem::Error(vtkDEMArrays::HasFailedInput(this) ? vtkDEMArrays::InputFailed : error);
  }
  for (const std::string& warning : warnings)
  {
    this->AddWarning(warning);
  }
  scene.pairs.clear();
  if (vtkTable* table = vtkTable::GetData(inputVector[INPUT_MATERIAL_PAIRS], 0))
  {
    scene.pairs = vtkDEMMaterialTable::ReadPairs(table, scene.materials);
  }

  scene.domain.limited = this->LimitDomain;
  scene.domain.given = {};
  scene.domain.lower = { this->Domain[0], this->Domain[2], this->Domain[4] };
  scene.domain.upper = { this->Domain[1], this->Domain[3], this->Domain[5] };
  const std::vector<const char*> exits = { "Wall", "Remove", "Periodic" };
  scene.domain.exit = { Choice<dem::Exit>("ExitX", this->ExitX, exits),
    Choice<dem::Exit>("ExitY", this->ExitY, exits),
    Choice<dem::Exit>("ExitZ", this->ExitZ, exits) };
  scene.domain.wall_material = wallMaterial;
  scene.gravity = { this->Gravity[0], this->Gravity[1], this->Gravity[2] };
  scene.end_time = this->EndTime;
  if (this->LimitDomain && this->AutomaticDomain && scene.particles.size() > 0)
  {
    this->AddWarning(TakePeriodicBox(periodic, scene.domain));
    dem::setAutomaticDomain(scene);
  }
  this->SceneIsInUse(scene); // as far as no run has older borders
  if (this->ContactModel)
  {
    this->ContactModel->Fill(scene.contact);
  }
  if (this->RollingModel)
  {
    this->RollingModel->Fill(scene.contact);
  }
  scene.contact.tangential_history = this->TangentialHistory;
  scene.contact.friction_limit =
    Choice<dem::FrictionLimit>("FrictionLimit", this->FrictionLimit, { "Total", "Elastic" });
  scene.contact.tangential_damping = Choice<dem::TangentialDamping>(
    "TangentialDamping", this->TangentialDamping, { "Mindlin", "Equal To Normal", "None" });
  scene.contact.clamp_normal_force = this->ClampNormalForce;

  scene.time_step = this->TimeStep;
  scene.output_interval = this->OutputInterval;
  scene.precision = Choice<dem::Precision>("Precision", this->Precision, { "Mixed", "Double" });
  scene.integrator =
    Choice<dem::IntegratorKind>("Integrator", this->Integrator, Names(dem::kIntegratorNames));
  dem::BroadPhaseOptions& search = scene.broad_phase;
  search.kind =
    Choice<dem::BroadPhaseKind>("BroadPhase", this->BroadPhase, Names(dem::kBroadPhaseNames));
  search.cell_order =
    Choice<dem::CellOrder>("CellOrder", this->CellOrder, Names(dem::kCellOrderNames));
  search.linked_cells =
    Choice<dem::LinkedCellsForm>("LinkedCells", this->LinkedCells, Names(dem::kLinkedCellsNames));
  search.fixed_cells =
    Choice<dem::FixedCellsForm>("FixedCells", this->FixedCells, Names(dem::kFixedCellsNames));
  search.cell_capacity = this->CellCapacity;
  search.hash =
    Choice<dem::HashFunction>("HashFunction", this->HashFunction, Names(dem::kHashFunctionNames));
  search.hash_table_factor = this->HashTableFactor;
  search.bvh_key_bits = this->BVHKeyBits;
  search.half_search = this->HalfSearch;
  search.triangles = Choice<dem::TriangleSearchKind>(
    "TriangleSearch", this->TriangleSearch, Names(dem::kTriangleSearchNames));
  search.sort = Choice<dem::SortKind>("SortParticles", this->SortParticles, Names(dem::kSortNames));
  search.sort_steps = this->SortSteps;
  search.sort_time = this->SortTime;
  dem::NeighborListOptions& list = scene.neighbor_list;
  list.kind = Choice<dem::NeighborListKind>(
    "NeighborList", this->NeighborList, Names(dem::kNeighborListNames));
  list.static_size = this->StaticSize;
  list.symmetric = this->SymmetricList;
  list.thread_per =
    Choice<dem::ThreadPer>("ThreadPer", this->ThreadPer, Names(dem::kThreadPerNames));
  scene.skin = this->Skin;
  scene.contact_statistics = this->ContactStatistics;
  scene.initial_overlap_tolerance = this->InitialOverlapTolerance;
  scene.relax_initial_overlaps = this->RelaxInitialOverlaps;
  this->ReadAverages(scene.averages);
}

//------------------------------------------------------------------------------
void vtkDEMSimulation::SceneIsInUse(const dem::Scene& scene)
{
  for (int axis = 0; axis < 3; ++axis)
  {
    this->DomainInUse[2 * axis] = scene.domain.limited ? scene.domain.lower[axis] : 0;
    this->DomainInUse[2 * axis + 1] = scene.domain.limited ? scene.domain.upper[axis] : 0;
  }
}

//------------------------------------------------------------------------------
void vtkDEMSimulation::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "TimeStep: " << this->TimeStep << endl;
  os << indent << "EndTime: " << this->EndTime << endl;
  os << indent << "OutputInterval: " << this->OutputInterval << endl;
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
  os << indent << "WallYoungsModulus: " << this->WallYoungsModulus << endl;
  os << indent << "WallPoissonsRatio: " << this->WallPoissonsRatio << endl;
  os << indent << "WallDensity: " << this->WallDensity << endl;
  os << indent << "WallRestitution: " << this->WallRestitution << endl;
  os << indent << "WallFriction: " << this->WallFriction << endl;
  os << indent << "WallRollingFriction: " << this->WallRollingFriction << endl;
  os << indent << "Materials: " << this->MaterialNames.size() << endl;
  os << indent << "LimitDomain: " << this->LimitDomain << endl;
  os << indent << "AutomaticDomain: " << this->AutomaticDomain << endl;
  os << indent << "ExitX: " << this->ExitX << endl;
  os << indent << "ExitY: " << this->ExitY << endl;
  os << indent << "ExitZ: " << this->ExitZ << endl;
  os << indent << "Precision: " << this->Precision << endl;
  os << indent << "Integrator: " << this->Integrator << endl;
  os << indent << "BroadPhase: " << this->BroadPhase << endl;
  os << indent << "CellOrder: " << this->CellOrder << endl;
  os << indent << "LinkedCells: " << this->LinkedCells << endl;
  os << indent << "FixedCells: " << this->FixedCells << endl;
  os << indent << "CellCapacity: " << this->CellCapacity << endl;
  os << indent << "HashFunction: " << this->HashFunction << endl;
  os << indent << "HashTableFactor: " << this->HashTableFactor << endl;
  os << indent << "BVHKeyBits: " << this->BVHKeyBits << endl;
  os << indent << "HalfSearch: " << this->HalfSearch << endl;
  os << indent << "TriangleSearch: " << this->TriangleSearch << endl;
  os << indent << "SortParticles: " << this->SortParticles << endl;
  os << indent << "SortSteps: " << this->SortSteps << endl;
  os << indent << "SortTime: " << this->SortTime << endl;
  os << indent << "NeighborList: " << this->NeighborList << endl;
  os << indent << "StaticSize: " << this->StaticSize << endl;
  os << indent << "SymmetricList: " << this->SymmetricList << endl;
  os << indent << "ThreadPer: " << this->ThreadPer << endl;
  os << indent << "Skin: " << this->Skin << endl;
  os << indent << "ContactStatistics: " << this->ContactStatistics << endl;
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
  os << indent << "Gravity: " << this->Gravity[0] << " " << this->Gravity[1] << " "
     << this->Gravity[2] << endl;
  os << indent << "Domain:";
  for (double border : this->Domain)
  {
    os << " " << border;
  }
  os << endl;
  os << indent << "ContactModel: " << this->ContactModel.GetPointer() << endl;
  os << indent << "RollingModel: " << this->RollingModel.GetPointer() << endl;
}
