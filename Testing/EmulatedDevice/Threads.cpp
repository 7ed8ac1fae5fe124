// The scheduler of the emulated device: fibers for threads, and their meetings in warps and blocks.
#include "Threads.h"

#include <boost/context/fiber.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <numeric>
#include <random>
#include <vector>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

thread_local emulated::Index threadIdx, blockIdx;
thread_local dim3 blockDim, gridDim;

namespace dem
{
namespace detail
{
/// Defines the `extern __shared__` array of Core/CudaExec.cuh, with the shared memory of a block on
/// an H100.
alignas(16) thread_local unsigned char block_memory[227 * 1024];
} // namespace detail
} // namespace dem

namespace emulated
{
namespace
{
namespace context = boost::context;

constexpr std::size_t kStack = 512 * 1024;
constexpr unsigned kMostThreads = 1024;
constexpr std::uint64_t kRubbishValue = 0xcbcbcbcbcbcbcbcb;

[[noreturn]] void stop(const char* why);

enum class State : unsigned char
{
  Fresh,
  Ready,
  AwaitsLanes,
  AwaitsBlock,
  AsksActiveMask,
  Pauses,
  Ended
};

const char* nameOf(State state)
{
  const char* names[] = { "not begun", "ready", "waits for lanes", "waits for the block",
    "asks for the active mask", "pauses", "ended" };
  return names[static_cast<int>(state)];
}

/// Sets the treatment of subnormal numbers for its lifetime.
class Subnormals
{
#if defined(__SSE__)
public:
  explicit Subnormals(bool flush) { _mm_setcsr(flush ? before_ | kFlush : before_ & ~kFlush); }
  ~Subnormals() { _mm_setcsr(before_); }

private:
  static constexpr unsigned kFlush = 0x8040; // flush results and operands
  unsigned before_ = _mm_getcsr();
#else
public:
  explicit Subnormals(bool) {}
#endif
};

/// A collective operation in progress. Free if `came` is 0.
struct Meeting
{
  Operation operation;
  unsigned mask = 0, came = 0, left = 0;
  bool complete = false;
  std::uint64_t value[32];
  std::uint64_t together; // the value that all lanes receive
};

struct Warp
{
  unsigned ended = 0;
  std::vector<Meeting> meetings = std::vector<Meeting>(4);
  unsigned active = 0; // result of activeLanes()
};

/// A fiber, which runs threads one after the other.
struct Worker
{
  context::fiber fiber; // while it is suspended
  unsigned thread = 0;
};

/// The emulated device of one host thread.
class Device
{
public:
  void run(const char* what, unsigned blocks, unsigned threads, std::size_t shared_bytes,
    bool flushes, void (*body)(void*), void* body_context)
  {
    what_ = what;
    threads_ = 0;
    if (blocks == 0 || threads == 0 || threads > kMostThreads ||
      shared_bytes > sizeof(dem::detail::block_memory))
      stop("the launch configuration is invalid");
    body_ = body;
    context_ = body_context;
    const Subnormals subnormals(flushes);
    blockDim = dim3(threads);
    gridDim = dim3(blocks);
    for (unsigned b = 0; b < blocks; ++b)
    {
      blockIdx.x = b;
      runBlock(threads);
    }
  }

  std::uint64_t exchange(Operation operation, unsigned mask, std::uint64_t value, unsigned from)
  {
    const unsigned thread = threadIdx.x, lane = thread % 32;
    Warp& warp = warps_[thread / 32];
    if (!(mask >> lane & 1))
      stop("a lane is not in its own mask");
    std::size_t at = warp.meetings.size();
    for (std::size_t m = 0; m < warp.meetings.size(); ++m)
    {
      const Meeting& meeting = warp.meetings[m];
      if (!meeting.came)
        at = at == warp.meetings.size() ? m : at;
      else if (!meeting.complete && meeting.mask == mask && !(meeting.came >> lane & 1))
      {
        if (meeting.operation != operation)
          stop("lanes of a mask call different operations");
        at = m;
        break;
      }
    }
    if (at == warp.meetings.size())
      warp.meetings.emplace_back();
    {
      Meeting& meeting = warp.meetings[at];
      if (!meeting.came)
      {
        meeting.operation = operation;
        meeting.mask = mask;
        meeting.left = 0;
        meeting.complete = false;
      }
      meeting.came |= 1u << lane;
      meeting.value[lane] = value;
      complete(meeting, thread / 32);
    }
    while (!warp.meetings[at].complete)
      wait(State::AwaitsLanes);
    Meeting& meeting = warp.meetings[at];
    meeting.left |= 1u << lane;
    if (meeting.left == meeting.came)
      meeting.came = 0;
    const unsigned members = meeting.came | meeting.left;
    if (operation == Operation::Shuffle)
      return members >> from & 1 ? meeting.value[from] : kRubbishValue;
    if (operation == Operation::Match)
    {
      std::uint64_t same = 0;
      for (unsigned l = 0; l < 32; ++l)
        if (members >> l & 1)
          same |= std::uint64_t(meeting.value[l] == value) << l;
      return same;
    }
    return meeting.together;
  }

  unsigned activeLanes(const void* where)
  {
    const unsigned thread = threadIdx.x;
    where_[thread] = where;
    wait(State::AsksActiveMask);
    return warps_[thread / 32].active;
  }

  bool allOfBlock(bool value)
  {
    all_ = all_ && value;
    ++came_;
    const unsigned turn = turn_;
    openBarrier();
    while (turn == turn_)
      wait(State::AwaitsBlock);
    return result_;
  }

  void pause() { wait(State::Pauses); }

  void fillOnce(void* shared, std::size_t bytes)
  {
    if (!filled_)
      std::memset(shared, kRubbish, bytes);
    filled_ = true;
  }

  [[noreturn]] void report(const char* why)
  {
    std::fprintf(stderr, "Emulated device: %s.\n  kernel %s\n  block %u of %u, last thread %u\n",
      why, what_, blockIdx.x, gridDim.x, threadIdx.x);
    for (unsigned t = 0; t < threads_; ++t)
      if (t % 32 == 0 || state_[t] != state_[t - 1])
        std::fprintf(stderr, "  from thread %u: %s\n", t, nameOf(state_[t]));
    for (unsigned w = 0; 32 * w < threads_; ++w)
      for (const Meeting& meeting : warps_[w].meetings)
        if (meeting.came && !meeting.complete)
          std::fprintf(stderr, "  warp %u: of lanes %08x came %08x, ended %08x\n", w, meeting.mask,
            meeting.came, warps_[w].ended);
    std::abort();
  }

private:
  void runBlock(unsigned threads)
  {
    threads_ = threads;
    state_.assign(threads, State::Fresh);
    where_.resize(threads);
    worker_.assign(threads, nullptr);
    warps_.resize((threads + 31) / 32);
    for (unsigned w = 0; w < warps_.size(); ++w)
    {
      warps_[w].ended = 0;
      for (Meeting& meeting : warps_[w].meetings)
        meeting.came = 0;
      for (unsigned lane = 32; 32 * w + lane > threads; --lane)
        warps_[w].ended |= 1u << (lane - 1);
    }
    ended_ = came_ = 0;
    all_ = true;
    filled_ = false;
    order_.resize(threads);
    std::iota(order_.begin(), order_.end(), 0u);
    for (unsigned pauses = 0; ended_ < threads;)
    {
      if (random_) // a device may schedule threads in any order
        std::shuffle(order_.begin(), order_.end(), *random_);
      tried_ = 0;
      const unsigned thread = next();
      if (thread < threads)
        switchTo(workerFor(thread));
      else if (!formActiveMasks())
      {
        if (!resumePaused())
          report("threads wait for each other");
        if (++pauses > 100000)
          report("threads wait for something that no earlier block does");
      }
    }
  }

  /// The next thread of this round that is ready to run, or threads_ if there is none.
  unsigned next()
  {
    while (tried_ < threads_)
    {
      const unsigned thread = order_[tried_++];
      if (state_[thread] == State::Fresh || state_[thread] == State::Ready)
        return thread;
    }
    return threads_;
  }

  Worker& workerFor(unsigned thread)
  {
    if (!worker_[thread])
    {
      if (idle_.empty())
        idle_.push_back(createWorker());
      begin(thread, *idle_.back());
      idle_.pop_back();
    }
    return *worker_[thread];
  }
  void begin(unsigned thread, Worker& worker)
  {
    worker.thread = thread;
    worker_[thread] = &worker;
    state_[thread] = State::Ready;
  }

  Worker* createWorker()
  {
    workers_.push_back(std::make_unique<Worker>());
    Worker* const worker = workers_.back().get();
    worker->fiber = context::fiber(std::allocator_arg, context::protected_fixedsize_stack(kStack),
      [this, worker](context::fiber&& before) {
        before_->fiber = std::move(before);
        for (;;)
        {
          threadIdx.x = worker->thread;
          body_(context_);
          end(worker->thread);
          const unsigned thread = next();
          if (thread < threads_ && !worker_[thread])
          {
            begin(thread, *worker);
            continue;
          }
          idle_.push_back(worker);
          switchTo(thread < threads_ ? *worker_[thread] : host_);
        }
        return context::fiber(); // the function of a fiber must return one
      });
    return worker;
  }

  /// Suspends the running fiber and resumes another.
  void switchTo(Worker& worker)
  {
    before_ = running_;
    running_ = &worker;
    context::fiber before = std::move(worker.fiber).resume();
    before_->fiber = std::move(before);
  }

  // Called on a fiber: runs other threads until this thread's state is Ready.
  void wait(State state)
  {
    const unsigned thread = threadIdx.x;
    state_[thread] = state;
    const unsigned other = next();
    if (other != thread)
      switchTo(other < threads_ ? workerFor(other) : host_);
    threadIdx.x = thread;
  }

  void end(unsigned thread)
  {
    state_[thread] = State::Ended;
    worker_[thread] = nullptr;
    ++ended_;
    Warp& warp = warps_[thread / 32];
    warp.ended |= 1u << thread % 32;
    for (Meeting& meeting : warp.meetings)
      if (meeting.came && !meeting.complete)
        complete(meeting, thread / 32);
    openBarrier();
  }

  void complete(Meeting& meeting, unsigned warp)
  {
    if (meeting.mask & ~(meeting.came | warps_[warp].ended))
      return;
    meeting.complete = true;
    meeting.together = 0;
    for (unsigned lane = 0; lane < 32; ++lane)
      if (meeting.came >> lane & 1)
      {
        State& state = state_[32 * warp + lane];
        state = state == State::AwaitsLanes ? State::Ready : state;
        const std::uint64_t value = meeting.value[lane];
        if (meeting.operation == Operation::Ballot)
          meeting.together |= value << lane;
        else if (meeting.operation == Operation::Add)
          meeting.together += value;
        else if (meeting.operation == Operation::Max)
          meeting.together = meeting.together > value ? meeting.together : value;
        else if (meeting.operation == Operation::Or)
          meeting.together |= value;
      }
  }

  void openBarrier()
  {
    if (came_ == 0 || came_ + ended_ < threads_)
      return;
    result_ = all_;
    all_ = true;
    came_ = 0;
    ++turn_;
    for (State& state : state_)
      if (state == State::AwaitsBlock)
        state = State::Ready;
  }

  // Called if no thread is ready. Lanes of a warp that ask for the active mask at the same address
  // form one mask, as on a device.
  bool formActiveMasks()
  {
    bool any = false;
    for (unsigned w = 0; 32 * w < threads_; ++w)
    {
      const void* where = nullptr;
      unsigned active = 0;
      for (unsigned t = 32 * w; t < 32 * w + 32 && t < threads_; ++t)
        if (state_[t] == State::AsksActiveMask && (!active || where_[t] == where))
        {
          where = where_[t];
          active |= 1u << (t - 32 * w);
          state_[t] = State::Ready;
        }
      if (active)
        warps_[w].active = active;
      any = any || active;
    }
    return any;
  }

  bool resumePaused()
  {
    bool any = false;
    for (State& state : state_)
      if (state == State::Pauses)
      {
        state = State::Ready;
        any = true;
      }
    return any;
  }

  static std::unique_ptr<std::mt19937> seed()
  {
    const char* const given = std::getenv("PARAGRAIN_EMULATED_SEED");
    return given
      ? std::make_unique<std::mt19937>(static_cast<unsigned>(std::strtoul(given, nullptr, 10)))
      : nullptr;
  }

  const char* what_ = "";
  void (*body_)(void*) = nullptr;
  void* context_ = nullptr;
  unsigned threads_ = 0, ended_ = 0, came_ = 0, turn_ = 0;
  unsigned tried_ = 0; // threads of the present round that were tried
  bool all_ = true, result_ = true, filled_ = false;
  std::unique_ptr<std::mt19937> random_ = seed();
  std::vector<unsigned> order_;
  std::vector<State> state_;
  std::vector<const void*> where_;
  std::vector<Worker*> worker_;
  std::vector<Warp> warps_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<Worker*> idle_;
  Worker host_; // the caller of run()
  Worker *running_ = &host_, *before_ = nullptr;
};

Device& device()
{
  static thread_local Device instance;
  return instance;
}

void stop(const char* why) { device().report(why); }
} // namespace

void run(const char* what, unsigned blocks, unsigned threads, std::size_t shared_bytes,
  bool flushes, void (*thread)(void*), void* body_context)
{
  device().run(what, blocks, threads, shared_bytes, flushes, thread, body_context);
}
std::uint64_t exchange(Operation operation, unsigned mask, std::uint64_t value, unsigned from)
{
  return device().exchange(operation, mask, value, from);
}
unsigned activeLanes(const void* where) { return device().activeLanes(where); }
void awaitBlock() { device().allOfBlock(true); }
bool allOfBlock(bool value) { return device().allOfBlock(value); }
void pause() { device().pause(); }
void fillOnce(void* shared, std::size_t bytes) { device().fillOnce(shared, bytes); }
unsigned lane() { return threadIdx.x % 32; }
float nearestFloat(double x)
{
  const Subnormals subnormals(false);
  // keeps the compiler from moving the conversion across the change of mode
  const volatile double given = x;
  const volatile float y = static_cast<float>(given);
  return y;
}
float floatAbove(double x)
{
  const float y = nearestFloat(x);
  const Subnormals subnormals(false);
  const volatile double given = x;
  return y < given ? std::nextafter(y, HUGE_VALF) : y;
}
float floatBelow(double x)
{
  const float y = nearestFloat(x);
  const Subnormals subnormals(false);
  const volatile double given = x;
  return y > given ? std::nextafter(y, -HUGE_VALF) : y;
}
} // namespace emulated
