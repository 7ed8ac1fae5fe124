#include "Domain/RankLink.h"

#include <algorithm>

namespace dem
{

std::string RankLink::failureOfAny(const std::string& mine)
{
  const char failed = !mine.empty();
  std::vector<char> all(parts());
  channel_.allGather(&failed, 1, all.data());
  const auto first = std::find(all.begin(), all.end(), 1);
  if (first == all.end())
    return {};
  struct Text
  {
    char text[1024];
  };
  Text own{};
  std::copy_n(mine.begin(), std::min(mine.size(), sizeof own.text - 1), own.text);
  std::vector<Text> texts(parts());
  channel_.allGather(&own, sizeof own, texts.data());
  return texts[first - all.begin()].text;
}

void RankLink::await(int)
{
  const std::string failure = failureOfAny({});
  if (!failure.empty())
    throw OtherPartFailed(failure);
}

std::vector<PartLink::Bytes> RankLink::exchange(int own, const std::vector<Bytes>& out)
{
  await(own);
  return channel_.exchange(out);
}

void RankLink::gatherBytes(int own, const void* value, std::size_t bytes, void* all)
{
  await(own);
  channel_.allGather(value, bytes, all);
}

std::string RankLink::fail(const std::string& message)
{
  return failureOfAny(message.empty() ? "A part of the run failed." : message);
}

} // namespace dem
