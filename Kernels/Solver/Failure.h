// The message of a run that failed on the device.
#pragma once

#include <cstdint>
#include <string>

namespace dem
{

/// `packed` is StepControl::error of a batch that began at `first_step`; `user_id` the Id by which
/// users know the particle in it.
std::string failureText(
  unsigned long long packed, std::uint64_t first_step, double time_step, std::int64_t user_id);

/// The particle's own Id in StepControl::error.
std::int64_t failedId(unsigned long long packed);

} // namespace dem
