// Copies of data between the devices of parts: at once where the parts share memory, else as
// messages through host memory. Used by Subdomain.cuh and Halo.cuh.
#pragma once

#include "Domain/PartLink.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace dem
{

/// Where memory is shared, fetch() copies from the other device, and put() and deliver() do
/// nothing. Else the parts put what they send, deliver together, and fetch in the order of putting.
template <class Exec>
class Mailbox
{
public:
  Mailbox(Exec& exec, PartLink& link, int own)
    : exec_(exec)
    , link_(link)
    , own_(own)
    , letters_(link.parts())
    , taken_(link.parts())
  {
  }

  /// Forgets what was put and not delivered.
  void clear()
  {
    for (std::vector<Letter>& letters : letters_)
      letters.clear();
  }
  /// Sends bytes of device memory to a part; they must not change before deliver().
  void put(int part, const void* from, std::size_t bytes)
  {
    if (!link_.sharesMemory() && bytes)
      letters_[part].push_back({ from, bytes });
  }
  /// Waits for the device and for all parts.
  void deliver()
  {
    if (link_.sharesMemory())
      return;
    std::vector<PartLink::Bytes> out(letters_.size());
    for (std::size_t p = 0; p < out.size(); ++p)
    {
      std::size_t bytes = 0;
      for (const Letter& letter : letters_[p])
        bytes += letter.bytes;
      out[p].resize(bytes);
      bytes = 0;
      for (const Letter& letter : letters_[p])
      {
        exec_.toHost(out[p].data() + bytes, letter.from, letter.bytes);
        bytes += letter.bytes;
      }
      letters_[p].clear();
    }
    exec_.synchronize();
    in_ = link_.exchange(own_, out);
    taken_.assign(in_.size(), 0);
  }
  /// Copies to device memory what a part sent. `there`, `from`: its device and memory, if it is
  /// shared, and `mark` the mark of that device to wait for (CudaExec::mark).
  void fetch(
    int part, void* to, const Exec* there, unsigned mark, const void* from, std::size_t bytes)
  {
    if (!bytes)
      return;
    if (link_.sharesMemory())
    {
      exec_.await(*there, mark);
      return exec_.copyFrom(*there, to, from, bytes);
    }
    if (in_[part].size() - taken_[part] < bytes)
      throw Error("A message from part " + std::to_string(part) + " of the run is too short.");
    exec_.toDevice(to, in_[part].data() + taken_[part], bytes);
    taken_[part] += bytes;
  }

private:
  struct Letter
  {
    const void* from;
    std::size_t bytes;
  };

  Exec& exec_;
  PartLink& link_;
  const int own_;
  std::vector<std::vector<Letter>> letters_; // to each part
  std::vector<PartLink::Bytes> in_;          // from each part, until the next deliver()
  std::vector<std::size_t> taken_;           // bytes that were fetched
};

} // namespace dem
