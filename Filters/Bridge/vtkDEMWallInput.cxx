#include "vtkDEMWallInput.h"

#include "Bridge/vtkDEMArrays.h"
#include "Bridge/vtkDEMSurfaceInput.h"
#include "Bridge/vtkDEMInputTimes.h"
#include "Bridge/vtkDEMWallSeries.h"
#include "Scene/Describe.h"
#include "Core/Error.h"

#include "vtkAlgorithm.h"
#include "vtkBoundingBox.h"
#include "vtkCellArray.h"
#include "vtkDoubleArray.h"
#include "vtkFieldData.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkMultiProcessController.h"
#include "vtkPoints.h"
#include "vtkPolyData.h"
#include "vtkStreamingDemandDrivenPipeline.h"
#include "vtkStringArray.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <type_traits>
#include <vector>

namespace
{

constexpr const char* NameArray = "WallName";
constexpr const char* MaterialArray = "WallMaterial";
constexpr const char* MotionArray = "WallMotion";
constexpr const char* HeatArray = "WallHeat";
constexpr const char* PermeableArray = "WallPermeable";
constexpr const char* ShapeArray = "WallShape";
constexpr int ShapeSize = 24;
constexpr const char* ShapeComponents[ShapeSize] = { "Kind", "OriginX", "OriginY", "OriginZ",
  "NormalX", "NormalY", "NormalZ", "EdgeUX", "EdgeUY", "EdgeUZ", "EdgeVX", "EdgeVY", "EdgeVZ",
  "EndX", "EndY", "EndZ", "Radius", "EndRadius", "XMin", "XMax", "YMin", "YMax", "ZMin", "ZMax" };
constexpr int HeatSize = 3;
constexpr const char* HeatComponents[HeatSize] = { "Condition", "Temperature", "HeatFlux" };
constexpr int OldMaterialSize = 6; // before SurfaceEnergy
constexpr int MotionSize = 16;
constexpr const char* MotionComponents[MotionSize] = { "Kind", "OriginX", "OriginY", "OriginZ",
  "AxisX", "AxisY", "AxisZ", "Rate", "VelocityX", "VelocityY", "VelocityZ", "Amplitude",
  "Frequency", "Phase", "Start", "Stop" };

//------------------------------------------------------------------------------
// Calls visit(row) for each row of dem::Material that is a number, in the order of the components
// of WallMaterial.
template <class Visit>
void ForMaterialNumbers(const Visit& visit)
{
  dem::forRows<dem::Material>(
    [&](const auto& row)
    {
      if constexpr (std::is_same_v<typename std::decay_t<decltype(row)>::Value, double>)
      {
        visit(row);
      }
    });
}

//------------------------------------------------------------------------------
void AddRow(vtkFieldData* fieldData, const char* name, const char* const* components,
  const double* values, int size)
{
  vtkNew<vtkDoubleArray> array;
  array->SetName(name);
  array->SetNumberOfComponents(size);
  for (int i = 0; i < size; ++i)
  {
    array->SetComponentName(i, components[i]);
  }
  array->InsertNextTuple(values);
  fieldData->AddArray(array);
}

//------------------------------------------------------------------------------
// Reads tuple `row` of an array, of `size` components. Arrays of older versions may have fewer,
// `least` at least; the other values are left as they are.
bool ReadRow(vtkFieldData* fieldData, const char* name, double* values, int least, int size,
  const std::string& what, vtkIdType row = 0)
{
  vtkDataArray* array = fieldData->GetArray(name);
  if (!array)
  {
    return false;
  }
  const int components = array->GetNumberOfComponents();
  if (array->GetNumberOfTuples() <= row || components < least || components > size)
  {
    throw dem::Error(what + ": the field data array \"" + name + "\" must have a tuple of " +
      std::to_string(size) +
      " components, as DEM Wall writes it. A filter behind DEM Wall changed it; put DEM Wall "
      "last.");
  }
  array->GetTuple(row, values);
  return true;
}

//------------------------------------------------------------------------------
std::array<double, MotionSize> NumbersOf(const dem::Motion& m)
{
  return { static_cast<double>(m.kind), m.origin.x, m.origin.y, m.origin.z, m.axis.x, m.axis.y,
    m.axis.z, m.rate, m.velocity.x, m.velocity.y, m.velocity.z, m.amplitude, m.frequency, m.phase,
    m.start, m.stop };
}

//------------------------------------------------------------------------------
void ReadMotionRows(vtkFieldData* fieldData, dem::Wall& wall, const std::string& what)
{
  vtkDataArray* array = fieldData->GetArray(MotionArray);
  const vtkIdType count = array ? std::max<vtkIdType>(1, array->GetNumberOfTuples()) : 0;
  if (count > static_cast<vtkIdType>(dem::kMostMotions))
  {
    throw dem::Error(what + " has " + std::to_string(count) + " motions, more than " +
      std::to_string(dem::kMostMotions) + ". Use fewer DEM Walls with AddMotion.");
  }
  for (vtkIdType row = 0; row < count; ++row)
  {
    double v[MotionSize];
    ReadRow(fieldData, MotionArray, v, MotionSize, MotionSize, what, row);
    dem::Motion motion;
    motion.kind = static_cast<dem::MotionKind>(std::max(0, std::min(3, static_cast<int>(v[0]))));
    motion.origin = { v[1], v[2], v[3] };
    motion.axis = { v[4], v[5], v[6] };
    motion.rate = v[7];
    motion.velocity = { v[8], v[9], v[10] };
    motion.amplitude = v[11];
    motion.frequency = v[12];
    motion.phase = v[13];
    motion.start = v[14];
    motion.stop = v[15];
    if (row == 0)
    {
      wall.motion = motion;
    }
    else
    {
      wall.further_motions.push_back(motion);
    }
  }
}

//------------------------------------------------------------------------------
// Sets the shape of a wall that is no mesh. Its polygons must be those that DEM Wall made: a filter
// that moves them would not move the wall.
void ReadShape(vtkPolyData* input, dem::Wall& wall, const std::string& what)
{
  double v[ShapeSize];
  if (!ReadRow(input->GetFieldData(), ShapeArray, v, ShapeSize, ShapeSize, what))
  {
    return;
  }
  const int last = static_cast<int>(dem::WallKind::Cone);
  wall.kind = static_cast<dem::WallKind>(std::max(0, std::min(last, static_cast<int>(v[0]))));
  wall.origin = { v[1], v[2], v[3] };
  wall.normal = { v[4], v[5], v[6] };
  wall.edge_u = { v[7], v[8], v[9] };
  wall.edge_v = { v[10], v[11], v[12] };
  wall.end = { v[13], v[14], v[15] };
  wall.radius = v[16];
  wall.end_radius = v[17];
  std::vector<dem::Vec3d> points;
  std::vector<std::vector<std::int32_t>> cells;
  vtkDEMWallInput::Tessellate(wall, wall.origin, 1, points, cells); // for the numbers of both
  const bool none = input->GetNumberOfPoints() == 0,
             isDouble = none || input->GetPoints()->GetDataType() == VTK_DOUBLE;
  double bounds[6], size = 0, off = 0; // m: the farthest coordinate, and how far a border moved
  input->GetBounds(bounds);
  for (int k = 0; k < 6; ++k)
  {
    size = std::max(size, std::fabs(v[18 + k]));
    off = std::max(off, std::fabs(v[18 + k] - bounds[k]));
  }
  const double length = std::hypot(v[19] - v[18], v[21] - v[20], v[23] - v[22]);
  const bool same = off <= 1e-5 * length + (isDouble ? 1e-12 : 1e-6) * size &&
    input->GetNumberOfPoints() == static_cast<vtkIdType>(points.size()) &&
    input->GetNumberOfCells() == static_cast<vtkIdType>(cells.size());
  if (!none && !same)
  {
    throw dem::Error(what + ": a filter behind DEM Wall changed its surface, but the wall is the " +
      dem::kWallKindNames[static_cast<int>(wall.kind)] +
      " of DEM Wall. Change the numbers there, or give the filter a surface and put DEM Wall, of "
      "Kind Mesh, last.");
  }
}

//------------------------------------------------------------------------------
std::string DefaultName(std::size_t index) { return "Wall " + std::to_string(index); }

//------------------------------------------------------------------------------
dem::Wall ReadOne(vtkPolyData* input, std::size_t index, const std::string& what, int wallMaterial,
  std::vector<dem::Material>& materials)
{
  dem::Wall wall;
  wall.name = DefaultName(index);
  auto* names = vtkStringArray::SafeDownCast(input->GetFieldData()->GetAbstractArray(NameArray));
  if (names && names->GetNumberOfValues() > 0 && !names->GetValue(0).empty())
  {
    wall.name = names->GetValue(0);
  }
  wall.material = wallMaterial;

  std::vector<double> m;
  dem::Material material;
  ForMaterialNumbers([&](const auto& row) { m.push_back(material.*row.member); });
  if (ReadRow(input->GetFieldData(), MaterialArray, m.data(), OldMaterialSize,
        static_cast<int>(m.size()), what))
  {
    material.name = wall.name;
    if (std::any_of(materials.begin(), materials.end(),
          [&wall](const dem::Material& known) { return known.name == wall.name; }))
    {
      material.name += " (wall " + std::to_string(index) + ")"; // names of materials differ
    }
    auto value = m.begin();
    ForMaterialNumbers([&](const auto& row) { material.*row.member = *value++; });
    wall.material = static_cast<int>(materials.size());
    materials.push_back(material);
  }

  ReadMotionRows(input->GetFieldData(), wall, what);
  ReadShape(input, wall, what);
  double h[HeatSize];
  if (ReadRow(input->GetFieldData(), HeatArray, h, HeatSize, HeatSize, what))
  {
    wall.heat.condition =
      static_cast<dem::ThermalCondition>(std::max(0, std::min(2, static_cast<int>(h[0]))));
    wall.heat.temperature = h[1];
    wall.heat.heat_flux = h[2];
  }
  double permeable = 0;
  if (ReadRow(input->GetFieldData(), PermeableArray, &permeable, 1, 1, what))
  {
    wall.permeable = permeable != 0;
  }
  return wall;
}

//------------------------------------------------------------------------------
// The name of an input for messages, with the name of its wall, number `index`, if it has one.
std::string Called(const std::string& input, const dem::Wall& wall, std::size_t index)
{
  return wall.name == DefaultName(index) ? input : input + " (\"" + wall.name + "\")";
}

//------------------------------------------------------------------------------
// Two unit vectors that make a right-handed frame with `axis`.
void Frame(const dem::Vec3d& axis, dem::Vec3d& u, dem::Vec3d& v)
{
  const dem::Vec3d other = std::abs(axis.x) < 0.6 ? dem::Vec3d{ 1, 0, 0 } : dem::Vec3d{ 0, 1, 0 };
  u = dem::normalized(dem::cross(axis, other));
  v = dem::cross(axis, u);
}

//------------------------------------------------------------------------------
// Sizes and point numbers of polygons and strips before triangulation, whose cuts depend on
// rounding. Complete on rank 0. Collective.
std::vector<double> GatherCells(vtkPolyData* surface, vtkMultiProcessController* controller)
{
  std::vector<double> cells;
  for (vtkCellArray* part :
    { surface ? surface->GetPolys() : nullptr, surface ? surface->GetStrips() : nullptr })
  {
    for (vtkIdType cell = 0; part && cell < part->GetNumberOfCells(); ++cell)
    {
      vtkIdType size = 0;
      const vtkIdType* points = nullptr;
      part->GetCellAtId(cell, size, points);
      cells.push_back(static_cast<double>(size));
      cells.insert(cells.end(), points, points + size);
    }
  }
  vtkDEMArrays::Gather(controller, cells);
  return cells;
}

//------------------------------------------------------------------------------
// The walls of one connection at its present time, numbered from `first`. The first error is stored
// in `error` instead of thrown, so that no rank misses a collective call. `cells`, if not null on
// all ranks, gets the cells of each wall. Collective.
std::vector<dem::Wall> ReadConnection(vtkInformationVector* inputs, int connection,
  const std::string& name, std::size_t first, int wallMaterial,
  std::vector<dem::Material>& materials, std::vector<std::string>& labels,
  vtkMultiProcessController* controller, std::string& error,
  std::vector<std::vector<double>>* cells = nullptr)
{
  std::vector<dem::Wall> walls;
  const bool root = !controller || controller->GetLocalProcessId() == 0;
  for (const vtkDEMArrays::Block& block :
    vtkDEMArrays::ReadBlocks(inputs, connection, name, controller))
  {
    auto* input = vtkPolyData::SafeDownCast(block.Data);
    const bool filled = input && (input->GetNumberOfPolys() > 0 || input->GetNumberOfStrips() > 0);
    const bool isMesh = !input || !input->GetFieldData()->GetArray(ShapeArray);
    vtkDEMSurfaceInput::TriangleMesh mesh;
    dem::Wall wall;
    const std::size_t known = materials.size();
    const std::size_t index = first + walls.size();
    try
    {
      if (block.Data && !input)
      {
        throw dem::Error(block.What + " is a " + block.Data->GetClassName() +
          ", no surface. Apply Extract Surface first, or leave it out with Extract Block.");
      }
      if (input && (root || (filled && isMesh)))
      {
        wall = ReadOne(input, index, block.What, wallMaterial, materials);
        // Under MPI a rank may hold no piece of a wall.
        if (isMesh && (filled || !(controller || block.IsPart)))
        {
          mesh = vtkDEMSurfaceInput::ReadTriangles(input, Called(block.What, wall, index));
        }
      }
    }
    catch (const dem::Error& e)
    {
      if (error.empty())
      {
        error = e.what();
      }
    }
    vtkDEMSurfaceInput::Gather(controller, mesh);
    std::vector<double> wallCells;
    if (cells)
    {
      wallCells = GatherCells(input, controller);
    }
    wall.points = std::move(mesh.Points);
    wall.triangles = std::move(mesh.Triangles);
    const bool empty = wall.kind == dem::WallKind::Mesh && wall.triangles.empty();
    if (root && block.IsPart && empty)
    {
      materials.resize(known);
      continue;
    }
    if (root && error.empty() && (empty || (block.IsPart && !input)))
    {
      error = Called(block.What, wall, index) + " " +
        (empty ? "is empty: it has no polygons."
               : "is on other ranks only. Merge its blocks first.");
    }
    labels.push_back(Called(block.What, wall, index));
    walls.push_back(std::move(wall));
    if (cells)
    {
      cells->push_back(std::move(wallCells));
    }
  }
  if (root && error.empty() && walls.empty())
  {
    error = name + " is empty: no block has polygons.";
  }
  return walls;
}

//------------------------------------------------------------------------------
// Adds the walls `now` of the connection at `time` (s), with their `cells`, to the series of each
// wall. The walls of the first time become `walls`. Throws dem::Error.
void AddTime(const std::string& name, std::size_t first, double time, bool isFirst,
  std::vector<dem::Wall>&& now, std::vector<std::vector<double>>&& cells,
  std::vector<dem::Wall>& walls, std::vector<vtkDEMWallSeries>& series)
{
  if (now.size() != walls.size())
  {
    throw dem::Error(name + " has " + std::to_string(now.size()) +
      " walls at t = " + vtkDEMArrays::Number(time) + " s, but " + std::to_string(walls.size()) +
      " at another time. Apply Extract Time Steps to keep it at one time.");
  }
  for (std::size_t i = 0; i < walls.size(); ++i)
  {
    if (isFirst)
    {
      walls[i].points = now[i].points;
      walls[i].triangles = now[i].triangles;
      series.emplace_back(
        Called(name, walls[i], first + i), now[i].points, std::move(cells[i]), time);
    }
    else
    {
      series[i].Add(now[i].points, cells[i], time);
    }
  }
}

//------------------------------------------------------------------------------
// Reads the walls of one connection at all of its times and sets the motion of those that move.
// `walls` are those of the present time, at which the input is left. Collective; errors as of
// ReadConnection.
void ReadMotions(vtkAlgorithm* filter, int port, vtkInformationVector* inputs, int connection,
  const std::string& name, std::size_t first, std::vector<dem::Wall>& walls,
  std::vector<dem::Event>& events, vtkMultiProcessController* controller, std::string& error)
{
  bool continuous = false;
  vtkInformation* info = inputs->GetInformationObject(connection);
  const std::vector<double> times = vtkDEMInputTimes::Read(info, controller, continuous);
  if (times.size() < 2)
  {
    return;
  }
  const bool timed = info->Has(vtkStreamingDemandDrivenPipeline::UPDATE_TIME_STEP());
  const double present =
    timed ? info->Get(vtkStreamingDemandDrivenPipeline::UPDATE_TIME_STEP()) : times.front();
  const bool root = !controller || controller->GetLocalProcessId() == 0;
  std::vector<vtkDEMWallSeries> series;
  for (const double time : times)
  {
    vtkDEMInputTimes::Update(filter, port, connection, time);
    std::string problem;
    std::vector<dem::Material> unused;
    std::vector<std::string> again;
    std::vector<std::vector<double>> cells;
    std::vector<dem::Wall> now = ReadConnection(
      inputs, connection, name, first, 0, unused, again, controller, problem, &cells);
    if (!problem.empty() && error.empty())
    {
      error = problem + " This is at t = " + vtkDEMArrays::Number(time) + " s of its time series.";
    }
    if (!root || !error.empty())
    {
      continue;
    }
    try
    {
      AddTime(
        name, first, time, time == times.front(), std::move(now), std::move(cells), walls, series);
    }
    catch (const dem::Error& e)
    {
      error = e.what();
    }
  }
  vtkDEMInputTimes::Update(filter, port, connection, present);
  try
  {
    for (std::size_t i = 0; root && error.empty() && i < walls.size(); ++i)
    {
      const dem::MotionKind before = walls[i].motion.kind;
      series[i].Finish(walls[i], first + i, events);
      if (continuous && walls[i].motion.kind != before)
      {
        throw dem::Error(Called(name, walls[i], first + i) +
          " moves with time, but lists no times between which it could be interpolated. Save it "
          "as a series of files and use those, or move it by the Motion of DEM Wall.");
      }
    }
  }
  catch (const dem::Error& e)
  {
    error = e.what();
  }
}

//------------------------------------------------------------------------------
dem::Vec3d MovedBy(const dem::Motion& motion, double time, const dem::Vec3d& point)
{
  const double elapsed = std::max(0.0, std::min(time, motion.stop) - motion.start);
  switch (motion.kind)
  {
    case dem::MotionKind::Fixed:
      break;
    case dem::MotionKind::Rotation:
    {
      const auto turn = dem::rotationVectorToQuaternion(
        (motion.angle_before + motion.rate * elapsed) * dem::normalized(motion.axis));
      return motion.origin + dem::rotate(turn, point - motion.origin);
    }
    case dem::MotionKind::Translation:
      return point + motion.shift_before + elapsed * motion.velocity;
    case dem::MotionKind::Oscillation:
    {
      const double angle = 2 * 3.14159265358979323846 * motion.frequency * elapsed + motion.phase;
      return point +
        (motion.amplitude * (std::sin(angle) - std::sin(motion.phase))) *
        dem::normalized(motion.axis);
    }
  }
  return point;
}

} // namespace

namespace vtkDEMWallInput
{

//------------------------------------------------------------------------------
void WriteName(const std::string& name, vtkFieldData* fieldData)
{
  vtkDEMArrays::AddText(fieldData, NameArray, name);
}

//------------------------------------------------------------------------------
void WriteMaterial(const dem::Material& m, vtkFieldData* fieldData)
{
  std::vector<double> values;
  std::vector<const char*> names;
  ForMaterialNumbers(
    [&](const auto& row)
    {
      values.push_back(m.*row.member);
      names.push_back(row.property);
    });
  AddRow(fieldData, MaterialArray, names.data(), values.data(), static_cast<int>(values.size()));
}

//------------------------------------------------------------------------------
void WriteMotion(const dem::Motion& motion, vtkFieldData* fieldData)
{
  AddRow(fieldData, MotionArray, MotionComponents, NumbersOf(motion).data(), MotionSize);
}

//------------------------------------------------------------------------------
bool AddMotion(const dem::Motion& motion, vtkFieldData* fieldData)
{
  auto* before = vtkDoubleArray::SafeDownCast(fieldData->GetArray(MotionArray));
  if (!before || before->GetNumberOfComponents() != MotionSize)
  {
    return false;
  }
  vtkNew<vtkDoubleArray> all; // the input keeps its own
  all->DeepCopy(before);
  if (motion.kind != dem::MotionKind::Fixed)
  {
    all->InsertNextTuple(NumbersOf(motion).data());
  }
  fieldData->AddArray(all);
  return true;
}

//------------------------------------------------------------------------------
void WriteShape(const dem::Wall& wall, double extent, bool filled, vtkPolyData* output)
{
  std::vector<dem::Vec3d> points;
  std::vector<std::vector<std::int32_t>> polygons;
  Tessellate(wall, wall.origin, extent, points, polygons);
  vtkNew<vtkPoints> places;
  places->SetDataTypeToDouble();
  vtkBoundingBox box;
  for (const dem::Vec3d& p : points)
  {
    places->InsertNextPoint(p.x, p.y, p.z);
    box.AddPoint(p.x, p.y, p.z);
  }
  vtkNew<vtkCellArray> surface, lines;
  for (const auto& polygon : polygons)
  {
    const std::vector<vtkIdType> ids(polygon.begin(), polygon.end());
    (ids.size() > 2 ? surface : lines)
      ->InsertNextCell(static_cast<vtkIdType>(ids.size()), ids.data());
  }
  if (filled)
  {
    output->SetPoints(places);
    output->SetPolys(surface);
    output->SetLines(lines);
  }
  double values[ShapeSize] = { static_cast<double>(wall.kind), wall.origin.x, wall.origin.y,
    wall.origin.z, wall.normal.x, wall.normal.y, wall.normal.z, wall.edge_u.x, wall.edge_u.y,
    wall.edge_u.z, wall.edge_v.x, wall.edge_v.y, wall.edge_v.z, wall.end.x, wall.end.y, wall.end.z,
    wall.radius, wall.end_radius };
  box.GetBounds(values + 18);
  AddRow(output->GetFieldData(), ShapeArray, ShapeComponents, values, ShapeSize);
}

//------------------------------------------------------------------------------
void WriteHeat(const dem::WallHeat& heat, vtkFieldData* fieldData)
{
  const double values[HeatSize] = { static_cast<double>(heat.condition), heat.temperature,
    heat.heat_flux };
  AddRow(fieldData, HeatArray, HeatComponents, values, HeatSize);
}

//------------------------------------------------------------------------------
void WritePermeable(bool permeable, vtkFieldData* fieldData)
{
  const double value = permeable ? 1 : 0;
  const char* const component = "Permeable";
  AddRow(fieldData, PermeableArray, &component, &value, 1);
}

//------------------------------------------------------------------------------
void RemoveShape(vtkFieldData* fieldData) { fieldData->RemoveArray(ShapeArray); }

//------------------------------------------------------------------------------
std::vector<dem::Wall> Read(vtkAlgorithm* filter, int port, vtkInformationVector* inputs,
  const std::vector<std::string>& names, int wallMaterial, std::vector<dem::Material>& materials,
  std::vector<dem::Event>& events, std::vector<std::string>& labels,
  vtkMultiProcessController* controller)
{
  std::vector<dem::Wall> walls;
  std::string error;
  const int connections = inputs ? inputs->GetNumberOfInformationObjects() : 0;
  for (int connection = 0; connection < connections; ++connection)
  {
    const std::string& name = names[static_cast<std::size_t>(connection)];
    std::vector<dem::Wall> read = ReadConnection(
      inputs, connection, name, walls.size(), wallMaterial, materials, labels, controller, error);
    ReadMotions(
      filter, port, inputs, connection, name, walls.size(), read, events, controller, error);
    std::move(read.begin(), read.end(), std::back_inserter(walls));
  }
  if (!error.empty())
  {
    throw dem::Error(error);
  }
  std::stable_sort(events.begin(), events.end(),
    [](const dem::Event& a, const dem::Event& b) { return a.time < b.time; });
  return walls;
}

//------------------------------------------------------------------------------
dem::Vec3d Moved(const dem::WallMotion& motion, double time, const dem::Vec3d& point)
{
  dem::Vec3d place = point;
  for (std::int32_t k = 0; k < motion.count; ++k)
  {
    place = MovedBy(motion.part[k], time, place);
  }
  return place;
}

//------------------------------------------------------------------------------
void Tessellate(const dem::Wall& wall, const dem::Vec3d& center, double extent,
  std::vector<dem::Vec3d>& points, std::vector<std::vector<std::int32_t>>& polygons)
{
  points.clear();
  polygons.clear();
  switch (wall.kind)
  {
    case dem::WallKind::Mesh:
      points = wall.points;
      for (const auto& t : wall.triangles)
      {
        polygons.push_back({ t[0], t[1], t[2] });
      }
      break;
    case dem::WallKind::Plane:
    {
      const dem::Vec3d n = dem::normalized(wall.normal);
      const dem::Vec3d foot = center - dem::dot(center - wall.origin, n) * n;
      dem::Vec3d u, v;
      Frame(n, u, v);
      const double h = 0.5 * extent;
      points = { foot - h * u - h * v, foot + h * u - h * v, foot + h * u + h * v,
        foot - h * u + h * v };
      polygons = { { 0, 1, 2, 3 } };
      break;
    }
    case dem::WallKind::Rectangle:
      points = { wall.origin, wall.origin + wall.edge_u, wall.origin + wall.edge_u + wall.edge_v,
        wall.origin + wall.edge_v };
      polygons = { { 0, 1, 2, 3 } };
      break;
    case dem::WallKind::Line:
      points = { wall.origin, wall.end };
      polygons = { { 0, 1 } };
      break;
    case dem::WallKind::Box:
      for (int corner = 0; corner < 8; ++corner)
      {
        points.push_back({ corner & 1 ? wall.end.x : wall.origin.x,
          corner & 2 ? wall.end.y : wall.origin.y, corner & 4 ? wall.end.z : wall.origin.z });
      }
      polygons = { { 0, 2, 3, 1 }, { 4, 5, 7, 6 }, { 0, 1, 5, 4 }, { 2, 6, 7, 3 }, { 0, 4, 6, 2 },
        { 1, 3, 7, 5 } };
      break;
    case dem::WallKind::Cylinder:
    case dem::WallKind::Cone:
    {
      constexpr std::int32_t sides = 64;
      const double endRadius = wall.kind == dem::WallKind::Cone ? wall.end_radius : wall.radius;
      dem::Vec3d u, v;
      Frame(dem::normalized(wall.end - wall.origin), u, v);
      for (std::int32_t i = 0; i < sides; ++i)
      {
        const double angle = 2 * 3.14159265358979323846 * i / sides;
        const dem::Vec3d out = std::cos(angle) * u + std::sin(angle) * v;
        points.push_back(wall.origin + wall.radius * out);
        points.push_back(wall.end + endRadius * out);
      }
      for (std::int32_t i = 0; i < sides; ++i)
      {
        const std::int32_t next = (i + 1) % sides;
        polygons.push_back({ 2 * i, 2 * next, 2 * next + 1, 2 * i + 1 });
      }
      break;
    }
  }
}

} // namespace vtkDEMWallInput
