#include "Domain/PartThreads.h"

namespace dem
{

PartThreads::PartThreads(int parts)
  : meeting_(parts)
  , failures_(parts)
{
  for (int p = 1; p < parts; ++p)
    threads_.emplace_back([this, p] { work(p); });
}

PartThreads::~PartThreads()
{
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    quits_ = true;
  }
  begins_.notify_all();
  for (std::thread& thread : threads_)
    thread.join();
}

void PartThreads::run(const std::function<void(int)>& act)
{
  if (threads_.empty())
    return act(0);
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    meeting_.reset();
    for (std::exception_ptr& failure : failures_)
      failure = nullptr;
    act_ = &act;
    busy_ = static_cast<int>(threads_.size());
    ++turn_;
  }
  begins_.notify_all();
  runOne(0);
  std::unique_lock<std::mutex> lock(mutex_);
  ends_.wait(lock, [this] { return busy_ == 0; });
  std::exception_ptr of_others;
  for (const std::exception_ptr& failure : failures_)
  {
    if (!failure)
      continue;
    try
    {
      std::rethrow_exception(failure);
    }
    catch (const OtherPartFailed&)
    {
      of_others = failure;
    }
  }
  if (of_others)
    std::rethrow_exception(of_others);
}

void PartThreads::work(int part)
{
  unsigned long seen = 0;
  for (;;)
  {
    {
      std::unique_lock<std::mutex> lock(mutex_);
      begins_.wait(lock, [&] { return quits_ || turn_ != seen; });
      if (quits_)
        return;
      seen = turn_;
    }
    runOne(part);
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      --busy_;
    }
    ends_.notify_one();
  }
}

void PartThreads::runOne(int part)
{
  try
  {
    (*act_)(part);
  }
  catch (...)
  {
    failures_[part] = std::current_exception();
    meeting_.fail();
  }
}

} // namespace dem
