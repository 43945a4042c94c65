// SPDX-License-Identifier: Apache-2.0
// Expressions of models made for Java engines call Java's methods on texts and lists:
// `${status.equals("paid")}`, `items.contains("a")`, `items.size() > 2`. Scripts that mention one
// of them get it; all others find the language as it is.
#pragma once

#include "script/script.hpp"

namespace pawl::script {

// Does the text mention a method that only Java has?
bool mentions_java(std::string_view text);

// A script that adds the methods to the realm it runs in.
const Program& java_methods();

}  // namespace pawl::script
