#include "Report.h"

#include "Core/Error.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>

namespace validation
{

namespace
{

std::string number(double x)
{
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", x);
  return text;
}

// For a cell of a Markdown table.
std::string cell(std::string text)
{
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2)
    text.insert(at, 1, '\\');
  return text;
}

} // namespace

bool Check::passed() const
{
  return std::isfinite(measured) && measured >= lower && measured <= upper;
}

void Report::value(const std::string& name, double value, const std::string& unit)
{
  values_.push_back({ name, unit, value });
}

void Report::near(const std::string& name, double measured, double expected, double tolerance,
  const std::string& source)
{
  checks_.push_back({ name, measured, expected - tolerance, expected + tolerance, number(expected),
    "+- " + number(tolerance), source });
}

void Report::between(
  const std::string& name, double measured, double lower, double upper, const std::string& source)
{
  checks_.push_back(
    { name, measured, lower, upper, number(lower) + " to " + number(upper), "range", source });
}

void Report::below(
  const std::string& name, double measured, double limit, const std::string& source)
{
  checks_.push_back({ name, measured, -std::numeric_limits<double>::infinity(), limit,
    "<= " + number(limit), "bound", source });
}

void Report::atLeast(
  const std::string& name, double measured, double limit, const std::string& source)
{
  checks_.push_back({ name, measured, limit, std::numeric_limits<double>::infinity(),
    ">= " + number(limit), "bound", source });
}

bool Report::passed() const
{
  return !checks_.empty() &&
    std::all_of(checks_.begin(), checks_.end(), [](const Check& c) { return c.passed(); });
}

std::string Report::text() const
{
  std::string out;
  for (const Value& v : values_)
    out += "      " + name_ + ": " + v.name + " = " + number(v.value) +
      (v.unit.empty() ? "" : " " + v.unit) + "\n";
  for (const Check& c : checks_)
    out += std::string(c.passed() ? "pass  " : "FAIL  ") + name_ + ": " + c.name + " = " +
      number(c.measured) + ", expected " + c.expectation + " (" + c.tolerance + "); " + c.source +
      "\n";
  return out;
}

std::string Report::markdown(const std::string& command) const
{
  std::string out = "## " + name_ + (passed() ? ": passed" : ": FAILED") + "\n\n" + what_ + "\n\n" +
    command + "\n\n";
  for (const std::string& line : setup_)
    out += "- " + line + "\n";
  if (!setup_.empty())
    out += "\n";
  out += "| Quantity | Measured | Expected | Tolerance | Source | |\n|---|---|---|---|---|---|\n";
  for (const Check& c : checks_)
    out += "| " + cell(c.name) + " | " + number(c.measured) + " | " + c.expectation + " | " +
      c.tolerance + " | " + cell(c.source) + " | " + (c.passed() ? "pass" : "**FAIL**") + " |\n";
  for (const Value& v : values_)
    out += "| " + cell(v.name) + " | " + number(v.value) + (v.unit.empty() ? "" : " " + v.unit) +
      " | | | | |\n";
  out += "\n";
  for (const Table& t : tables_)
  {
    if (!t.in_results)
      continue;
    std::string rule = "|";
    out += "|";
    for (const std::string& c : t.columns)
    {
      out += " " + cell(c) + " |";
      rule += "---|";
    }
    out += "\n" + rule + "\n";
    for (const auto& row : t.rows)
    {
      out += "|";
      for (double x : row)
        out += " " + number(x) + " |";
      out += "\n";
    }
    out += "\n";
  }
  return out;
}

std::string Report::json() const
{
  nlohmann::ordered_json j;
  j["case"] = name_;
  j["passed"] = passed();
  j["setup"] = setup_;
  for (const Value& v : values_)
    j["values"].push_back({ { "name", v.name }, { "value", v.value }, { "unit", v.unit } });
  for (const Check& c : checks_)
    j["checks"].push_back(
      { { "name", c.name }, { "measured", c.measured }, { "expectation", c.expectation },
        { "tolerance", c.tolerance }, { "source", c.source }, { "passed", c.passed() } });
  return j.dump(2);
}

void Report::writeCsv(const std::string& folder) const
{
  std::filesystem::create_directories(folder);
  for (const Table& t : tables_)
  {
    const std::string path = folder + "/" + t.name + ".csv";
    std::ofstream out(path);
    out.precision(9);
    for (std::size_t k = 0; k < t.columns.size(); ++k)
      out << (k ? "," : "") << t.columns[k];
    out << "\n";
    for (const auto& row : t.rows)
    {
      for (std::size_t k = 0; k < row.size(); ++k)
        out << (k ? "," : "") << row[k];
      out << "\n";
    }
    if (!out.flush())
      throw dem::Error("'" + path + "' cannot be written.");
  }
}

} // namespace validation
