// Finds the numbers that an event changes, and applies events to a scene.
#include "Scene/Steering.h"

#include "Core/Error.h"
#include "Core/RowSteering.h"
#include "Scene/Describe.h"
#include "Scene/Validate.h"
#include "Spray/NozzleRows.h"
#include "Walls/SteeredWall.h"

#include <cstring>

namespace dem
{
namespace
{

// Index of the material that an event changes. Removes the prefix `Wall` from the property.
std::size_t materialOf(std::string& property)
{
  if (property.compare(0, 4, "Wall") != 0)
    return 0;
  property.erase(0, 4);
  return 1;
}

bool isOfHeat(const std::string& property)
{
  WallHeat heat;
  return !numbersOf(heat, property).empty();
}

constexpr const char* kNozzle = "Nozzle"; // prefix of properties of nozzles

// The property of a nozzle in its rows; empty if it belongs to something else.
std::string ofNozzle(const std::string& property)
{
  const std::size_t length = std::strlen(kNozzle);
  return property.compare(0, length, kNozzle) == 0 ? property.substr(length) : "";
}

// Index of the nozzle that an event changes. Throws dem::Error if there is none.
std::size_t nozzleOf(const Event& event, const std::vector<Nozzle>& nozzles)
{
  const double index = event.value.empty() ? -1 : event.value[0];
  require(index >= 0 && index < static_cast<double>(nozzles.size()),
    "Event '" + event.property + "': nozzle " + number(index) +
      " is not in the scene; the number of nozzles is " + std::to_string(nozzles.size()) +
      ", counted from 0.");
  return static_cast<std::size_t>(index);
}

// Throws dem::Error if the wall does not have the condition that the event changes, or cannot have
// the value.
void checkWallHeat(const Wall& wall, std::size_t index, const Event& event)
{
  const bool flux = event.property == "WallHeatFlux";
  const ThermalCondition wanted = flux ? ThermalCondition::HeatFlux : ThermalCondition::Temperature;
  require(wall.heat.condition == wanted,
    "Event '" + event.property + "' is of wall " + std::to_string(index) + " ('" + wall.name +
      "'), whose ThermalCondition is " +
      kThermalConditionNames[static_cast<int>(wall.heat.condition)] + ". Give it " +
      kThermalConditionNames[static_cast<int>(wanted)] + " from the start.");
  require(flux || event.value[1] >= 0,
    eventText(event) + " gives wall " + std::to_string(index) + " the temperature " +
      number(event.value[1]) + " K; it must be at least 0.");
}

} // namespace

bool isOfWall(const std::string& property)
{
  Motion motion;
  WallHeat heat;
  return !numbersOf(motion, property).empty() || !numbersOf(heat, property).empty();
}

bool isOfNozzle(const std::string& property)
{
  Nozzle nozzle;
  return !numbersOf(nozzle, ofNozzle(property)).empty();
}

std::string steeredProperties()
{
  std::string text;
  addSteeredNames<Scene>(text);
  addSteeredNames<Material>(text);
  text += ", the same with Wall in front";
  addSteeredNames<Motion>(text);
  addSteeredNames<WallHeat>(text);
  addSteeredNames<Nozzle>(text, kNozzle);
  addSteeredNames<FluidOptions>(text);
  return text;
}

std::vector<double*> steeredNumbers(Scene& scene, const Event& event)
{
  if (isOfWall(event.property))
  {
    Wall& wall = scene.walls[wallOf(event, scene.walls)];
    const std::vector<double*> numbers = numbersOf(wall.heat, event.property);
    return numbers.empty() ? numbersOf(wall.motion, event.property) : numbers;
  }
  if (isOfNozzle(event.property))
    return numbersOf(scene.nozzles[nozzleOf(event, scene.nozzles)], ofNozzle(event.property));
  std::string property = event.property;
  const std::size_t material = materialOf(property);
  if (material == 0)
  {
    if (std::vector<double*> numbers = numbersOf(scene, property); !numbers.empty())
      return numbers;
    if (std::vector<double*> numbers = numbersOf(scene.fluid, property); !numbers.empty())
      return numbers;
  }
  return material < scene.materials.size() ? numbersOf(scene.materials[material], property)
                                           : std::vector<double*>{};
}

std::size_t steeredSize(const std::string& property)
{
  Scene scene;
  scene.materials.resize(2);
  scene.walls.resize(1);
  scene.nozzles.resize(1);
  const std::size_t index = isOfWall(property) || isOfNozzle(property) ? 1 : 0;
  const std::size_t numbers =
    steeredNumbers(scene, { 0, property, std::vector<double>(index) }).size();
  return numbers ? index + numbers : 0;
}

void applyToScene(Scene& scene, const Event& event)
{
  checkEvent(event, steeredSize(event.property), steeredProperties());
  const std::vector<double*> numbers = steeredNumbers(scene, event);
  if (numbers.empty())
    throw Error("Event '" + event.property + "': the scene has no material 1 for walls.");
  const bool of_wall = isOfWall(event.property), of_nozzle = isOfNozzle(event.property);
  if (of_wall)
  {
    const auto wall = static_cast<std::size_t>(event.value[0]);
    if (isOfHeat(event.property))
      checkWallHeat(scene.walls[wall], wall, event);
    else
      settleForSpeed(scene.walls[wall], wall, event.property, event.time);
  }

  const std::vector<Material> before = scene.materials;
  const std::vector<Nozzle> nozzles_before = scene.nozzles;
  for (std::size_t k = 0; k < numbers.size(); ++k)
    *numbers[k] = event.value[(of_wall || of_nozzle ? 1 : 0) + k];
  try
  {
    if (of_nozzle)
      validateNozzles(scene);
    for (std::size_t m = 0; m < scene.materials.size() && m < 2; ++m)
      validateMaterial(scene.materials[m], m);
  }
  catch (...)
  {
    scene.materials = before;
    scene.nozzles = nozzles_before;
    throw;
  }
}

} // namespace dem
