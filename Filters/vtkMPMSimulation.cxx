#include "vtkMPMSimulation.h"

#include "Bridge/vtkDEMArrays.h"
#include "Bridge/vtkDEMMaterialTable.h"
#include "Bridge/vtkDEMWallInput.h"
#include "Bridge/vtkMPMBodyInput.h"
#include "Bridge/vtkMPMFrameOutput.h"
#include "Core/Error.h"
#include "MaterialPoint/MpmBodies.h"
#include "detail/vtkDEMChoice.h"
#include "detail/vtkDEMCollectiveReads.h"
#include "detail/vtkDEMSetSceneMacro.h"
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
  const double domain[6] = { -1, 1, -1, 1, 0, 2 };
  std::copy_n(domain, 6, this->Domain);
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

//------------------------------------------------------------------------------
vtkDEMSetSceneMacro(vtkMPMSimulation, CourantNumber, double);
vtkDEMSetSceneMacro(vtkMPMSimulation, FillSurfaces, bool);
vtkDEMSetSceneMacro(vtkMPMSimulation, PointsPerAxis, int);
vtkDEMSetSceneMacro(vtkMPMSimulation, Jitter, double);
vtkDEMSetSceneMacro(vtkMPMSimulation, Seed, int);
vtkDEMSetSceneMacro(vtkMPMSimulation, GridSpacing, double);
vtkDEMSetSceneMacro(vtkMPMSimulation, WallContact, int);
vtkDEMSetSceneMacro(vtkMPMSimulation, WallFriction, double);
vtkDEMSetSceneMacro(vtkMPMSimulation, BorderXLower, int);
vtkDEMSetSceneMacro(vtkMPMSimulation, BorderXUpper, int);
vtkDEMSetSceneMacro(vtkMPMSimulation, BorderYLower, int);
vtkDEMSetSceneMacro(vtkMPMSimulation, BorderYUpper, int);
vtkDEMSetSceneMacro(vtkMPMSimulation, BorderZLower, int);
vtkDEMSetSceneMacro(vtkMPMSimulation, BorderZUpper, int);
vtkDEMSetSceneMacro(vtkMPMSimulation, BorderFriction, double);
vtkDEMSetSceneMacro(vtkMPMSimulation, Transfer, int);
vtkDEMSetSceneMacro(vtkMPMSimulation, FlipFraction, double);
vtkDEMSetSceneMacro(vtkMPMSimulation, Kernel, int);
vtkDEMSetSceneMacro(vtkMPMSimulation, GridTransfer, int);
vtkDEMSetSceneMacro(vtkMPMSimulation, Batching, int);
vtkDEMSetSceneMacro(vtkMPMSimulation, PointTransfer, int);
vtkDEMSetSceneMacro(vtkMPMSimulation, PointOrder, int);
vtkDEMSetSceneMacro(vtkMPMSimulation, Integrator, int);
vtkDEMSetSceneMacro(vtkMPMSimulation, NewtonTolerance, double);
vtkDEMSetSceneMacro(vtkMPMSimulation, NewtonIterations, int);
vtkDEMSetSceneMacro(vtkMPMSimulation, LinearTolerance, double);
vtkDEMSetSceneMacro(vtkMPMSimulation, LinearIterations, int);
vtkDEMSetSceneMacro(vtkMPMSimulation, Precision, int);
vtkDEMSetSceneMacro(vtkMPMSimulation, EqualBits, bool);
vtkDEMSetSceneMacro(vtkMPMSimulation, MemoryLimit, double);

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
  this->EnableArray(this->Internals->PointArrays, name, status);
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
  this->EnableArray(this->Internals->GridArrays, name, status);
}

//------------------------------------------------------------------------------
vtkMTimeType vtkMPMSimulation::GetModelMTime()
{
  return this->MaterialModel ? this->MaterialModel->GetMTime() : 0;
}

//------------------------------------------------------------------------------
vtkDEMAnyRun& vtkMPMSimulation::GetRun() { return this->Internals->Run; }

//------------------------------------------------------------------------------
std::string vtkMPMSimulation::GetProgressName() { return "MPM"; }

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
  vtkInternals& internals = *this->Internals;
  mpm::Scene& scene = internals.Read;
  scene = mpm::Scene();

  vtkDEMCollectiveReads reads;
  vtkTable* table = vtkTable::GetData(inputVector[INPUT_MATERIALS], 0);
  std::vector<std::string> names, warnings;
  reads.Try(
    [&]
    {
      mpm::Material material;
      vtkNew<vtkMPMMaterial> standard;
      (this->MaterialModel ? this->MaterialModel.Get() : standard.Get())->Fill(material);
      scene.materials = { material };
      if (table)
      {
        scene.materials = vtkDEMMaterialTable::ReadMaterials(table, material, warnings, names);
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
  std::vector<mpm::Body> bodies;
  reads.Try(
    [&]
    {
      bodies = vtkMPMBodyInput::Read(inputVector[INPUT_PARTICLES],
        this->GetInputNames(INPUT_PARTICLES, "Particles"), this->FillSurfaces, names,
        table != nullptr, controller);
    });
  dem::Material plain; // only its friction is used
  plain.name = "Wall";
  plain.friction = this->WallFriction;
  std::vector<dem::Material> wallMaterials{ plain };
  this->WallLabels.clear();
  reads.Try(
    [&]
    {
      scene.walls = vtkDEMWallInput::Read(this, INPUT_WALLS, inputVector[INPUT_WALLS],
        this->GetInputNames(INPUT_WALLS, "Walls"), 0, wallMaterials, scene.events, this->WallLabels,
        controller);
    });
  reads.ThrowError(this);
  for (const std::string& warning : warnings)
  {
    this->AddWarning(warning);
  }

  this->FillOptions(scene);
  this->FillWallContacts(wallMaterials, scene);
  this->FillBorders(scene.domain);
  if (controller && controller->GetLocalProcessId() != 0)
  {
    return;
  }
  this->FillPoints(bodies, scene);
  this->AddWarning(mpm::spacingWarning(bodies, scene.grid_spacing, this->GridSpacing == 0));
  this->FillDomain(bodies, scene);
  this->SetDomainInUse(scene.domain.lower, scene.domain.upper);
  this->GridSpacingInUse = scene.grid_spacing;
  internals.MaterialNames = names;
}

//------------------------------------------------------------------------------
void vtkMPMSimulation::FillOptions(mpm::Scene& scene) const
{
  scene.time_step = this->TimeStep;
  scene.end_time = this->EndTime;
  scene.output_interval = this->OutputInterval;
  scene.cfl = this->CourantNumber;
  scene.gravity = { this->Gravity[0], this->Gravity[1], this->Gravity[2] };
  scene.transfer = Choice<mpm::Transfer>("Transfer", this->Transfer, mpm::kTransferNames);
  scene.flip_fraction = this->FlipFraction;
  scene.spline = Choice<mpm::Spline>("Kernel", this->Kernel, mpm::kSplineNames);
  scene.grid_transfer =
    Choice<mpm::GridTransfer>("GridTransfer", this->GridTransfer, mpm::kGridTransferNames);
  scene.batching = this->Batching;
  scene.point_transfer =
    Choice<mpm::PointTransfer>("PointTransfer", this->PointTransfer, mpm::kPointTransferNames);
  scene.point_order =
    Choice<mpm::PointSorting>("PointOrder", this->PointOrder, mpm::kPointSortingNames);
  scene.integration =
    Choice<mpm::TimeIntegration>("Integrator", this->Integrator, mpm::kTimeIntegrationNames);
  scene.implicit.newton_tolerance = this->NewtonTolerance;
  scene.implicit.newton_most = this->NewtonIterations;
  scene.implicit.cg_tolerance = this->LinearTolerance;
  scene.implicit.cg_most = this->LinearIterations;
  scene.precision = Choice<mpm::Precision>("Precision", this->Precision, mpm::kPrecisionNames);
  scene.equal_bits = this->EqualBits;
  scene.memory_limit = this->MemoryLimit * 1048576.0;
}

//------------------------------------------------------------------------------
// `materials` are those that the walls of `scene` refer to.
void vtkMPMSimulation::FillWallContacts(
  const std::vector<dem::Material>& materials, mpm::Scene& scene) const
{
  const auto contact = Choice<mpm::Contact>("WallContact", this->WallContact, mpm::kContactNames);
  for (const auto& wall : scene.walls)
  {
    scene.wall_contacts.push_back(
      { contact, materials[static_cast<std::size_t>(wall.material)].friction });
  }
}

//------------------------------------------------------------------------------
void vtkMPMSimulation::FillBorders(mpm::Domain& domain) const
{
  const int borders[6] = { this->BorderXLower, this->BorderXUpper, this->BorderYLower,
    this->BorderYUpper, this->BorderZLower, this->BorderZUpper };
  constexpr const char* borderNames[6] = { "BorderXLower", "BorderXUpper", "BorderYLower",
    "BorderYUpper", "BorderZLower", "BorderZUpper" };
  for (int side = 0; side < 6; ++side)
  {
    domain.border[side] = Choice<mpm::Border>(borderNames[side], borders[side], mpm::kBorderNames);
  }
  domain.friction = this->BorderFriction;
}

//------------------------------------------------------------------------------
// Sets the grid spacing and the material points. Rank 0 only. Throws dem::Error.
void vtkMPMSimulation::FillPoints(const std::vector<mpm::Body>& bodies, mpm::Scene& scene) const
{
  mpm::FillOptions fill;
  fill.points_per_axis = this->PointsPerAxis;
  fill.jitter = this->Jitter;
  fill.seed = static_cast<std::uint64_t>(this->Seed);
  mpm::fillScene(bodies, this->GridSpacing, fill, scene);
}

//------------------------------------------------------------------------------
// Sets the corners of the domain. Needs the walls and the grid spacing of `scene`.
void vtkMPMSimulation::FillDomain(const std::vector<mpm::Body>& bodies, mpm::Scene& scene) const
{
  scene.domain.lower = { this->Domain[0], this->Domain[2], this->Domain[4] };
  scene.domain.upper = { this->Domain[1], this->Domain[3], this->Domain[5] };
  if (this->AutomaticDomain)
  {
    mpm::setAutomaticDomain(bodies, scene);
  }
}

//------------------------------------------------------------------------------
void vtkMPMSimulation::PrepareRun(bool read)
{
  vtkInternals& internals = *this->Internals;
  this->PrepareRunOf(internals.Run, internals.Read, internals.Selection(), read);
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
  os << indent << "CourantNumber: " << this->CourantNumber << endl;
  os << indent << "FillSurfaces: " << this->FillSurfaces << endl;
  os << indent << "PointsPerAxis: " << this->PointsPerAxis << endl;
  os << indent << "Jitter: " << this->Jitter << endl;
  os << indent << "Seed: " << this->Seed << endl;
  os << indent << "GridSpacing: " << this->GridSpacing << endl;
  os << indent << "WallContact: " << this->WallContact << endl;
  os << indent << "WallFriction: " << this->WallFriction << endl;
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
  os << indent << "GridTransfer: " << this->GridTransfer << endl;
  os << indent << "Batching: " << this->Batching << endl;
  os << indent << "PointTransfer: " << this->PointTransfer << endl;
  os << indent << "PointOrder: " << this->PointOrder << endl;
  os << indent << "Integrator: " << this->Integrator << endl;
  os << indent << "NewtonTolerance: " << this->NewtonTolerance << endl;
  os << indent << "NewtonIterations: " << this->NewtonIterations << endl;
  os << indent << "LinearTolerance: " << this->LinearTolerance << endl;
  os << indent << "LinearIterations: " << this->LinearIterations << endl;
  os << indent << "Precision: " << this->Precision << endl;
  os << indent << "EqualBits: " << this->EqualBits << endl;
  os << indent << "MemoryLimit: " << this->MemoryLimit << endl;
  os << indent << "MaterialModel: " << this->MaterialModel.GetPointer() << endl;
}
