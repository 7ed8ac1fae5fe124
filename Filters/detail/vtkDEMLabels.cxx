#include "vtkDEMLabels.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <iterator>
#include <regex>

namespace
{

struct Label
{
  const char* Name;
  const char* Shown;
};

// Ascending by name. Testing/check_house.py compares them with the XML.
constexpr Label Labels[] = {
  { "AccumulateAverages", "Accumulate Averages" },
  { "AcrossAngle", "Across Angle" },
  { "AddMotion", "Add Motion" },
  { "AngularVelocity", "Angular Velocity" },
  { "AreaModel", "Area Model" },
  { "AutomaticBounds", "Automatic Bounds" },
  { "AutomaticDomain", "Automatic Domain" },
  { "AveragesBounds", "Averages Bounds" },
  { "AveragesDimensions", "Averages Dimensions" },
  { "AveragesFillDomain", "Averages Fill Domain" },
  { "AveragesFrom", "Averages From" },
  { "AveragesInterval", "Averages Interval" },
  { "AveragesMemoryLimit", "Averages Memory Limit" },
  { "AveragesTo", "Averages To" },
  { "BVHKeyBits", "BVH Key Bits" },
  { "BorderFriction", "Border Friction" },
  { "BorderXLower", "Border X Lower" },
  { "BorderXUpper", "Border X Upper" },
  { "BorderYLower", "Border Y Lower" },
  { "BorderYUpper", "Border Y Upper" },
  { "BorderZLower", "Border Z Lower" },
  { "BorderZUpper", "Border Z Upper" },
  { "BrickEdges", "Brick Edges" },
  { "BroadPhase", "Broad Phase" },
  { "BucklingAngle", "Buckling Angle" },
  { "BulkModulus", "Bulk Modulus" },
  { "CellCapacity", "Cell Capacity" },
  { "CellOrder", "Cell Order" },
  { "CellSize", "Cell Size" },
  { "CellSort", "Cell Sort" },
  { "CellsPerParticle", "Cells Per Particle" },
  { "CheckpointFile", "Checkpoint File" },
  { "CheckpointInterval", "Checkpoint Interval" },
  { "CheckpointsKept", "Checkpoints Kept" },
  { "ClampNormalForce", "Clamp Normal Force" },
  { "ClumpSize", "Clump Size" },
  { "CoatingPatches", "Coating Patches" },
  { "CollisionTime", "Collision Time" },
  { "ConstantRadius", "Constant Radius" },
  { "ContactModel", "Contact Model" },
  { "ContactSource", "Contact Source" },
  { "ContactStatistics", "Contact Statistics" },
  { "CourantNumber", "Courant Number" },
  { "DeviceFrameMemory", "Device Frame Memory" },
  { "DeviceNumber", "Device Number" },
  { "DissipationHeating", "Dissipation Heating" },
  { "DragLaw", "Drag Law" },
  { "DrivingForce", "Driving Force" },
  { "EdgeU", "Edge U" },
  { "EdgeV", "Edge V" },
  { "EndRadius", "End Radius" },
  { "EndTime", "End Time" },
  { "EqualBits", "Equal Bits" },
  { "ExchangeDiameter", "Exchange Diameter" },
  { "ExitX", "Exit X" },
  { "ExitY", "Exit Y" },
  { "ExitZ", "Exit Z" },
  { "FastFrictionAngle", "Fast Friction Angle" },
  { "FewestGrains", "Fewest Grains" },
  { "FileName", "File Name" },
  { "FileNames", "File Names" },
  { "FillSurfaces", "Fill Surfaces" },
  { "FixedCells", "Fixed Cells" },
  { "FlipFraction", "Flip Fraction" },
  { "FlowStartTime", "Flow Start Time" },
  { "FlowThrough", "Flow Through" },
  { "FluidCellSize", "Fluid Cell Size" },
  { "FluidCoupling", "Fluid Coupling" },
  { "FluidDensity", "Fluid Density" },
  { "FluidEquations", "Fluid Equations" },
  { "FluidInterval", "Fluid Interval" },
  { "FluidResolution", "Fluid Resolution" },
  { "FluidTolerance", "Fluid Tolerance" },
  { "FluidVelocity", "Fluid Velocity" },
  { "FluidViscosity", "Fluid Viscosity" },
  { "ForceFactor", "Force Factor" },
  { "ForceLaw", "Force Law" },
  { "FrameMemory", "Frame Memory" },
  { "FrictionAngle", "Friction Angle" },
  { "FrictionLimit", "Friction Limit" },
  { "FullAngle", "Full Angle" },
  { "GasConductivity", "Gas Conductivity" },
  { "GrainDiameter", "Grain Diameter" },
  { "GrainShare", "Grain Share" },
  { "GridSpacing", "Grid Spacing" },
  { "GridTransfer", "Grid Transfer" },
  { "HalfSearch", "Half Search" },
  { "HardeningModulus", "Hardening Modulus" },
  { "HashFunction", "Hash Function" },
  { "HashOrder", "Hash Order" },
  { "HashTableFactor", "Hash Table Factor" },
  { "HeatCapacity", "Heat Capacity" },
  { "HeatFlux", "Heat Flux" },
  { "HeatTransfer", "Heat Transfer" },
  { "HeightPercentile", "Height Percentile" },
  { "InertialNumber", "Inertial Number" },
  { "InitialOverlapTolerance", "Initial Overlap Tolerance" },
  { "InitialTemperature", "Initial Temperature" },
  { "InletFactor", "Inlet Factor" },
  { "InletProfile", "Inlet Profile" },
  { "InletRamp", "Inlet Ramp" },
  { "InletVelocity", "Inlet Velocity" },
  { "IntersectBox", "Intersect Box" },
  { "LaceyCellSize", "Lacey Cell Size" },
  { "LargestAngle", "Largest Angle" },
  { "LargestDistance", "Largest Distance" },
  { "LargestForce", "Largest Force" },
  { "LimitDomain", "Limit Domain" },
  { "LimitRegion", "Limit Region" },
  { "LinearIterations", "Linear Iterations" },
  { "LinearTolerance", "Linear Tolerance" },
  { "LinkedCells", "Linked Cells" },
  { "ListOfContacts", "List Of Contacts" },
  { "ListOrder", "List Order" },
  { "LowerCorner", "Lower Corner" },
  { "MagnusLift", "Magnus Lift" },
  { "MassRate", "Mass Rate" },
  { "MaterialModel", "Material Model" },
  { "MaximumRadius", "Maximum Radius" },
  { "MemoryLimit", "Memory Limit" },
  { "MinimumRadius", "Minimum Radius" },
  { "MixingIndices", "Mixing Indices" },
  { "MixingNeighbors", "Mixing Neighbors" },
  { "ModulusCorrection", "Modulus Correction" },
  { "MonitorInterval", "Monitor Interval" },
  { "MovesWith", "Moves With" },
  { "NeighborList", "Neighbor List" },
  { "NewtonIterations", "Newton Iterations" },
  { "NewtonTolerance", "Newton Tolerance" },
  { "NormalStiffness", "Normal Stiffness" },
  { "NozzleName", "Nozzle Name" },
  { "NumberOfBins", "Number Of Bins" },
  { "OutputInterval", "Output Interval" },
  { "OwnMaterial", "Own Material" },
  { "PeriodicBox", "Periodic Box" },
  { "PeriodicOfData", "Periodic Of Data" },
  { "Point1", "Point 1" },
  { "Point2", "Point 2" },
  { "PointOrder", "Point Order" },
  { "PointTransfer", "Point Transfer" },
  { "PointsPerAxis", "Points Per Axis" },
  { "PoissonsRatio", "Poisson's Ratio" },
  { "ProfileAxis", "Profile Axis" },
  { "ProfileHeights", "Profile Heights" },
  { "RadialDistribution", "Radial Distribution" },
  { "RadiusArray", "Radius Array" },
  { "RadiusDeviation", "Radius Deviation" },
  { "RadiusDistribution", "Radius Distribution" },
  { "RandomOrientation", "Random Orientation" },
  { "RattlerContacts", "Rattler Contacts" },
  { "RaySearch", "Ray Search" },
  { "RaysPerSample", "Rays Per Sample" },
  { "RelaxInitialOverlaps", "Relax Initial Overlaps" },
  { "RestartFile", "Restart File" },
  { "RollingDamping", "Rolling Damping" },
  { "RollingFriction", "Rolling Friction" },
  { "RollingModel", "Rolling Model" },
  { "RotationRate", "Rotation Rate" },
  { "SaffmanLift", "Saffman Lift" },
  { "SampleInterval", "Sample Interval" },
  { "SamplingPoints", "Sampling Points" },
  { "ShapeName", "Shape Name" },
  { "ShapeSize", "Shape Size" },
  { "ShowWallContacts", "Show Wall Contacts" },
  { "ShownLength", "Shown Length" },
  { "ShownSize", "Shown Size" },
  { "SmagorinskyConstant", "Smagorinsky Constant" },
  { "SnapshotMemory", "Snapshot Memory" },
  { "SortParticles", "Sort Particles" },
  { "SortSteps", "Sort Steps" },
  { "SortTime", "Sort Time" },
  { "SpeciesArray", "Species Array" },
  { "StartTime", "Start Time" },
  { "StaticSize", "Static Size" },
  { "SteeringEvents", "Steering Events" },
  { "StiffnessMode", "Stiffness Mode" },
  { "StiffnessRatio", "Stiffness Ratio" },
  { "StopTime", "Stop Time" },
  { "StressFactor", "Stress Factor" },
  { "SurfaceEnergy", "Surface Energy" },
  { "SurfaceRoughness", "Surface Roughness" },
  { "SurfaceSlope", "Surface Slope" },
  { "SymmetricList", "Symmetric List" },
  { "TableOfMaterials", "Table Of Materials" },
  { "TableOfPairs", "Table Of Pairs" },
  { "TabletBeltHeight", "Tablet Belt Height" },
  { "TabletCupRadius", "Tablet Cup Radius" },
  { "TabletDiameter", "Tablet Diameter" },
  { "TabletEdgeRadius", "Tablet Edge Radius" },
  { "TangentialDamping", "Tangential Damping" },
  { "TangentialHistory", "Tangential History" },
  { "TemperatureJump", "Temperature Jump" },
  { "ThermalCondition", "Thermal Condition" },
  { "ThermalConductivity", "Thermal Conductivity" },
  { "ThermalInterval", "Thermal Interval" },
  { "ThreadPer", "Thread Per" },
  { "TimeStep", "Time Step" },
  { "TimeWindow", "Time Window" },
  { "TriangleSearch", "Triangle Search" },
  { "TrueYoungsModulus", "True Young's Modulus" },
  { "UseTimesOfFile", "Use Times Of File" },
  { "ViscousStress", "Viscous Stress" },
  { "WallContact", "Wall Contact" },
  { "WallDensity", "Wall Density" },
  { "WallFriction", "Wall Friction" },
  { "WallHeatCapacity", "Wall Heat Capacity" },
  { "WallName", "Wall Name" },
  { "WallPoissonsRatio", "Wall Poisson's Ratio" },
  { "WallRestitution", "Wall Restitution" },
  { "WallRollingFriction", "Wall Rolling Friction" },
  { "WallSurfaceEnergy", "Wall Surface Energy" },
  { "WallThermalConductivity", "Wall Thermal Conductivity" },
  { "WallTrueYoungsModulus", "Wall True Young's Modulus" },
  { "WallYoungsModulus", "Wall Young's Modulus" },
  { "WhenChanged", "When Changed" },
  { "YieldStress", "Yield Stress" },
  { "YieldSurface", "Yield Surface" },
  { "YoungsModulus", "Young's Modulus" },
};

//------------------------------------------------------------------------------
bool IsOfWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

//------------------------------------------------------------------------------
bool EndsWith(const std::string& text, std::size_t end, const std::string& word)
{
  return end >= word.size() && text.compare(end - word.size(), word.size(), word) == 0;
}

//------------------------------------------------------------------------------
// Whether message[begin .. end) is a part of a file's name.
bool IsInPath(const std::string& message, std::size_t begin, std::size_t end)
{
  const auto separates = [](char c) { return c == '/' || c == '\\'; };
  const char next = end < message.size() ? message[end] : ' ';
  const bool extension = next == '.' && end + 1 < message.size() && IsOfWord(message[end + 1]);
  return (begin > 0 && separates(message[begin - 1])) || separates(next) || extension;
}

//------------------------------------------------------------------------------
std::string Shown(const std::string& word)
{
  const auto found = std::lower_bound(std::begin(Labels), std::end(Labels), word,
    [](const Label& label, const std::string& wanted) { return label.Name < wanted; });
  return found != std::end(Labels) && word == found->Name ? found->Shown : word;
}

} // namespace

namespace vtkDEMLabels
{

//------------------------------------------------------------------------------
std::string InMessage(const std::string& message)
{
  const std::string steering = "SteeringEvents";
  if (message.compare(0, steering.size(), steering) == 0)
  {
    return Shown(steering) + message.substr(steering.size());
  }
  std::string out;
  bool quoted = false, listed = false;
  for (std::size_t i = 0; i < message.size();)
  {
    std::size_t end = i + 1;
    if (IsOfWord(message[i]))
    {
      while (end < message.size() && IsOfWord(message[end]))
      {
        ++end;
      }
      const std::string word = message.substr(i, end - i);
      out += quoted || listed || IsInPath(message, i, end) ? word : Shown(word);
    }
    else
    {
      quoted = quoted != (message[i] == '"');
      listed = (listed && message[i] != '.') ||
        (message[i] == ':' && (EndsWith(message, i, " are") || EndsWith(message, i, "Known")));
      out += message[i];
    }
    i = end;
  }
  return out;
}

//------------------------------------------------------------------------------
std::string WithWallNames(const std::string& message, const std::vector<std::string>& labels)
{
  std::string text = message;
  for (const char* numbered :
    { "Wall ([0-9]{1,9}) \\('[^']*'\\)", "wall 'Wall ([0-9]{1,9})'", "Wall \"Wall ([0-9]{1,9})\"" })
  {
    std::smatch found;
    const std::regex pattern(numbered);
    for (auto at = text.cbegin(); std::regex_search(at, text.cend(), found, pattern);)
    {
      const std::size_t index = std::stoul(found[1].str());
      const auto begin = found[0].first - text.cbegin();
      const auto size = static_cast<std::size_t>(found.length(0));
      const std::string label = index < labels.size() ? labels[index] : found.str(0);
      text.replace(static_cast<std::size_t>(begin), size, label);
      at = text.cbegin() + begin + static_cast<std::ptrdiff_t>(label.size());
    }
  }
  return text;
}

} // namespace vtkDEMLabels
