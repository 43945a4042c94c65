// SPDX-License-Identifier: Apache-2.0
// What is inside a data directory, for those who open one.
#pragma once

#include <memory>
#include <string>

#include "base/result.hpp"
#include "store/sqlite/sqlite_index.hpp"

namespace pawl::runtime {

inline std::string journal_path(const std::string& directory) { return directory + "/journal"; }
inline std::string index_path(const std::string& directory) { return directory + "/index.db"; }

// Error store_unavailable: this is no data directory.
Result<void> has_data(const std::string& directory);

// The index, read-only. It knows the processes that are deployed now.
Result<std::unique_ptr<store::SqliteIndex>> open_reader(const std::string& directory);

}  // namespace pawl::runtime
