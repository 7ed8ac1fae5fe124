// Compares named arrays and values to the last bit, and keeps the first difference as text.
#pragma once

#include <cstddef>
#include <cstring>
#include <string>

namespace test
{

class FirstDifference
{
public:
  /// Arrays of numbers with size() and [].
  template <class Array>
  void array(const std::string& name, const Array& x, const Array& y)
  {
    if (!text_.empty())
    {
      return;
    }
    if (x.size() != y.size())
    {
      text_ =
        name + ": " + std::to_string(x.size()) + " values against " + std::to_string(y.size());
      return;
    }
    for (std::size_t i = 0; i < x.size(); ++i)
    {
      if (std::memcmp(&x[i], &y[i], sizeof(x[i])) != 0)
      {
        text_ = name + "[" + std::to_string(i) + "]: " + std::to_string(x[i]) + " against " +
          std::to_string(y[i]) + " (difference " +
          std::to_string(1e9 * (double(x[i]) - double(y[i]))) + "e-9)";
        return;
      }
    }
  }
  template <class T>
  void value(const std::string& name, T x, T y)
  {
    if (text_.empty() && std::memcmp(&x, &y, sizeof(x)) != 0)
    {
      text_ = name + ": " + std::to_string(x) + " against " + std::to_string(y);
    }
  }
  bool found() const { return !text_.empty(); }
  /// Empty if all were equal.
  const std::string& text() const { return text_; }

private:
  std::string text_;
};

} // namespace test
