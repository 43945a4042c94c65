// SPDX-License-Identifier: Apache-2.0
#include "server/backups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/ascii.hpp"

namespace pawl::server {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_name = 100;

bool is_inside(const fs::path& inner, const fs::path& outer) {
  const auto [place, rest] = std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end());
  return place == outer.end();
}

bool is_name(std::string_view name) {
  constexpr std::string_view others = "._-";
  if (name.empty() || name.size() > longest_name || name.front() == '.') return false;
  if (name.ends_with(".unfinished")) return false;
  return std::all_of(name.begin(), name.end(), [&](char c) {
    return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'z') ||
           others.find(c) != std::string_view::npos;
  });
}

}  // namespace

Result<std::string> backup_place(const std::string& directory, const std::string& data) {
  std::error_code error;
  const fs::path place = fs::canonical(directory, error);
  if (error || !fs::is_directory(place, error)) {
    return fail(Whose::caller, Code::invalid_argument,
                fmt::format("--backups: \"{}\" is no directory; make it first", directory));
  }
  const fs::path kept = fs::weakly_canonical(data, error);
  if (!error && !is_inside(place, kept) && !is_inside(kept, place)) return place.string();
  return fail(Whose::caller, Code::invalid_argument,
              fmt::format("--backups: \"{}\" and the data directory \"{}\" must not be inside each "
                          "other",
                          directory, data));
}

Result<std::string> backup_path(const std::string& place, std::string_view name) {
  if (place.empty()) {
    return fail(Whose::caller, Code::invalid_state,
                "this server makes no backups: it was not told where they may be; start it with "
                "--backups DIR");
  }
  if (is_name(name)) return (fs::path(place) / name).string();
  return fail(Whose::caller, Code::invalid_argument,
              fmt::format("name: expected a name for the backup, with up to {} letters, digits, "
                          "'.', '_' and '-', not a path; it is made below the directory that the "
                          "server was given with --backups",
                          longest_name));
}

}  // namespace pawl::server
