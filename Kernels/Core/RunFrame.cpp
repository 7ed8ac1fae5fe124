#include "Core/RunFrame.h"

#include <atomic>

namespace dem
{

std::uint64_t nextRunNumber()
{
  static std::atomic<std::uint64_t> last{ 0 };
  return ++last;
}

} // namespace dem
