// SPDX-License-Identifier: Apache-2.0
// The script helper: a process that runs scripts for the program that started it, which is the same
// program with another first word. It has one socket and no rights (script/jail.hpp).
#pragma once

#include <optional>

namespace pawl::script {

inline constexpr const char* helper_word = "--script-helper";
inline constexpr int helper_socket = 3;

// The exit code, if this process was started as a helper: `main` ends with it. To be called before
// anything else.
std::optional<int> serve_if_helper(int count, char** words);

// What `serve_if_helper` does then. `before_work`, if given, is called with each order once all
// rights are given up: tests try things there.
int serve_as_helper(void (*before_work)() = nullptr);

}  // namespace pawl::script
