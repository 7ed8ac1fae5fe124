#include "vtkDEMSteering.h"

#include "Core/Error.h"
#include "MaterialPoint/MpmSteering.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <sstream>

namespace
{

constexpr char StartWord[] = "start";

struct MaterialProperty
{
  const char* Name;
  double dem::Material::*Member;
};
constexpr MaterialProperty MaterialProperties[] = {
  { "YoungsModulus", &dem::Material::youngs_modulus },
  { "PoissonsRatio", &dem::Material::poissons_ratio },
  { "Restitution", &dem::Material::restitution },
  { "Friction", &dem::Material::friction },
  { "RollingFriction", &dem::Material::rolling_friction },
};

//------------------------------------------------------------------------------
bool IsOfWall(const std::string& property)
{
  return property == "WallRate" || property == "WallVelocity" || property == "WallContactFriction";
}

//------------------------------------------------------------------------------
// The member of the material with this name, and the index of its material; null for other names.
const MaterialProperty* FindMaterialProperty(const std::string& property, std::size_t& material)
{
  material = property.compare(0, 4, "Wall") == 0 ? 1 : 0;
  const std::string name = property.substr(material ? 4 : 0);
  const auto found = std::find_if(std::begin(MaterialProperties), std::end(MaterialProperties),
    [&](const MaterialProperty& known) { return name == known.Name; });
  return found == std::end(MaterialProperties) ? nullptr : found;
}

//------------------------------------------------------------------------------
// The number of values of an event of that name; 0 for unknown names.
std::size_t SizeOfGrains(const std::string& property)
{
  std::size_t material = 0;
  return property == "Gravity"                 ? 3
    : property == "WallRate"                   ? 2
    : property == "WallVelocity"               ? 4
    : FindMaterialProperty(property, material) ? 1
                                               : 0;
}

//------------------------------------------------------------------------------
// The same for a continuum.
std::size_t SizeOfPoints(const std::string& property)
{
  mpm::Scene scene;
  scene.walls.resize(1);
  const std::size_t before = IsOfWall(property) ? 1 : 0;
  const std::size_t size =
    mpm::steeredNumbers(scene, { 0, property, std::vector<double>(before) }).size();
  return size ? before + size : 0;
}

//------------------------------------------------------------------------------
bool SameTarget(const dem::Event& a, const dem::Event& b)
{
  return a.property == b.property && (!IsOfWall(a.property) || a.value.front() == b.value.front());
}

//------------------------------------------------------------------------------
void Write(std::string& text, double number)
{
  char digits[32];
  text.append(digits, std::to_chars(digits, digits + sizeof(digits), number).ptr);
}

//------------------------------------------------------------------------------
void Write(std::string& text, const dem::Event& event)
{
  text += " " + event.property;
  for (double number : event.value)
  {
    text += " ";
    Write(text, number);
  }
}

//------------------------------------------------------------------------------
bool ReadNumber(const std::string& word, double& number)
{
  const char* end = word.data() + word.size();
  const auto result = std::from_chars(word.data(), end, number);
  return result.ec == std::errc() && result.ptr == end && std::isfinite(number);
}

} // namespace

//------------------------------------------------------------------------------
vtkDEMSteering::NumbersT vtkDEMSteering::Numbers(dem::Scene& scene, const dem::Event& event)
{
  const auto components = [](dem::Vec3d& v) { return NumbersT{ &v.x, &v.y, &v.z }; };
  if (event.property == "Gravity")
  {
    return components(scene.gravity);
  }
  if (event.property == "WallRate" || event.property == "WallVelocity")
  {
    const double index = event.value.front();
    if (!(index >= 0 && index < static_cast<double>(scene.walls.size())))
    {
      std::ostringstream text;
      text << "SteeringEvents: " << event.property << " is of wall " << index
           << ", but the number of walls is " << scene.walls.size() << ".";
      throw dem::Error(text.str());
    }
    dem::Motion& motion = scene.walls[static_cast<std::size_t>(index)].motion;
    return event.property == "WallRate" ? NumbersT{ &motion.rate } : components(motion.velocity);
  }
  std::size_t material = 0;
  const MaterialProperty* property = FindMaterialProperty(event.property, material);
  if (!property || material >= scene.materials.size())
  {
    throw dem::Error("SteeringEvents: the scene has no " + event.property + ".");
  }
  return { &(scene.materials[material].*property->Member) };
}

//------------------------------------------------------------------------------
vtkDEMSteering::NumbersT vtkDEMSteering::Numbers(mpm::Scene& scene, const dem::Event& event)
{
  try
  {
    NumbersT numbers = mpm::steeredNumbers(scene, event);
    if (!numbers.empty())
    {
      return numbers;
    }
  }
  catch (const dem::Error& e)
  {
    throw dem::Error(std::string("SteeringEvents: ") + e.what());
  }
  throw dem::Error("SteeringEvents: the scene has no " + event.property + ".");
}

//------------------------------------------------------------------------------
void vtkDEMSteering::Assign(const dem::Event& event, const NumbersT& numbers)
{
  const std::size_t before = IsOfWall(event.property) ? 1 : 0;
  for (std::size_t i = 0; i < numbers.size(); ++i)
  {
    *numbers[i] = event.value[before + i];
  }
}

//------------------------------------------------------------------------------
std::string vtkDEMSteering::ToText() const
{
  std::string text;
  for (const dem::Event& event : this->Start)
  {
    text += text.empty() ? "" : "\n";
    text += StartWord;
    Write(text, event);
  }
  for (const dem::Event& event : this->Events)
  {
    text += text.empty() ? "" : "\n";
    Write(text, event.time);
    Write(text, event);
  }
  return text;
}

//------------------------------------------------------------------------------
vtkDEMSteering vtkDEMSteering::FromText(const std::string& text, const dem::Scene&)
{
  return Read(text, &SizeOfGrains,
    "Gravity, YoungsModulus, PoissonsRatio, Restitution, Friction, RollingFriction, these five "
    "with "
    "Wall in front, WallRate, WallVelocity");
}

//------------------------------------------------------------------------------
vtkDEMSteering vtkDEMSteering::FromText(const std::string& text, const mpm::Scene&)
{
  return Read(text, &SizeOfPoints,
    "Gravity, YoungsModulus, PoissonsRatio, FrictionAngle, Cohesion, YieldStress, "
    "HardeningModulus, "
    "BulkModulus, Gamma, Viscosity, BorderFriction, WallContactFriction, WallRate, WallVelocity");
}

//------------------------------------------------------------------------------
vtkDEMSteering vtkDEMSteering::Read(const std::string& text,
  const std::function<std::size_t(const std::string& property)>& sizeOf, const char* known)
{
  vtkDEMSteering steering;
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number)
  {
    std::istringstream words(line);
    std::string when, word;
    if (!(words >> when))
    {
      continue;
    }
    const auto fail = [&](const std::string& what)
    {
      throw dem::Error("SteeringEvents, line " + std::to_string(number) + " (\"" + line +
        "\"): " + what + " A line is a time in s, or \"start\", a property and its numbers.");
    };

    dem::Event event;
    if (when != StartWord && !(ReadNumber(when, event.time) && event.time >= 0))
    {
      fail("\"" + when + "\" is no time >= 0.");
    }
    words >> event.property;
    const std::size_t size = sizeOf(event.property);
    if (size == 0)
    {
      fail((event.property.empty() ? "No property is given; there is none"
                                   : "\"" + event.property + "\" is no property") +
        " that can change under way. Known: " + known + ".");
    }
    while (words >> word)
    {
      event.value.push_back(0);
      if (!ReadNumber(word, event.value.back()))
      {
        fail("\"" + word + "\" is no finite number.");
      }
    }
    if (event.value.size() != size)
    {
      fail(event.property + " takes " + std::to_string(size) +
        (size == 1 ? " number" : " numbers") +
        (IsOfWall(event.property) ? ", the first of them the wall's index" : "") + ", not " +
        std::to_string(event.value.size()) + ".");
    }
    if (IsOfWall(event.property) &&
      !(event.value[0] >= 0 && std::trunc(event.value[0]) == event.value[0]))
    {
      fail("a wall's index is a whole number from 0 on.");
    }

    if (when != StartWord)
    {
      steering.Add(event);
      continue;
    }
    for (const dem::Event& other : steering.Start)
    {
      if (SameTarget(other, event))
      {
        fail("there is a start of " + event.property + " before.");
      }
    }
    steering.Start.push_back(event);
  }
  return steering;
}

//------------------------------------------------------------------------------
void vtkDEMSteering::Begin(const dem::Event& event, const std::function<NumbersT()>& numbers)
{
  for (const dem::Event& known : this->Start)
  {
    if (SameTarget(known, event))
    {
      return;
    }
  }
  dem::Event begin{ 0, event.property, {} };
  if (IsOfWall(event.property))
  {
    begin.value.push_back(event.value.front());
  }
  for (const double* number : numbers())
  {
    begin.value.push_back(*number);
  }
  this->Start.push_back(begin);
}

//------------------------------------------------------------------------------
void vtkDEMSteering::Add(const dem::Event& event)
{
  this->Events.erase(std::remove_if(this->Events.begin(), this->Events.end(),
                       [&](const dem::Event& other)
                       { return other.time == event.time && SameTarget(other, event); }),
    this->Events.end());
  this->Events.insert(std::upper_bound(this->Events.begin(), this->Events.end(), event,
                        [](const dem::Event& a, const dem::Event& b) { return a.time < b.time; }),
    event);
}
