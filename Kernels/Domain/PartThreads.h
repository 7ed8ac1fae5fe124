// The host threads of a run in several parts, one for each. Used by Solver/RunParts.cuh.
#pragma once

#include "Domain/Meeting.h"

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace dem
{

class PartThreads
{
public:
  /// The first part runs in the thread that calls run(), so one part needs no other thread.
  explicit PartThreads(int parts);
  ~PartThreads();
  PartThreads(const PartThreads&) = delete;
  PartThreads& operator=(const PartThreads&) = delete;

  PartLink& link() { return meeting_; }

  /// Calls act(part) for all parts at the same time and waits for all of them. If some throw,
  /// throws the exception of the first part that failed by itself.
  void run(const std::function<void(int)>& act);

private:
  void work(int part);
  void runOne(int part);

  Meeting meeting_;
  std::mutex mutex_;
  std::condition_variable begins_, ends_;
  const std::function<void(int)>* act_ = nullptr;
  unsigned long turn_ = 0; // number of the present run()
  int busy_ = 0;           // threads that have not ended it
  bool quits_ = false;
  std::vector<std::exception_ptr> failures_; // by part
  std::vector<std::thread> threads_;
};

} // namespace dem
