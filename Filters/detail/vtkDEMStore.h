/**
 * The checkpoint files that a run writes while it advances.
 */

#ifndef vtkDEMStore_h
#define vtkDEMStore_h

#include "Core/Bytes.h"

#include <cstdint>
#include <deque>
#include <string>

namespace dem
{
class RankChannel;
}

/**
 * Names, writes and removes files. Ranks that share a run call Check and Write together; the first
 * writes, and all throw dem::Error if it fails.
 */
class vtkDEMStore
{
public:
  /**
   * `file`: run.dem-checkpoint gives run_000012.dem-checkpoint. `kept`: number of files that are
   * kept, 0 = all. Only files that this object has written for the present run are removed, and
   * never `restart`, the file from which the run starts.
   */
  void Set(bool on, const std::string& file, int kept, const std::string& restart,
    dem::RankChannel* ranks);

  /**
   * A new run begins: the files of the one before stay.
   */
  void Begin() { this->Written.clear(); }

  /**
   * Throws an error if files shall be written and cannot be: without a name, or without a folder.
   */
  void Check() const;

  void Write(const dem::SnapshotBytes& state, std::uint64_t number);

  static std::string NameOf(const std::string& file, std::uint64_t number);

private:
  void ThrowOnAll(const std::string& error) const;
  bool Writes() const;
  void RemoveOldest();

  bool IsOn = false;
  std::string File;
  int Kept = 0;
  std::string Restart; // whole path, or empty
  dem::RankChannel* Ranks = nullptr;
  std::deque<std::string> Written; // oldest first
};

#endif
