// SPDX-License-Identifier: Apache-2.0
// The settings of the server: one table of names. Each can be given as a flag, in the environment
// as PAWL_NAME, or as a line `name = value` of the file that --config names; the flag wins, then
// the environment.
#pragma once

#include <map>
#include <span>
#include <string>

#include "cli/arguments.hpp"
#include "script/where.hpp"
#include "server/server.hpp"

namespace pawl::cli {

// The flags of `serve`, made from the table.
std::span<const Option> serve_options();

struct ServeSettings {
  server::ServerOptions server{};
  script::Where scripts{script::Where::process};
  bool log_json{false};
};

// `environment` gives the value of a variable, or null.
Result<ServeSettings> read_settings(const Arguments& arguments,
                                    const char* (*environment)(const char* name));

}  // namespace pawl::cli
