// SPDX-License-Identifier: Apache-2.0
// Backups: where copies of the data may be made: below one directory that the operator named, and
// nowhere else. Clients only give a name for the copy.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace pawl::server {

// Whether backups can go there: it is a directory, and neither in the data nor around it. Gives it
// without links. Called before the server works.
Result<std::string> backup_place(const std::string& directory, const std::string& data);

// The path of a new backup. `place` of `backup_place`; "": there is none. Errors say what a name
// may be, or that --backups was not given.
Result<std::string> backup_path(const std::string& place, std::string_view name);

}  // namespace pawl::server
