// What a validation case measured, against what was expected: on the screen, as JSON, CSV and
// Markdown.
#pragma once

#include <string>
#include <vector>

namespace validation
{

/// One measured value against an expectation. A value that is not finite fails, whatever is
/// expected.
struct Check
{
  std::string name;
  double measured = 0;
  double lower = 0, upper = 0; ///< passed: lower <= measured <= upper
  std::string expectation, tolerance, source;

  bool passed() const;
};

struct Table
{
  std::string name;
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;
  bool in_results = true; ///< long ones go to CSV alone
};

class Report
{
public:
  Report(std::string name, std::string what)
    : name_(std::move(name))
    , what_(std::move(what))
  {
  }

  void setup(const std::string& text) { setup_.push_back(text); }
  void value(const std::string& name, double value, const std::string& unit);

  /// measured within `tolerance` of `expected` (absolute).
  void near(const std::string& name, double measured, double expected, double tolerance,
    const std::string& source);
  void between(const std::string& name, double measured, double lower, double upper,
    const std::string& source);
  void below(const std::string& name, double measured, double limit, const std::string& source);
  void atLeast(const std::string& name, double measured, double limit, const std::string& source);

  void table(Table table) { tables_.push_back(std::move(table)); }

  const std::string& name() const { return name_; }
  bool passed() const; ///< false without a single check
  const std::vector<Check>& checks() const { return checks_; }

  std::string text() const;
  std::string markdown(const std::string& command) const; ///< a section; `command` made it
  std::string json() const;                               ///< one JSON object
  void writeCsv(const std::string& folder) const;

private:
  struct Value
  {
    std::string name, unit;
    double value;
  };
  std::string name_, what_;
  std::vector<std::string> setup_;
  std::vector<Value> values_;
  std::vector<Check> checks_;
  std::vector<Table> tables_;
};

} // namespace validation
