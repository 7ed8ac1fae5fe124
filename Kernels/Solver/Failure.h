// Message for a run that failed on the device. Used by Engine.cuh.
#pragma once

#include <cstdint>
#include <string>

namespace dem
{

/// Returns the message for a failure: particle, time and cure. `packed`: StepControl::error of a
/// batch that began at `first_step`. `time_step` in s. `user_id`: Id of the grain in the scene.
std::string failureText(
  unsigned long long packed, std::uint64_t first_step, double time_step, std::int64_t user_id);

/// Returns the particle Id in StepControl::error. For bodies it is the Id of a part.
std::int64_t failedId(unsigned long long packed);

} // namespace dem
