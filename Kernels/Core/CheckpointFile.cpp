// Checkpoint files: 8 bytes "PGCHECK1", u32 format version, u32 CRC-32 of the payload, u64 payload
// size, payload (a saved state of any method). Little endian.
#include "Core/CheckpointFile.h"

#include "Core/Error.h"

#include <array>
#include <cstdio>
#include <cstring>
#include <memory>

namespace dem
{
namespace
{

constexpr char kMagic[8] = { 'P', 'G', 'C', 'H', 'E', 'C', 'K', '1' };
constexpr std::uint32_t kFileVersion = 1;
constexpr std::size_t kHeader = 24;

// CRC-32 of ISO 3309 (reflected polynomial 0xEDB88320).
std::uint32_t crc32(const std::uint8_t* data, std::size_t n)
{
  static const auto table = [] {
    std::array<std::uint32_t, 256> t{};
    for (std::uint32_t i = 0; i < 256; ++i)
    {
      std::uint32_t c = i;
      for (int k = 0; k < 8; ++k)
        c = c & 1 ? 0xEDB88320u ^ (c >> 1) : c >> 1;
      t[i] = c;
    }
    return t;
  }();
  std::uint32_t crc = 0xFFFFFFFFu;
  for (std::size_t i = 0; i < n; ++i)
    crc = table[(crc ^ data[i]) & 0xFF] ^ (crc >> 8);
  return crc ^ 0xFFFFFFFFu;
}

struct Close
{
  void operator()(std::FILE* f) const { std::fclose(f); }
};
using File = std::unique_ptr<std::FILE, Close>;

} // namespace

void writeSnapshotFile(const std::string& path, const SnapshotBytes& bytes)
{
  std::uint8_t header[kHeader];
  const std::uint32_t crc = crc32(bytes.data(), bytes.size());
  const std::uint64_t size = bytes.size();
  std::memcpy(header, kMagic, 8);
  std::memcpy(header + 8, &kFileVersion, 4);
  std::memcpy(header + 12, &crc, 4);
  std::memcpy(header + 16, &size, 8);
  // Written beside the target and renamed, so that a failure leaves the old checkpoint as it was.
  const std::string partial = path + ".part";
  File file(std::fopen(partial.c_str(), "wb"));
  bool good = file && std::fwrite(header, 1, kHeader, file.get()) == kHeader &&
    std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size() &&
    std::fflush(file.get()) == 0;
  file.reset();
  good = good && std::rename(partial.c_str(), path.c_str()) == 0;
  if (!good)
  {
    std::remove(partial.c_str());
    throw Error("The checkpoint '" + path +
      "' cannot be written: check that the folder exists, is writable and has " +
      std::to_string((bytes.size() >> 20) + 1) + " MiB free.");
  }
}

SnapshotBytes readSnapshotFile(const std::string& path)
{
  const auto refuse = [&](const std::string& why) {
    throw Error("The checkpoint '" + path + "' cannot be used: " + why);
  };
  File file(std::fopen(path.c_str(), "rb"));
  if (!file)
    refuse("the file cannot be opened.");
  std::fseek(file.get(), 0, SEEK_END);
  const long length = std::ftell(file.get());
  std::fseek(file.get(), 0, SEEK_SET);
  std::uint8_t header[kHeader];
  if (length < static_cast<long>(kHeader) || std::fread(header, 1, kHeader, file.get()) != kHeader)
    refuse("it ends at offset " + std::to_string(length < 0 ? 0 : length) +
      ", inside the header of " + std::to_string(kHeader) + " bytes.");
  if (std::memcmp(header, kMagic, 8) != 0)
    refuse("it is not a ParaGrain checkpoint (offset 0 does not hold the mark of one).");
  std::uint32_t version, crc;
  std::uint64_t size;
  std::memcpy(&version, header + 8, 4);
  std::memcpy(&crc, header + 12, 4);
  std::memcpy(&size, header + 16, 8);
  if (version != kFileVersion)
    refuse("offset 8 says format version " + std::to_string(version) +
      "; this program reads version " + std::to_string(kFileVersion) + ".");
  const std::uint64_t there = static_cast<std::uint64_t>(length) - kHeader;
  if (size != there)
    refuse("offset 16 says " + std::to_string(size) + " bytes follow, but " +
      std::to_string(there) + " are there: the file was cut off or added to.");
  SnapshotBytes bytes(size);
  if (size && std::fread(bytes.data(), 1, size, file.get()) != size)
    refuse("reading failed behind offset " + std::to_string(kHeader) + ".");
  if (crc32(bytes.data(), bytes.size()) != crc)
    refuse("the checksum at offset 12 does not fit what follows: the file was altered or damaged.");
  return bytes;
}

} // namespace dem
