// The message of the dem::Error that a call must throw, and what it must say.
#pragma once

#include "Core/Error.h"

#include <gtest/gtest.h>

#include <cctype>
#include <exception>
#include <string>

namespace test
{

/// The message of the dem::Error that `call` throws; fails the test when it throws nothing or
/// something else.
template <class Call>
std::string errorOf(Call&& call)
{
  try
  {
    call();
  }
  catch (const dem::Error& e)
  {
    return e.what();
  }
  catch (const std::exception& e)
  {
    ADD_FAILURE() << "threw another type: " << e.what();
    return {};
  }
  ADD_FAILURE() << "threw nothing";
  return {};
}

/// True if `text` has `part`, letter by letter.
inline bool holds(const std::string& text, const std::string& part)
{
  return text.find(part) != std::string::npos;
}

/// The same in any case: messages may begin a sentence with the word.
inline bool mentions(std::string text, std::string word)
{
  for (std::string* s : { &text, &word })
  {
    for (char& c : *s)
    {
      c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  return holds(text, word);
}

} // namespace test

#define EXPECT_HOLDS(text, part)                                                                   \
  EXPECT_TRUE(test::holds(text, part)) << "message: " << (text) << "\nlacks: " << (part)
#define EXPECT_MENTIONS(text, word)                                                                \
  EXPECT_TRUE(test::mentions(text, word)) << "message: " << (text) << "\nlacks: " << (word)
