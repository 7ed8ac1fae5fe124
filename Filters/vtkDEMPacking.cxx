#include "vtkDEMPacking.h"

#include "Bridge/vtkDEMArrays.h"
#include "Bridge/vtkDEMParticleInput.h"
#include "Bridge/vtkDEMSurfaceInput.h"
#include "Core/Error.h"
#include "Shapes/Shape.h"
#include "Scene/Packing/PackingRows.h"
#include "Scene/SceneWarnings.h"
#include "Scene/ShapeText.h"
#include "detail/vtkDEMChoice.h"
#include "detail/vtkDEMCollectiveReads.h"
#include "detail/vtkDEMLabels.h"

#include "vtkErrorCode.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkMath.h"
#include "vtkMultiProcessController.h"
#include "vtkNew.h"
#include "vtkObjectFactory.h"
#include "vtkPolyData.h"

#include <algorithm>
#include <cmath>

//------------------------------------------------------------------------------
vtkStandardNewMacro(vtkDEMPacking);

//------------------------------------------------------------------------------
vtkDEMPacking::vtkDEMPacking() { this->SetNumberOfInputPorts(NUMBER_OF_INPUT_PORTS); }

//------------------------------------------------------------------------------
vtkDEMPacking::~vtkDEMPacking() = default;

//------------------------------------------------------------------------------
void vtkDEMPacking::SetNumberOfRadii(int count)
{
  const auto size = static_cast<std::size_t>(std::max(0, count));
  if (this->TableRadius.size() != size)
  {
    this->TableRadius.resize(size, 0.01);
    this->TableFraction.resize(size, 1.0);
    this->Modified();
  }
}

//------------------------------------------------------------------------------
void vtkDEMPacking::SetRadiusRow(int row, double radius, double fraction)
{
  const auto i = static_cast<std::size_t>(std::max(0, row));
  if (i >= this->TableRadius.size())
  {
    this->SetNumberOfRadii(row + 1);
  }
  this->TableRadius[i] = radius;
  this->TableFraction[i] = fraction;
  this->Modified();
}

//------------------------------------------------------------------------------
void vtkDEMPacking::ClearRadii() { this->SetNumberOfRadii(0); }

//------------------------------------------------------------------------------
void vtkDEMPacking::SetMaterial(const char* name)
{
  const std::string wanted = name ? name : "";
  if (this->Material != wanted)
  {
    this->Material = wanted;
    this->Modified();
  }
}

//------------------------------------------------------------------------------
const char* vtkDEMPacking::GetMaterial() const { return this->Material.c_str(); }

//------------------------------------------------------------------------------
void vtkDEMPacking::SetShape(const char* name)
{
  const std::string wanted = name ? name : "";
  if (this->Shape != wanted)
  {
    this->Shape = wanted;
    this->Modified();
  }
}

//------------------------------------------------------------------------------
const char* vtkDEMPacking::GetShape() const { return this->Shape.c_str(); }

//------------------------------------------------------------------------------
int vtkDEMPacking::FillInputPortInformation(int vtkNotUsed(port), vtkInformation* info)
{
  info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkPolyData");
  info->Set(vtkAlgorithm::INPUT_IS_OPTIONAL(), 1);
  return 1;
}

//------------------------------------------------------------------------------
int vtkDEMPacking::RequestInformation(vtkInformation* vtkNotUsed(request),
  vtkInformationVector** vtkNotUsed(inputVector), vtkInformationVector* outputVector)
{
  outputVector->GetInformationObject(0)->Set(vtkAlgorithm::CAN_HANDLE_PIECE_REQUEST(), 1);
  return 1;
}

//------------------------------------------------------------------------------
int vtkDEMPacking::RequestUpdateExtent(vtkInformation* vtkNotUsed(request),
  vtkInformationVector** inputVector, vtkInformationVector* vtkNotUsed(outputVector))
{
  for (int port : { INPUT_REGION, INPUT_SHAPE })
  {
    vtkInformation* info = inputVector[port]->GetInformationObject(0);
    if (info)
    {
      vtkDEMArrays::RequestOwnPiece(info);
    }
  }
  return 1;
}

//------------------------------------------------------------------------------
void vtkDEMPacking::ReadShape(vtkInformationVector** inputVector, std::vector<dem::Shape>& shapes)
{
  if (this->Shape == "Sphere")
  {
    return;
  }
  const std::vector<std::string>& solids = dem::namedPolyhedra();
  if (this->Shape == "Polyhedron From Surface" || this->Shape == "Clump From Surface")
  {
    this->ReadShapeOfSurface(vtkPolyData::GetData(inputVector[INPUT_SHAPE], 0), shapes);
    auto* controller = vtkDEMArrays::GetParallelController();
    if (controller && controller->GetLocalProcessId() > 0)
    {
      return; // only the first rank has the surface
    }
  }
  else if (this->Shape == "Tablet")
  {
    shapes.push_back(dem::makeTablet(this->Shape, this->TabletDiameter, this->TabletCupRadius,
      this->TabletBeltHeight, this->TabletEdgeRadius));
  }
  else if (this->Shape == "Clump")
  {
    std::vector<dem::Vec3d> centers;
    std::vector<double> radii;
    for (std::size_t i = 0; i + 3 < this->ClumpSpheres.size(); i += 4)
    {
      const double* s = this->ClumpSpheres.data() + i;
      centers.push_back({ s[0], s[1], s[2] });
      radii.push_back(s[3]);
    }
    shapes.push_back(dem::makeMultiSphere(this->Shape, centers, radii));
  }
  else if (std::find(solids.begin(), solids.end(), this->Shape) != solids.end())
  {
    const dem::Vec3d edges{ this->BrickEdges[0], this->BrickEdges[1], this->BrickEdges[2] };
    shapes.push_back(dem::makeNamedPolyhedron(
      this->Shape, this->Shape, this->Shape == "Brick" ? edges : dem::Vec3d{ 1, 1, 1 }));
  }
  else
  {
    std::string known = "Sphere, Tablet, Clump";
    for (const std::string& solid : solids)
    {
      known += ", " + solid;
    }
    throw dem::Error("Unknown shape \"" + this->Shape + "\". Known are: " + known +
      ", Polyhedron From Surface, Clump From Surface.");
  }
  // Two packings of the same kind of shape with different sizes may meet in one simulation.
  if (!this->ShapeName.empty())
  {
    shapes.back().name = this->ShapeName;
  }
}

//------------------------------------------------------------------------------
// Appends the shape that fills the closed `surface`, on rank 0. Collective.
void vtkDEMPacking::ReadShapeOfSurface(vtkPolyData* surface, std::vector<dem::Shape>& shapes)
{
  if (!surface)
  {
    throw dem::Error("Shape is \"" + this->Shape +
      "\", but Shape Surface has no input. Connect a closed surface.");
  }
  auto* controller = vtkDEMArrays::GetParallelController();
  vtkDEMSurfaceInput::TriangleMesh mesh =
    vtkDEMSurfaceInput::ReadGathered(surface, "Shape Surface", controller);
  vtkDEMSurfaceInput::MergePoints(mesh);
  if (controller && controller->GetLocalProcessId() > 0)
  {
    return;
  }
  if (this->Shape == "Polyhedron From Surface")
  {
    shapes.push_back(dem::makePolyhedron(this->Shape, mesh.Points, mesh.Triangles));
    return;
  }
  dem::ClumpFit fit;
  fit.spheres = this->ClumpSize;
  shapes.push_back(dem::makeMultiSphere(this->Shape, mesh.Points, mesh.Triangles, fit));
  const std::string warning = dem::lossWarning(shapes.back());
  if (!warning.empty())
  {
    vtkWarningMacro(<< warning << " Raise Clump Size.");
  }
}

//------------------------------------------------------------------------------
void vtkDEMPacking::SetNumberOfClumpSpheres(int count)
{
  const std::size_t size = 4 * static_cast<std::size_t>(std::max(0, count));
  if (this->ClumpSpheres.size() != size)
  {
    this->ClumpSpheres.resize(size, 0.0);
    this->Modified();
  }
}

//------------------------------------------------------------------------------
void vtkDEMPacking::SetClumpSphere(int row, double x, double y, double z, double radius)
{
  const std::size_t first = 4 * static_cast<std::size_t>(std::max(0, row));
  if (first + 4 > this->ClumpSpheres.size())
  {
    this->SetNumberOfClumpSpheres(row + 1);
  }
  const double values[4] = { x, y, z, radius };
  std::copy_n(values, 4, this->ClumpSpheres.begin() + static_cast<std::ptrdiff_t>(first));
  this->Modified();
}

//------------------------------------------------------------------------------
void vtkDEMPacking::ClearClumpSpheres() { this->SetNumberOfClumpSpheres(0); }

//------------------------------------------------------------------------------
void vtkDEMPacking::SetShapeName(const char* name)
{
  const std::string wanted = name ? name : "";
  if (this->ShapeName != wanted)
  {
    this->ShapeName = wanted;
    this->Modified();
  }
}

//------------------------------------------------------------------------------
const char* vtkDEMPacking::GetShapeName() const { return this->ShapeName.c_str(); }

//------------------------------------------------------------------------------
// The region of the packing: the box, or the closed surface at the input. Collective.
void vtkDEMPacking::ReadRegion(vtkInformationVector** inputVector, dem::PackingSpec& spec)
{
  spec.lower = { this->LowerCorner[0], this->LowerCorner[1], this->LowerCorner[2] };
  spec.upper = spec.lower + dem::Vec3d{ this->Size[0], this->Size[1], this->Size[2] };
  vtkPolyData* region = vtkPolyData::GetData(inputVector[INPUT_REGION], 0);
  if (!region)
  {
    return;
  }
  vtkDEMSurfaceInput::TriangleMesh mesh = vtkDEMSurfaceInput::ReadGathered(
    region, "The region of the packing", vtkDEMArrays::GetParallelController());
  if (!mesh.Points.empty() && !this->IntersectBox)
  {
    spec.lower = spec.upper = mesh.Points.front();
    for (const auto& p : mesh.Points)
    {
      spec.lower = { std::min(spec.lower.x, p.x), std::min(spec.lower.y, p.y),
        std::min(spec.lower.z, p.z) };
      spec.upper = { std::max(spec.upper.x, p.x), std::max(spec.upper.y, p.y),
        std::max(spec.upper.z, p.z) };
    }
  }
  spec.region_points = std::move(mesh.Points);
  spec.region_triangles = std::move(mesh.Triangles);
}

//------------------------------------------------------------------------------
// Arrangement, sizes and motion of the grains. `shapes` is the sphere and, if there is one, the
// shape of the packing. Throws dem::Error.
void vtkDEMPacking::FillSpec(const std::vector<dem::Shape>& shapes, dem::PackingSpec& spec) const
{
  spec.kind = vtkDEMChoice::Choice<dem::PackingKind>(
    "Arrangement", this->Arrangement, dem::kPackingKindNames);
  spec.radius_kind = vtkDEMChoice::Choice<dem::RadiusKind>(
    "RadiusDistribution", this->RadiusDistribution, dem::kRadiusKindNames);
  spec.count = this->Count;
  spec.spacing = this->Spacing;
  spec.jitter = this->Jitter;
  spec.radius = this->Radius;
  spec.radius_min = this->MinimumRadius;
  spec.radius_max = this->MaximumRadius;
  spec.radius_deviation = this->RadiusDeviation;
  spec.table_radius = this->TableRadius;
  spec.table_fraction = this->TableFraction;
  spec.velocity = { this->Velocity[0], this->Velocity[1], this->Velocity[2] };
  const double toRadians = vtkMath::RadiansFromDegrees(1.0);
  spec.angular_velocity = toRadians *
    dem::Vec3d{ this->AngularVelocity[0], this->AngularVelocity[1], this->AngularVelocity[2] };
  spec.seed = static_cast<std::uint64_t>(std::max(0, this->Seed));
  if (shapes.size() > 1)
  {
    const dem::Shape& shape = shapes[1];
    spec.shape = 1;
    spec.turned = this->RandomOrientation;
    spec.reach = shape.mass.bounding_radius / dem::equalRadius(shape);
    constexpr const char* sizes[] = { "By Radius", "As Stated" };
    if (vtkDEMChoice::Choice<ShapeSizes>("ShapeSize", this->ShapeSize, sizes) == AS_STATED)
    {
      spec.radius_kind = dem::RadiusKind::Single;
      spec.radius = dem::equalRadius(shape);
    }
  }
}

//------------------------------------------------------------------------------
int vtkDEMPacking::RequestData(vtkInformation* vtkNotUsed(request),
  vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  this->ErrorCode = vtkErrorCode::NoError;
  auto* controller = vtkDEMArrays::GetParallelController();
  dem::ParticleInput particles;
  std::vector<dem::Shape> shapes{ dem::makeSphere() };
  try
  {
    dem::PackingSpec spec;
    vtkDEMCollectiveReads reads;
    reads.Try([&] { this->ReadShape(inputVector, shapes); });
    reads.Try([&] { this->ReadRegion(inputVector, spec); });
    reads.ThrowError(this);
    if (!controller || controller->GetLocalProcessId() == 0)
    {
      this->FillSpec(shapes, spec);
      particles = dem::makePacking(spec);
    }
  }
  catch (const std::exception& e)
  {
    if (e.what() != std::string(vtkDEMArrays::InputFailed))
    {
      vtkErrorMacro(<< vtkDEMLabels::InMessage(e.what()));
    }
    this->ErrorCode = vtkErrorCode::UserError; // not by its setter, which marks this as modified
    particles = dem::ParticleInput{};
    shapes.resize(1);
  }
  vtkDEMParticleInput::Write(
    particles, this->Material, shapes, vtkPolyData::GetData(outputVector, 0));
  return 1;
}

//------------------------------------------------------------------------------
void vtkDEMPacking::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Arrangement: " << this->Arrangement << endl;
  os << indent << "LowerCorner: " << this->LowerCorner[0] << " " << this->LowerCorner[1] << " "
     << this->LowerCorner[2] << endl;
  os << indent << "Size: " << this->Size[0] << " " << this->Size[1] << " " << this->Size[2] << endl;
  os << indent << "IntersectBox: " << this->IntersectBox << endl;
  os << indent << "Count: " << this->Count << endl;
  os << indent << "Spacing: " << this->Spacing << endl;
  os << indent << "Jitter: " << this->Jitter << endl;
  os << indent << "RadiusDistribution: " << this->RadiusDistribution << endl;
  os << indent << "Radius: " << this->Radius << endl;
  os << indent << "MinimumRadius: " << this->MinimumRadius << endl;
  os << indent << "MaximumRadius: " << this->MaximumRadius << endl;
  os << indent << "RadiusDeviation: " << this->RadiusDeviation << endl;
  os << indent << "Velocity: " << this->Velocity[0] << " " << this->Velocity[1] << " "
     << this->Velocity[2] << endl;
  os << indent << "AngularVelocity: " << this->AngularVelocity[0] << " " << this->AngularVelocity[1]
     << " " << this->AngularVelocity[2] << endl;
  os << indent << "Seed: " << this->Seed << endl;
  os << indent << "Radii in the table: " << this->TableRadius.size() << endl;
  os << indent << "Material: " << this->Material << endl;
  os << indent << "Shape: " << this->Shape << endl;
  os << indent << "ShapeName: " << this->ShapeName << endl;
  os << indent << "ShapeSize: " << this->ShapeSize << endl;
  os << indent << "RandomOrientation: " << this->RandomOrientation << endl;
  os << indent << "TabletDiameter: " << this->TabletDiameter << endl;
  os << indent << "TabletCupRadius: " << this->TabletCupRadius << endl;
  os << indent << "TabletBeltHeight: " << this->TabletBeltHeight << endl;
  os << indent << "TabletEdgeRadius: " << this->TabletEdgeRadius << endl;
  os << indent << "BrickEdges: " << this->BrickEdges[0] << " " << this->BrickEdges[1] << " "
     << this->BrickEdges[2] << endl;
  os << indent << "ClumpSize: " << this->ClumpSize << endl;
  os << indent << "Spheres of the clump: " << this->ClumpSpheres.size() / 4 << endl;
}
