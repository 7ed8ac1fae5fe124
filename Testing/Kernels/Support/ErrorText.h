// The text of the dem::Error that a call must throw.
#pragma once

#include "Core/Error.h"

#include <gtest/gtest.h>

#include <string>

template <class Call>
std::string errorOf(const Call& call)
{
  try
  {
    call();
  }
  catch (const dem::Error& error)
  {
    return error.what();
  }
  ADD_FAILURE() << "no dem::Error was thrown";
  return {};
}

inline bool holds(const std::string& text, const std::string& part)
{
  return text.find(part) != std::string::npos;
}

#define EXPECT_HOLDS(text, part)                                                                   \
  EXPECT_TRUE(holds(text, part)) << "text: " << (text) << "\nmissing: " << (part)
