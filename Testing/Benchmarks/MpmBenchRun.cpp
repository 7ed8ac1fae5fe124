#include "MpmBenchRun.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <utility>

#if defined(PARAGRAIN_HAVE_NVTX)
#include <nvtx3/nvToolsExt.h>
#endif

namespace bench
{

bool Options::has(const std::string& option) const
{
  return std::find(given.begin(), given.end(), option) != given.end();
}

int Run::repeat(int on_cuda, int on_cpu) const
{
  return options.repeat > 0 ? options.repeat : (cuda() ? on_cuda : on_cpu);
}

void Run::row(json r, const std::string& text)
{
  results.push_back(std::move(r));
  std::printf("%s\n", text.c_str());
  std::fflush(stdout);
}

#if defined(PARAGRAIN_HAVE_NVTX)
ProfiledAs::ProfiledAs(const std::string& name) { nvtxRangePushA(name.c_str()); }

ProfiledAs::~ProfiledAs() { nvtxRangePop(); }
#else
ProfiledAs::ProfiledAs(const std::string&) {}

ProfiledAs::~ProfiledAs() = default;
#endif

std::string format(const char* f, ...)
{
  char text[400];
  va_list arguments;
  va_start(arguments, f);
  std::vsnprintf(text, sizeof text, f, arguments);
  va_end(arguments);
  return text;
}

} // namespace bench
