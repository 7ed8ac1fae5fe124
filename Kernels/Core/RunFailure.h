// Failure of a run: its message, and whether the state can still be shown. Used by RunFrame.h and
// the engines.
#pragma once

#include "Core/Error.h"

#include <exception>
#include <string>

namespace dem
{

/// A failed run takes no further step. Only restoring a saved state clears the failure.
class RunFailure
{
public:
  bool happened() const { return !message_.empty(); }
  const std::string& message() const { return message_; }
  void set(const std::string& message) { message_ = message; }
  void clear()
  {
    message_.clear();
    half_done_ = false;
  }

  /// True if an exception interrupted a change of the state, for example for lack of memory. The
  /// state can then not be shown or saved.
  bool isHalfDone() const { return half_done_; }
  void setHalfDone(bool half_done) { half_done_ = half_done; }

  void throwIfHappened() const
  {
    if (happened())
      throw Error(message_);
  }
  void throwIfHalfDone() const
  {
    if (half_done_)
      throw Error(message_);
  }

  /// Calls act() and stores the message of an exception.
  template <class Act>
  void guarded(const Act& act)
  {
    try
    {
      act();
    }
    catch (const std::exception& e)
    {
      set(e.what());
      throw;
    }
  }

private:
  std::string message_;
  bool half_done_ = false;
};

} // namespace dem
