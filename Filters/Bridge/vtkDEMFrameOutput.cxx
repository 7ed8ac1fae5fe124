#include "vtkDEMFrameOutput.h"

#include "Analysis/CellAverage.h"
#include "Bridge/vtkDEMArrays.h"
#include "Scene/AveragesGrid.h"
#include "Bridge/vtkDEMShapeInput.h"
#include "Bridge/vtkDEMWallInput.h"

#include "Scene/ShapeText.h"

#include "vtkCellArray.h"
#include "vtkCellData.h"
#include "vtkDataArraySelection.h"
#include "vtkDoubleArray.h"
#include "vtkFloatArray.h"
#include "vtkIdTypeArray.h"
#include "vtkImageData.h"
#include "vtkIntArray.h"
#include "vtkPointData.h"
#include "vtkPolyData.h"
#include "vtkStringArray.h"
#include "vtkTable.h"
#include "vtkTypeInt32Array.h"
#include "vtkUnsignedCharArray.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace
{

static_assert(sizeof(vtkIdType) == sizeof(std::int64_t), "ParaGrain needs a VTK with 64-bit ids");

//------------------------------------------------------------------------------
void FillParticles(const dem::Frame& frame, const dem::FrameSelection& selection,
  vtkCellArray* vertices, vtkPolyData* output)
{
  using vtkDEMArrays::Share;
  vtkNew<vtkPoints> points;
  points->SetData(Share<vtkDoubleArray>(frame.position, "Points", 3));
  output->SetPoints(points);
  output->SetVerts(vertices);

  vtkPointData* data = output->GetPointData();
  data->SetGlobalIds(Share<vtkIdTypeArray>(frame.id, "Id", 1));
  data->AddArray(Share<vtkFloatArray>(frame.radius, "Radius", 1));
  const auto add = [data](bool selected, vtkDataArray* array)
  {
    if (selected)
    {
      data->AddArray(array);
    }
  };
  add(selection.velocity, Share<vtkFloatArray>(frame.velocity, "Velocity", 3));
  add(
    selection.angular_velocity, Share<vtkFloatArray>(frame.angular_velocity, "AngularVelocity", 3));
  add(selection.orientation, Share<vtkFloatArray>(frame.orientation, "Orientation", 4));
  add(selection.force, Share<vtkFloatArray>(frame.force, "Force", 3));
  add(selection.torque, Share<vtkFloatArray>(frame.torque, "Torque", 3));
  add(selection.mass, Share<vtkFloatArray>(frame.mass, "Mass", 1));
  add(selection.material, Share<vtkIntArray>(frame.material, "Material", 1));
  add(selection.shape, Share<vtkIntArray>(frame.shape, "Shape", 1));
  add(selection.coordination_number,
    Share<vtkIntArray>(frame.coordination_number, "CoordinationNumber", 1));
  add(selection.stress, Share<vtkFloatArray>(frame.stress, "Stress", 6));
  for (std::size_t k = 0; k < dem::kPassiveCount; ++k)
  {
    add(selection.passive[k],
      Share<vtkDoubleArray>(frame.passive[k], dem::kPassiveColumns[k].name, 1));
  }
  if (auto* stress = data->GetArray("Stress"))
  {
    constexpr const char* names[6] = { "XX", "YY", "ZZ", "XY", "YZ", "XZ" };
    for (int i = 0; i < 6; ++i)
    {
      stress->SetComponentName(i, names[i]);
    }
  }
  if (auto* orientation = data->GetArray("Orientation"))
  {
    constexpr const char* names[4] = { "W", "X", "Y", "Z" };
    for (int i = 0; i < 4; ++i)
    {
      orientation->SetComponentName(i, names[i]);
    }
  }
  if (!frame.fluid_force.empty())
  {
    data->AddArray(Share<vtkFloatArray>(frame.fluid_force, "FluidForce", 3));
  }
  data->SetActiveScalars(selection.velocity ? "Velocity" : "Radius");
}

//------------------------------------------------------------------------------
// Adds the coating by the spray, with `patches` patches a grain.
void AddCoating(const dem::CoatingArrays& coating, int patches, vtkPolyData* output)
{
  using vtkDEMArrays::Share;
  vtkPointData* data = output->GetPointData();
  data->AddArray(Share<vtkDoubleArray>(coating.mass, "CoatingMass", 1));
  data->AddArray(Share<vtkIdTypeArray>(coating.hits, "SprayHits", 1));
  data->AddArray(Share<vtkDoubleArray>(coating.time, "SprayTime", 1));
  if (patches > 0)
  {
    data->AddArray(Share<vtkDoubleArray>(coating.patch_mass, "CoatingPatchMass", patches));
    data->AddArray(Share<vtkDoubleArray>(coating.patch_variation, "PatchVariation", 1));
  }
}

//------------------------------------------------------------------------------
// Adds Scale, the size of each grain relative to the definition of its shape, for glyphs.
void AddScale(const dem::Scene& scene, const dem::Frame& frame, vtkPolyData* output)
{
  if (frame.shape.size() != frame.radius.size())
  {
    return; // not selected
  }
  std::vector<double> radius;
  for (const dem::Shape& shape : scene.shapes)
  {
    radius.push_back(dem::equalRadius(shape));
  }
  vtkNew<vtkFloatArray> scale;
  scale->SetName("Scale");
  scale->SetNumberOfTuples(static_cast<vtkIdType>(frame.radius.size()));
  for (std::size_t i = 0; i < frame.radius.size(); ++i)
  {
    scale->SetValue(static_cast<vtkIdType>(i),
      static_cast<float>(frame.radius[i] / radius[static_cast<std::size_t>(frame.shape[i])]));
  }
  output->GetPointData()->AddArray(scale);
}

//------------------------------------------------------------------------------
void FillContacts(const dem::ContactArrays& contacts, vtkDataArraySelection* arrays,
  bool statistics, vtkCellArray* lines, vtkPolyData* output)
{
  using vtkDEMArrays::Share;
  vtkNew<vtkPoints> points;
  points->SetData(Share<vtkDoubleArray>(contacts.ends, "Points", 3));
  output->SetPoints(points);
  output->SetLines(lines);
  output->GetPointData()->AddArray(Share<vtkIdTypeArray>(contacts.ids, "Id", 1));

  vtkCellData* data = output->GetCellData();
  data->AddArray(Share<vtkIdTypeArray>(contacts.ids, "ParticleIds", 2));
  if (contacts.of_bodies)
  {
    data->AddArray(Share<vtkDoubleArray>(contacts.point, "ContactPoint", 3));
  }
  const auto add = [data, arrays](const char* name, vtkDataArray* array)
  {
    if (arrays->ArrayIsEnabled(name))
    {
      data->AddArray(array);
    }
  };
  add("NormalForce", Share<vtkFloatArray>(contacts.normal_force, "NormalForce", 3));
  add("TangentialForce", Share<vtkFloatArray>(contacts.tangential_force, "TangentialForce", 3));
  add("Overlap", Share<vtkFloatArray>(contacts.overlap, "Overlap", 1));
  add("Sliding", Share<vtkUnsignedCharArray>(contacts.sliding, "Sliding", 1));
  if (statistics)
  {
    add("Age", Share<vtkFloatArray>(contacts.age, "Age", 1));
    add("SlipDistance", Share<vtkFloatArray>(contacts.slip_distance, "SlipDistance", 1));
    add(
      "DissipatedEnergy", Share<vtkFloatArray>(contacts.dissipated_energy, "DissipatedEnergy", 1));
  }
  if (contacts.of_cohesion)
  {
    add("CohesiveForce", Share<vtkFloatArray>(contacts.cohesive_force, "CohesiveForce", 3));
  }
  if (data->GetArray("NormalForce"))
  {
    data->SetActiveScalars("NormalForce");
  }
}

//------------------------------------------------------------------------------
struct WallCells
{
  vtkNew<vtkPoints> Points;
  vtkNew<vtkCellArray> Polys;
  vtkNew<vtkCellArray> Lines;
  vtkNew<vtkIntArray> Wall;
  vtkNew<vtkFloatArray> Pressure;
  vtkNew<vtkFloatArray> ShearStress;
  vtkNew<vtkFloatArray> Force;
  vtkNew<vtkDoubleArray> Temperature;
  vtkNew<vtkDoubleArray> Heat;
  vtkNew<vtkDoubleArray> HeatFlux;
  vtkNew<vtkDoubleArray> CoatingMass;

  WallCells()
  {
    this->Points->SetDataTypeToDouble();
    this->Wall->SetName("Wall");
    this->Pressure->SetName("Pressure");
    this->ShearStress->SetName("ShearStress");
    this->Force->SetName("Force");
    this->Force->SetNumberOfComponents(3);
    this->CoatingMass->SetName("CoatingMass");
    this->Temperature->SetName("Temperature");
    this->Heat->SetName("Heat");
    this->HeatFlux->SetName("HeatFlux");
  }

  /**
   * Adds the heat of a cell: `heat` since the start in J, `flux` in W/m^2. The temperature of walls
   * without one is NaN.
   */
  void AddHeat(const dem::WallFrame& frame, double heat, double flux)
  {
    this->Temperature->InsertNextValue(
      frame.has_temperature ? frame.temperature : std::numeric_limits<double>::quiet_NaN());
    this->Heat->InsertNextValue(heat);
    this->HeatFlux->InsertNextValue(flux);
  }
};

//------------------------------------------------------------------------------
void AppendMesh(const dem::Wall& wall, const dem::WallFrame& frame, const dem::WallMotion& motion,
  double time, int index, WallCells& cells)
{
  const vtkIdType first = cells.Points->GetNumberOfPoints();
  if (frame.points.size() == 3 * wall.points.size())
  {
    for (std::size_t i = 0; i < wall.points.size(); ++i)
    {
      cells.Points->InsertNextPoint(frame.points.data() + 3 * i);
    }
  }
  else
  {
    for (const auto& point : wall.points)
    {
      const dem::Vec3d p = vtkDEMWallInput::Moved(motion, time, point);
      cells.Points->InsertNextPoint(p.x, p.y, p.z);
    }
  }
  const bool loads = frame.pressure.size() == wall.triangles.size() &&
    frame.shear_stress.size() == wall.triangles.size() &&
    frame.force.size() == 3 * wall.triangles.size();
  for (std::size_t i = 0; i < wall.triangles.size(); ++i)
  {
    const vtkIdType ids[3] = { first + wall.triangles[i][0], first + wall.triangles[i][1],
      first + wall.triangles[i][2] };
    cells.Polys->InsertNextCell(3, ids);
    cells.Wall->InsertNextValue(index);
    cells.Pressure->InsertNextValue(loads ? frame.pressure[i] : 0);
    cells.ShearStress->InsertNextValue(loads ? frame.shear_stress[i] : 0);
    const float none[3] = { 0, 0, 0 };
    cells.Force->InsertNextTypedTuple(loads ? frame.force.data() + 3 * i : none);
    const bool heat = frame.heat.size() == wall.triangles.size();
    cells.AddHeat(frame, heat ? frame.heat[i] : 0, heat ? frame.heat_flux[i] : 0);
    cells.CoatingMass->InsertNextValue(
      frame.coating_mass.size() == wall.triangles.size() ? frame.coating_mass[i] : 0);
  }
}

//------------------------------------------------------------------------------
// The load of an analytic wall, which has no elements, is spread evenly over its polygons.
void AppendAnalytic(const dem::Wall& wall, const dem::WallFrame& frame,
  const dem::WallMotion& motion, const dem::Domain& domain, double time, int index,
  WallCells& cells)
{
  std::vector<dem::Vec3d> points;
  std::vector<std::vector<std::int32_t>> polygons;
  const dem::Vec3d center = 0.5 * (domain.lower + domain.upper);
  const double extent = domain.limited ? dem::length(domain.upper - domain.lower) : 2.0;
  vtkDEMWallInput::Tessellate(wall, center, extent, points, polygons);
  for (auto& point : points)
  {
    point = vtkDEMWallInput::Moved(motion, time, point);
  }

  const vtkIdType first = cells.Points->GetNumberOfPoints();
  for (const auto& point : points)
  {
    cells.Points->InsertNextPoint(point.x, point.y, point.z);
  }
  double total = 0;
  std::vector<dem::Vec3d> areas;
  for (const auto& polygon : polygons)
  {
    dem::Vec3d area{};
    for (std::size_t k = 2; k < polygon.size(); ++k)
    {
      const dem::Vec3d& a = points[polygon[0]];
      area += 0.5 * dem::cross(points[polygon[k - 1]] - a, points[polygon[k]] - a);
    }
    areas.push_back(area);
    total += dem::length(area);
  }
  const dem::Vec3d load{ frame.total_force[0], frame.total_force[1], frame.total_force[2] };
  for (std::size_t i = 0; i < polygons.size(); ++i)
  {
    std::vector<vtkIdType> ids;
    for (std::int32_t id : polygons[i])
    {
      ids.push_back(first + id);
    }
    vtkCellArray* into = ids.size() > 2 ? static_cast<vtkCellArray*>(cells.Polys)
                                        : static_cast<vtkCellArray*>(cells.Lines);
    into->InsertNextCell(static_cast<vtkIdType>(ids.size()), ids.data());
    cells.Wall->InsertNextValue(index);
    const double area = dem::length(areas[i]);
    const dem::Vec3d traction = total > 0 ? (1 / total) * load : dem::Vec3d{};
    const dem::Vec3d normal = area > 0 ? (1 / area) * areas[i] : dem::Vec3d{};
    const double pressure = dem::dot(traction, normal);
    cells.Pressure->InsertNextValue(static_cast<float>(std::abs(pressure)));
    cells.ShearStress->InsertNextValue(
      static_cast<float>(dem::length(traction - pressure * normal)));
    const double part = total > 0 ? area / total : 1.0 / polygons.size();
    const dem::Vec3d share = part * load;
    cells.Force->InsertNextTuple3(share.x, share.y, share.z);
    cells.AddHeat(frame, part * frame.total_heat, total > 0 ? frame.total_heat_flow / total : 0);
    cells.CoatingMass->InsertNextValue(part * frame.total_coating);
  }
}

//------------------------------------------------------------------------------
// If averages are off, an empty image with the same arrays. If they are on but the frame has none,
// the grid alone: with another extent than declared, the pipeline would execute again.
void FillAverages(
  const dem::Frame* frame, const dem::Scene* scene, const int* cells, vtkImageData* output)
{
  using vtkDEMArrays::Share;
  const bool asked = cells[0] > 0 && cells[1] > 0 && cells[2] > 0;
  const int species = scene ? static_cast<int>(scene->materials.size()) : 1;
  const auto fields = dem::cellAverageFields(species, scene && scene->heat.on());
  const bool any = asked && frame && scene && scene->averages.enabled &&
    frame->averages.mean.size() == fields.size();
  int extent[6] = { 0, -1, 0, -1, 0, -1 };
  for (int k = 0; k < 3 && asked; ++k)
  {
    extent[2 * k + 1] = cells[k];
  }
  if (any)
  {
    // as in the run, whose automatic domain depends on the particles
    const dem::AveragesGrid grid = dem::averagesGrid(*scene);
    double spacing[3];
    for (int k = 0; k < 3; ++k)
    {
      spacing[k] = (grid.upper[k] - grid.lower[k]) / grid.cells[k];
    }
    output->SetOrigin(grid.lower.x, grid.lower.y, grid.lower.z);
    output->SetSpacing(spacing);
  }
  output->SetExtent(extent);
  if (asked && !any)
  {
    return;
  }
  vtkCellData* data = output->GetCellData();
  for (std::size_t f = 0; f < fields.size(); ++f)
  {
    const int components = fields[f].components;
    const dem::HostArray<double> none;
    const auto mean = Share<vtkDoubleArray>(
      any ? frame->averages.mean[f] : none, fields[f].name.c_str(), components);
    const auto error = Share<vtkDoubleArray>(any ? frame->averages.error[f] : none,
      (fields[f].name + "StandardError").c_str(), components);
    for (vtkDoubleArray* array : { mean.Get(), error.Get() })
    {
      if (components == 6)
      {
        constexpr const char* names[6] = { "XX", "YY", "ZZ", "XY", "YZ", "XZ" };
        for (int i = 0; i < 6; ++i)
        {
          array->SetComponentName(i, names[i]);
        }
      }
      else if (scene && fields[f].name == "SpeciesFraction")
      {
        for (int i = 0; i < species; ++i)
        {
          array->SetComponentName(i, scene->materials[i].name.c_str());
        }
      }
      data->AddArray(array);
    }
  }
  const dem::HostArray<std::int32_t> none;
  data->AddArray(Share<vtkIntArray>(any ? frame->averages.count : none, "Count", 1));
  data->SetActiveScalars("SolidFraction");
  vtkDEMArrays::AddInteger(output->GetFieldData(), "Samples",
    any ? static_cast<std::int64_t>(frame->averages.samples) : 0);
}

//------------------------------------------------------------------------------
// The computed flow; without one an empty image with the same arrays.
void FillFluid(const dem::FluidImage& fluid, double time, vtkImageData* output)
{
  using vtkDEMArrays::Share;
  output->SetOrigin(fluid.origin.x, fluid.origin.y, fluid.origin.z);
  output->SetSpacing(fluid.spacing.x, fluid.spacing.y, fluid.spacing.z);
  int extent[6] = { 0, -1, 0, -1, 0, -1 };
  for (int k = 0; k < 3 && !fluid.empty(); ++k)
  {
    extent[2 * k + 1] = fluid.cells[k];
  }
  output->SetExtent(extent);
  vtkCellData* data = output->GetCellData();
  data->AddArray(Share<vtkDoubleArray>(fluid.velocity, "Velocity", 3));
  data->AddArray(Share<vtkDoubleArray>(fluid.pressure, "Pressure", 1));
  data->AddArray(Share<vtkDoubleArray>(fluid.void_fraction, "VoidFraction", 1));
  data->AddArray(Share<vtkDoubleArray>(fluid.drag_force, "DragForce", 3));
  data->SetActiveVectors("Velocity");
  data->SetActiveScalars("Velocity");
  if (!fluid.empty()) // in another process an empty image keeps old data
  {
    vtkDEMArrays::AddNumber(output->GetFieldData(), "Time", time);
  }
}

//------------------------------------------------------------------------------
// Adds the same numbers to the field data of all outputs and to the table.
template <class NumberF, class IntegerF, class TextF>
void VisitStatistics(const dem::Frame& frame, NumberF&& number, IntegerF&& integer, TextF&& text)
{
  const dem::Statistics& s = frame.statistics;
  number("Time", s.time);
  integer("Step", s.step);
  number("TimeStep", s.time_step);
  number("KineticEnergy", s.kinetic_energy);
  number("PotentialEnergy", s.potential_energy);
  number("DissipatedEnergy", s.dissipated_energy);
  number("StiffnessWork", s.stiffness_work);
  number("WallWork", s.wall_work);
  number("RemovedEnergy", s.removed_energy);
  number("EnergyError", s.energy_error);
  if (s.has_heat)
  {
    number("ThermalEnergy", s.thermal_energy);
    number("HeatFromWalls", s.heat_from_walls);
    number("HeatFromDissipation", s.heat_from_dissipation);
    number("DissipationInWalls", s.dissipation_in_walls);
  }
  integer("ParticleCount", s.particles);
  integer("LostCount", s.lost);
  integer("ContactCount", s.contacts);
  number("LargestOverlapRatio", s.largest_overlap);
  if (s.has_spray)
  {
    integer("SprayEmitted", s.spray_emitted);
    integer("SprayOnGrains", s.spray_on_grains);
    integer("SprayOnWalls", s.spray_on_walls);
    integer("SprayMissed", s.spray_missed);
    number("SprayedMass", s.sprayed_mass);
    number("SprayedOnGrains", s.sprayed_on_grains);
    number("SprayedOnWalls", s.sprayed_on_walls);
    number("CoatingVariation", s.coating_variation);
    if (s.has_patches)
    {
      number("PatchVariation", s.patch_variation);
    }
  }
  if (s.has_fluid)
  {
    number("FluidWork", s.fluid_work);
    integer("OutsideFluid", s.outside_fluid);
  }
  if (s.has_flow)
  {
    number("FluidPressureDrop", s.fluid_pressure_drop);
    number("FluidMomentumX", s.fluid_momentum.x);
    number("FluidMomentumY", s.fluid_momentum.y);
    number("FluidMomentumZ", s.fluid_momentum.z);
    number("FluidImpulseX", s.fluid_impulse.x);
    number("FluidImpulseY", s.fluid_impulse.y);
    number("FluidImpulseZ", s.fluid_impulse.z);
    number("FluidStep", s.fluid_step);
    integer("FluidRounds", s.fluid_rounds);
    number("FluidResidual", s.fluid_residual);
  }
  integer("ListRebuilds", s.rebuilds);
  number("StepsPerSecond", s.steps_per_second);
  integer("Devices", s.devices);
  number("Imbalance", s.imbalance);
  text("Device", frame.device);
  text("BroadPhase", frame.broad_phase);
}

//------------------------------------------------------------------------------
void FillStatistics(
  const dem::Frame* frame, bool coated, vtkPolyData* const (&ports)[3], vtkTable* table)
{
  dem::Frame empty;
  empty.statistics.has_spray = coated; // the same columns on all ranks
  const dem::Frame& source = frame ? *frame : empty;
  for (vtkPolyData* port : ports)
  {
    vtkFieldData* data = port->GetFieldData();
    if (frame)
    {
      VisitStatistics(
        source, [data](const char* n, double v) { vtkDEMArrays::AddNumber(data, n, v); },
        [data](const char* n, std::uint64_t v)
        { vtkDEMArrays::AddInteger(data, n, static_cast<std::int64_t>(v)); },
        [data](const char* n, const std::string& v) { vtkDEMArrays::AddText(data, n, v); });
    }
  }

  vtkNew<vtkFieldData> row;
  VisitStatistics(
    source, [&](const char* n, double v) { vtkDEMArrays::AddNumber(row, n, v); },
    [&](const char* n, std::uint64_t v)
    { vtkDEMArrays::AddInteger(row, n, static_cast<std::int64_t>(v)); },
    [&](const char* n, const std::string& v) { vtkDEMArrays::AddText(row, n, v); });
  vtkDEMArrays::AddColumns(row, frame && frame->rank == 0, table);
}

} // namespace

//------------------------------------------------------------------------------
vtkDEMFrameOutput::vtkDEMFrameOutput() = default;

//------------------------------------------------------------------------------
vtkDEMFrameOutput::~vtkDEMFrameOutput() = default;

//------------------------------------------------------------------------------
void vtkDEMFrameOutput::FillWalls(const std::vector<dem::Wall>& walls,
  const std::vector<dem::WallFrame>* loads, const dem::Domain& domain, double time,
  vtkPolyData* output, bool coated)
{
  // Poly data count lines before polygons, so walls that are lines come first in the cell arrays.
  WallCells cells;
  vtkNew<vtkStringArray> names;
  names->SetName("WallName");
  const dem::WallFrame none;
  const auto append = [&](std::size_t i)
  {
    const dem::Wall& wall = walls[i];
    const bool known = loads && i < loads->size();
    const dem::WallFrame& load = known ? (*loads)[i] : none;
    const dem::WallMotion motion = known ? load.motion : dem::wallMotion(wall);
    if (wall.kind == dem::WallKind::Mesh)
    {
      AppendMesh(wall, load, motion, time, static_cast<int>(i), cells);
    }
    else
    {
      AppendAnalytic(wall, load, motion, domain, time, static_cast<int>(i), cells);
    }
  };
  for (const bool lines : { true, false })
  {
    for (std::size_t i = 0; i < walls.size(); ++i)
    {
      if ((walls[i].kind == dem::WallKind::Line) == lines)
      {
        append(i);
      }
    }
  }
  for (const auto& wall : walls)
  {
    names->InsertNextValue(wall.name);
  }
  output->SetPoints(cells.Points);
  output->SetLines(cells.Lines);
  output->SetPolys(cells.Polys);
  vtkCellData* data = output->GetCellData();
  data->AddArray(cells.Wall);
  if (loads)
  {
    data->AddArray(cells.Pressure);
    data->AddArray(cells.ShearStress);
    data->AddArray(cells.Force);
  }
  if (loads &&
    std::any_of(
      loads->begin(), loads->end(), [](const dem::WallFrame& frame) { return frame.has_heat; }))
  {
    data->AddArray(cells.Temperature);
    data->AddArray(cells.Heat);
    data->AddArray(cells.HeatFlux);
  }
  if (coated)
  {
    data->AddArray(cells.CoatingMass);
  }
  output->GetFieldData()->AddArray(names);
}

//------------------------------------------------------------------------------
vtkSmartPointer<vtkCellArray> vtkDEMFrameOutput::Cells(std::size_t count, int size)
{
  const auto grow = [](dem::HostArray<std::int64_t>& numbers, std::size_t least, int step)
  {
    if (numbers.size() < least)
    {
      numbers = dem::HostArray<std::int64_t>(least + least / 4);
      for (std::size_t i = 0; i < numbers.size(); ++i)
      {
        numbers[i] = static_cast<std::int64_t>(i) * step;
      }
    }
  };
  const std::size_t points = count * static_cast<std::size_t>(size);
  grow(this->Numbers, std::max(points, count + 1), 1);
  grow(this->EvenNumbers, count + 1, 2);
  using vtkDEMArrays::Share;
  auto cells = vtkSmartPointer<vtkCellArray>::New();
  const auto& offsets = size == 1 ? this->Numbers : this->EvenNumbers;
  cells->SetData(Share<vtkIdTypeArray>(offsets.first(count + 1), "Offsets", 1),
    Share<vtkIdTypeArray>(this->Numbers.first(points), "Connectivity", 1));
  return cells;
}

//------------------------------------------------------------------------------
void vtkDEMFrameOutput::Fill(const dem::Frame* frame, const dem::Scene* scene,
  const dem::Vec3d& gravity, const dem::FrameSelection& selection,
  vtkDataArraySelection* contactArrays, bool statistics, int coatingPatches, vtkPolyData* particles,
  vtkPolyData* contacts, vtkPolyData* walls, vtkTable* table, const int averagesCells[3],
  vtkImageData* averages, vtkImageData* fluid)
{
  const dem::Frame empty;
  const dem::Frame& source = frame ? *frame : empty;
  // Remove the field data that the executive passes from the first input: it describes the input.
  for (vtkPolyData* port : { particles, contacts, walls })
  {
    port->GetFieldData()->Initialize();
  }
  table->GetFieldData()->Initialize();
  averages->GetFieldData()->Initialize();
  fluid->GetFieldData()->Initialize();
  FillParticles(source, selection, this->Cells(source.size, 1), particles);
  if (coatingPatches >= 0)
  {
    AddCoating(source.coating, coatingPatches, particles);
  }
  FillContacts(
    source.contacts, contactArrays, statistics, this->Cells(source.contacts.size, 2), contacts);
  const std::vector<dem::Wall> none;
  const dem::Domain nowhere;
  const bool any = scene && frame;
  FillWalls(any && frame->rank == 0 ? scene->walls : none, &source.walls,
    any ? scene->domain : nowhere, source.time, walls, coatingPatches >= 0);
  std::vector<std::string> materials;
  if (scene && frame)
  {
    for (const auto& material : scene->materials)
    {
      materials.push_back(material.name);
    }
  }
  vtkDEMArrays::AddMaterials(particles->GetFieldData(), materials);
  if (scene && frame && scene->shapes.size() > 1)
  {
    AddScale(*scene, *frame, particles);
    vtkDEMShapeInput::Write(scene->shapes, particles->GetFieldData());
  }
  if (scene && frame && scene->domain.limited)
  {
    bool periodic[3];
    std::transform(scene->domain.exit.begin(), scene->domain.exit.end(), periodic,
      [](dem::Exit exit) { return exit == dem::Exit::Periodic; });
    for (vtkPolyData* port : { particles, walls })
    {
      vtkDEMArrays::AddBox(
        port->GetFieldData(), scene->domain.lower, scene->domain.upper, periodic);
    }
    bool closed[6];
    for (int side = 0; side < 6; ++side)
    {
      closed[side] = scene->domain.exit[side / 2] == dem::Exit::Wall;
    }
    vtkDEMArrays::AddClosedBorders(walls->GetFieldData(), closed);
    if (std::count(scene->domain.exit.begin(), scene->domain.exit.end(), dem::Exit::Remove))
    {
      vtkDEMArrays::AddExits(particles->GetFieldData(), frame->exited_id, frame->exited_position);
    }
  }
  if (any)
  {
    for (vtkPolyData* port : { particles, walls }) // both, since walls may have no cells, and then
                                                   // the client ignores their field data
    {
      vtkDEMArrays::AddGravity(port->GetFieldData(), gravity);
    }
  }
  FillStatistics(frame, coatingPatches >= 0, { particles, contacts, walls }, table);
  FillAverages(frame, scene, averagesCells, averages);
  FillFluid(source.fluid, source.time, fluid);
}
