// Runs a fuzz target over kept inputs, for compilers without libFuzzer: the arguments are files and
// folders.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace
{

void replay(const std::filesystem::path& path)
{
  std::ifstream in(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

} // namespace

int main(int argc, char** argv)
{
  int count = 0;
  for (int i = 1; i < argc; ++i)
  {
    if (!std::filesystem::is_directory(argv[i]))
    {
      replay(argv[i]);
      ++count;
      continue;
    }
    for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[i]))
    {
      if (entry.is_regular_file())
      {
        replay(entry.path());
        ++count;
      }
    }
  }
  std::printf("%d inputs\n", count);
  return count > 0 ? 0 : 1;
}
