#include "Bridge/vtkDEMRankChannel.h"

#include "Core/Error.h"

#include "vtkMultiProcessController.h"

namespace
{

constexpr int Tag = 53170; // of messages between two ranks

void Require(int succeeded)
{
  if (!succeeded)
  {
    throw dem::Error("The ranks that share the run cannot exchange messages.");
  }
}

} // namespace

//------------------------------------------------------------------------------
int vtkDEMRankChannel::ranks() const { return this->Controller->GetNumberOfProcesses(); }

//------------------------------------------------------------------------------
int vtkDEMRankChannel::rank() const { return this->Controller->GetLocalProcessId(); }

//------------------------------------------------------------------------------
void vtkDEMRankChannel::allGather(const void* mine, std::size_t bytes, void* all)
{
  Require(this->Controller->AllGather(
    static_cast<const char*>(mine), static_cast<char*>(all), static_cast<vtkIdType>(bytes)));
}

//------------------------------------------------------------------------------
std::vector<dem::RankChannel::Bytes> vtkDEMRankChannel::exchange(const std::vector<Bytes>& out)
{
  const auto count = static_cast<std::size_t>(this->ranks());
  const auto own = static_cast<std::size_t>(this->rank());
  std::vector<vtkIdType> mine(count), all(count * count);
  for (std::size_t r = 0; r < count; ++r)
  {
    mine[r] = static_cast<vtkIdType>(out[r].size());
  }
  Require(this->Controller->AllGather(mine.data(), all.data(), static_cast<vtkIdType>(count)));
  std::vector<Bytes> in(count);
  in[own] = out[own];
  // All ranks go through the pairs of ranks in one order, so none waits in a circle.
  for (std::size_t a = 0; a < count; ++a)
  {
    for (std::size_t b = a + 1; b < count; ++b)
    {
      if (own != a && own != b)
      {
        continue;
      }
      const std::size_t other = own == a ? b : a;
      const auto send = [&]
      {
        if (!out[other].empty())
        {
          Require(this->Controller->Send(reinterpret_cast<const char*>(out[other].data()),
            static_cast<vtkIdType>(out[other].size()), static_cast<int>(other), Tag));
        }
      };
      const auto receive = [&]
      {
        in[other].resize(static_cast<std::size_t>(all[other * count + own]));
        if (!in[other].empty())
        {
          Require(this->Controller->Receive(reinterpret_cast<char*>(in[other].data()),
            static_cast<vtkIdType>(in[other].size()), static_cast<int>(other), Tag));
        }
      };
      if (own == a)
      {
        send();
        receive();
      }
      else
      {
        receive();
        send();
      }
    }
  }
  return in;
}
