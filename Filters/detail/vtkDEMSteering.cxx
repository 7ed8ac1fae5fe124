#include "vtkDEMSteering.h"

#include "Core/Error.h"
#include "MaterialPoint/MpmSteering.h"
#include "Scene/Steering.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <sstream>

namespace
{

constexpr char StartWord[] = "start";

//------------------------------------------------------------------------------
// Whether the first number of an event of this property is the index of a wall or nozzle.
bool HasIndex(const std::string& property)
{
  return dem::isOfWall(property) || dem::isOfNozzle(property) || mpm::isOfWall(property);
}

//------------------------------------------------------------------------------
bool SameTarget(const dem::Event& a, const dem::Event& b)
{
  return a.property == b.property && (!HasIndex(a.property) || a.value.front() == b.value.front());
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

//------------------------------------------------------------------------------
// What `numbers` returns; throws dem::Error if the scene has nothing that the event changes.
template <class NumbersOfScene>
std::vector<double*> NumbersOf(const NumbersOfScene& numbers, const dem::Event& event)
{
  try
  {
    std::vector<double*> found = numbers();
    if (!found.empty())
    {
      return found;
    }
  }
  catch (const dem::Error& e)
  {
    throw dem::Error(std::string("SteeringEvents: ") + e.what());
  }
  throw dem::Error("SteeringEvents: the scene has no " + event.property + ".");
}

} // namespace

//------------------------------------------------------------------------------
vtkDEMSteering::NumbersT vtkDEMSteering::Numbers(dem::Scene& scene, const dem::Event& event)
{
  return NumbersOf([&] { return dem::steeredNumbers(scene, event); }, event);
}

//------------------------------------------------------------------------------
vtkDEMSteering::NumbersT vtkDEMSteering::Numbers(mpm::Scene& scene, const dem::Event& event)
{
  return NumbersOf([&] { return mpm::steeredNumbers(scene, event); }, event);
}

//------------------------------------------------------------------------------
void vtkDEMSteering::Assign(const dem::Event& event, const NumbersT& numbers)
{
  const std::size_t before = HasIndex(event.property) ? 1 : 0;
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
  return Read(text, &dem::steeredSize, dem::steeredProperties().c_str());
}

//------------------------------------------------------------------------------
vtkDEMSteering vtkDEMSteering::FromText(const std::string& text, const mpm::Scene&)
{
  return Read(text, &mpm::steeredSize, mpm::steeredProperties().c_str());
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
        (HasIndex(event.property) ? ", the first of them the index of the wall or nozzle" : "") +
        ", not " + std::to_string(event.value.size()) + ".");
    }
    if (HasIndex(event.property) &&
      !(event.value[0] >= 0 && std::trunc(event.value[0]) == event.value[0]))
    {
      fail("the index of a wall or nozzle is a whole number from 0 on.");
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
  if (HasIndex(event.property))
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
