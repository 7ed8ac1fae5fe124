#include "vtkMPMFrameOutput.h"

#include "Bridge/vtkDEMArrays.h"
#include "Bridge/vtkDEMFrameHandle.h"

#include "vtkCellArray.h"
#include "vtkCellData.h"
#include "vtkCompositeDataSet.h"
#include "vtkDataArraySelection.h"
#include "vtkDataSetAttributes.h"
#include "vtkDoubleArray.h"
#include "vtkFloatArray.h"
#include "vtkIdTypeArray.h"
#include "vtkImageData.h"
#include "vtkInformation.h"
#include "vtkIntArray.h"
#include "vtkMultiBlockDataSet.h"
#include "vtkPointData.h"
#include "vtkPolyData.h"
#include "vtkTable.h"
#include "vtkUnsignedCharArray.h"

#include <algorithm>
#include <cmath>

namespace
{

using vtkDEMArrays::Share;

//------------------------------------------------------------------------------
void NameComponents(vtkDataArray* array, const std::vector<const char*>& names)
{
  for (std::size_t i = 0; array && i < names.size(); ++i)
  {
    array->SetComponentName(static_cast<vtkIdType>(i), names[i]);
  }
}

//------------------------------------------------------------------------------
// The frame of a continuum as a frame of grains with the same arrays, for vtkDEMFrameHandle.
std::shared_ptr<const dem::Frame> Grains(const mpm::Frame& frame)
{
  auto grains = std::make_shared<dem::Frame>();
  grains->time = frame.time;
  grains->step = frame.step;
  grains->run = frame.run;
  grains->size = frame.size;
  grains->position = frame.position;
  grains->id = frame.id;
  grains->radius = frame.radius;
  grains->velocity = frame.velocity;
  grains->mass = frame.mass;
  grains->material = frame.material;
  grains->stress = frame.stress;
  grains->on_device = frame.on_device;
  return grains;
}

//------------------------------------------------------------------------------
void FillPoints(const mpm::Frame& frame, vtkDataArraySelection* arrays, vtkCellArray* vertices,
  vtkPolyData* output)
{
  vtkNew<vtkPoints> points;
  points->SetData(Share<vtkDoubleArray>(frame.position, "Points", 3));
  output->SetPoints(points);
  output->SetVerts(vertices);
  vtkPointData* data = output->GetPointData();
  data->SetGlobalIds(Share<vtkIdTypeArray>(frame.id, "Id", 1));
  data->AddArray(Share<vtkFloatArray>(frame.radius, "Radius", 1));
  const auto add = [&](const char* name, vtkDataArray* array)
  {
    if (arrays->ArrayIsEnabled(name))
    {
      data->AddArray(array);
    }
  };
  add("Velocity", Share<vtkFloatArray>(frame.velocity, "Velocity", 3));
  add("Mass", Share<vtkFloatArray>(frame.mass, "Mass", 1));
  add("Volume", Share<vtkFloatArray>(frame.volume, "Volume", 1));
  add("J", Share<vtkFloatArray>(frame.jacobian, "J", 1));
  add("DeformationGradient", Share<vtkFloatArray>(frame.deformation, "DeformationGradient", 9));
  add("Stress", Share<vtkFloatArray>(frame.stress, "Stress", 6));
  add("VonMises", Share<vtkFloatArray>(frame.von_mises, "VonMises", 1));
  add("PlasticStrain", Share<vtkFloatArray>(frame.plastic_strain, "PlasticStrain", 1));
  add("Material", Share<vtkIntArray>(frame.material, "Material", 1));
  NameComponents(data->GetArray("Stress"), { "XX", "YY", "ZZ", "XY", "YZ", "XZ" });
  NameComponents(data->GetArray("DeformationGradient"),
    { "XX", "XY", "XZ", "YX", "YY", "YZ", "ZX", "ZY", "ZZ" });
  data->SetActiveScalars(arrays->ArrayIsEnabled("Velocity") ? "Velocity" : "Radius");
}

//------------------------------------------------------------------------------
// The bounding box of the nodes with mass. Cells with a node without mass are hidden, so that
// nothing is interpolated between material and empty space.
vtkSmartPointer<vtkImageData> MakeGrid(const mpm::GridArrays& grid, vtkDataArraySelection* arrays)
{
  auto image = vtkSmartPointer<vtkImageData>::New();
  if (grid.size == 0)
  {
    return image;
  }
  const auto& n = grid.nodes;
  image->SetOrigin(grid.origin.data());
  image->SetSpacing(grid.spacing, grid.spacing, grid.spacing);
  image->SetDimensions(n.data());
  const vtkIdType nodes = image->GetNumberOfPoints();
  const auto spread = [&](const char* name, const dem::HostArray<float>& values, int components)
  {
    if (!arrays->ArrayIsEnabled(name))
    {
      return;
    }
    vtkNew<vtkFloatArray> array;
    array->SetName(name);
    array->SetNumberOfComponents(components);
    array->SetNumberOfTuples(nodes);
    array->FillValue(0);
    float* to = array->GetPointer(0);
    for (std::size_t i = 0; i < grid.size; ++i)
    {
      for (int k = 0; k < components; ++k)
      {
        to[components * grid.index[i] + k] = values[components * i + k];
      }
    }
    image->GetPointData()->AddArray(array);
  };
  spread("Mass", grid.mass, 1);
  spread("Velocity", grid.velocity, 3);
  spread("Pressure", grid.pressure, 1);
  image->GetPointData()->SetActiveScalars(arrays->ArrayIsEnabled("Velocity") ? "Velocity"
      : arrays->ArrayIsEnabled("Pressure")                                   ? "Pressure"
                                                                             : "Mass");

  std::vector<unsigned char> active(static_cast<std::size_t>(nodes), 0);
  for (std::size_t i = 0; i < grid.size; ++i)
  {
    active[static_cast<std::size_t>(grid.index[i])] = 1;
  }
  vtkNew<vtkUnsignedCharArray> hidden;
  hidden->SetName(vtkDataSetAttributes::GhostArrayName());
  hidden->SetNumberOfValues(image->GetNumberOfCells());
  vtkIdType cell = 0;
  for (int z = 0; z + 1 < n[2]; ++z)
  {
    for (int y = 0; y + 1 < n[1]; ++y)
    {
      for (int x = 0; x + 1 < n[0]; ++x, ++cell)
      {
        bool whole = true;
        for (int corner = 0; corner < 8; ++corner)
        {
          const std::size_t node = x + (corner & 1) +
            static_cast<std::size_t>(n[0]) *
              (y + (corner >> 1 & 1) + static_cast<std::size_t>(n[1]) * (z + (corner >> 2)));
          whole = whole && active[node];
        }
        hidden->SetValue(cell, whole ? 0 : vtkDataSetAttributes::HIDDENCELL);
      }
    }
  }
  image->GetCellData()->AddArray(hidden);
  return image;
}

//------------------------------------------------------------------------------
// Adds the statistics to the field data of an output or to a row of the table.
void AddStatistics(const mpm::Frame& frame, vtkFieldData* data)
{
  const mpm::Statistics& s = frame.statistics;
  const auto number = [data](const char* name, double value)
  { vtkDEMArrays::AddNumber(data, name, value); };
  const auto integer = [data](const char* name, std::uint64_t value)
  { vtkDEMArrays::AddInteger(data, name, static_cast<std::int64_t>(value)); };
  const auto vector = [data](const char* name, const double* value)
  {
    vtkNew<vtkDoubleArray> array;
    array->SetName(name);
    array->SetNumberOfComponents(3);
    NameComponents(array, { "X", "Y", "Z" });
    array->InsertNextTuple(value);
    data->AddArray(array);
  };
  number("Time", s.time);
  integer("Step", s.step);
  number("TimeStep", s.time_step);
  integer("SubSteps", s.sub_steps);
  number("KineticEnergy", s.kinetic_energy);
  number("AffineEnergy", s.affine_energy);
  number("PotentialEnergy", s.potential_energy);
  number("ElasticEnergy", s.elastic_energy);
  number("TotalMass", s.mass);
  vector("Momentum", s.momentum);
  vector("AngularMomentum", s.angular_momentum);
  number("LargestSpeed", s.largest_speed);
  number("LargestCourantNumber", s.largest_cfl);
  number("SmallestJ", s.smallest_jacobian);
  number("LargestJ", s.largest_jacobian);
  integer("PointCount", s.points);
  integer("LostCount", s.lost);
  integer("ActiveBlocks", s.active_blocks);
  integer("ActiveNodes", s.active_nodes);
  integer("NewtonIterations", s.newton_iterations);
  integer("HessianProducts", s.hessian_products);
  number("StepsPerSecond", s.steps_per_second);
  vtkDEMArrays::AddText(data, "Device", frame.device);
}

//------------------------------------------------------------------------------
// Fills the walls as moved at the time of the frame, with their loads; none without a `scene`.
void FillWalls(const mpm::Frame& frame, const mpm::Scene* scene, vtkPolyData* walls)
{
  dem::Domain domain;
  if (scene)
  {
    domain.lower = scene->domain.lower;
    domain.upper = scene->domain.upper;
  }
  vtkDEMFrameOutput::FillWalls(
    scene ? scene->walls : std::vector<dem::Wall>(), &frame.walls, domain, frame.time, walls);
  if (scene)
  {
    const bool periodic[3] = { false, false, false };
    vtkDEMArrays::AddBox(walls->GetFieldData(), domain.lower, domain.upper, periodic);
    bool closed[6];
    std::transform(scene->domain.border.begin(), scene->domain.border.end(), closed,
      [](mpm::Border border) { return border != mpm::Border::Remove; });
    vtkDEMArrays::AddClosedBorders(walls->GetFieldData(), closed);
  }
}

//------------------------------------------------------------------------------
// One row of the statistics, or, unless `filled`, its columns only.
void FillTable(const mpm::Frame& frame, bool filled, vtkTable* table)
{
  vtkNew<vtkFieldData> row;
  AddStatistics(frame, row);
  vtkDEMArrays::AddColumns(row, filled, table);
}

} // namespace

//------------------------------------------------------------------------------
void vtkMPMFrameOutput::Fill(const std::shared_ptr<const mpm::Frame>& frame,
  const mpm::Scene* scene, const dem::Vec3d& gravity, const std::vector<std::string>& materials,
  vtkDataArraySelection* pointArrays, vtkDataArraySelection* gridArrays, vtkPolyData* points,
  vtkMultiBlockDataSet* grid, vtkPolyData* walls, vtkTable* table)
{
  const mpm::Frame empty;
  const mpm::Frame& source = frame ? *frame : empty;
  const bool any = scene && frame;
  // Remove the field data that the executive passes from the first input: it describes the input.
  for (vtkDataObject* port :
    { static_cast<vtkDataObject*>(points), static_cast<vtkDataObject*>(grid),
      static_cast<vtkDataObject*>(walls), static_cast<vtkDataObject*>(table) })
  {
    port->GetFieldData()->Initialize();
  }

  FillPoints(source, pointArrays, this->Shared.Cells(source.size, 1), points);
  vtkDEMArrays::AddMaterials(points->GetFieldData(), any ? materials : std::vector<std::string>{});
  vtkDEMArrays::AddText(points->GetFieldData(), "Method", "MPM");
  if (any)
  {
    const bool periodic[3] = { false, false, false };
    vtkDEMArrays::AddBox(
      points->GetFieldData(), scene->domain.lower, scene->domain.upper, periodic);
    const auto& border = scene->domain.border;
    if (std::count(border.begin(), border.end(), mpm::Border::Remove))
    {
      vtkDEMArrays::AddExits(points->GetFieldData(), frame->exited_id, frame->exited_position);
    }
  }

  this->AsGrains.reset();
  if (frame)
  {
    this->AsGrains = Grains(*frame);
    vtkDEMFrameHandle::Mark(this->AsGrains, points, nullptr);
  }

  grid->SetNumberOfBlocks(1);
  if (frame)
  {
    grid->SetBlock(0, MakeGrid(source.grid, gridArrays));
  }
  grid->GetMetaData(0u)->Set(vtkCompositeDataSet::NAME(), "Grid");

  FillWalls(source, any ? scene : nullptr, walls);
  for (vtkPolyData* port :
    { points,
      walls }) // both, since walls may have no cells, and then the client ignores their field data
  {
    if (any)
    {
      vtkDEMArrays::AddGravity(port->GetFieldData(), gravity);
    }
  }

  for (vtkDataObject* port : { static_cast<vtkDataObject*>(points),
         static_cast<vtkDataObject*>(grid), static_cast<vtkDataObject*>(walls) })
  {
    if (frame)
    {
      AddStatistics(source, port->GetFieldData());
    }
  }
  FillTable(source, frame != nullptr, table);
}
