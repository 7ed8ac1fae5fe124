// Texts and files of the tests of readers.
#pragma once

#include <fstream>
#include <ios>
#include <iterator>
#include <string>

namespace test
{

/// The text with the first `from` replaced.
inline std::string replaced(std::string text, const std::string& from, const std::string& to)
{
  return text.replace(text.find(from), from.size(), to);
}

inline std::string contentsOf(const std::string& path)
{
  std::ifstream in(path, std::ios::binary);
  return { std::istreambuf_iterator<char>(in), {} };
}

inline void writeFile(const std::string& path, const std::string& contents)
{
  std::ofstream(path, std::ios::binary)
    .write(contents.data(), static_cast<std::streamsize>(contents.size()));
}

} // namespace test
