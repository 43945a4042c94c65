// SPDX-License-Identifier: Apache-2.0
#include "cli/serve_settings.hpp"

#include <fmt/format.h>

#include <functional>
#include <vector>

#include "cli/allowance.hpp"
#include "cli/input.hpp"
#include "cli/run_plan.hpp"
#include "cli/scripts.hpp"

namespace pawl::cli {
namespace {

using server::ServerOptions;

// --- how values are written ---------------------------------------------------------------------

Result<bool> truth_of(std::string_view text) {
  if (text == "true" || text == "1" || text == "yes" || text.empty()) return true;
  if (text == "false" || text == "0" || text == "no") return false;
  return wrong_argument(fmt::format("expected true or false, not \"{}\"", text));
}

// --- the table ----------------------------------------------------------------------------------

struct Setting {
  std::string_view flag;
  std::string_view value;  // as help shows it; empty: a switch
  std::string_view help;
  std::function<Result<void>(ServeSettings&, std::string_view)> set;
};

Result<void> set_number(auto& into, std::string_view text, std::uint64_t least,
                        std::uint64_t most) {
  PAWL_TRY(count, whole_number(text, least, most));
  into = static_cast<std::remove_reference_t<decltype(into)>>(count);
  return {};
}

// "7d", "7d,order=30d", "order=1h"; 0s: for ever.
Result<void> set_retention(ServeSettings& settings, std::string_view text) {
  runtime::Retention& retention = settings.server.retention;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    const std::string_view part = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t equals = part.rfind('=');
    const bool named = equals != std::string_view::npos;
    PAWL_TRY(kept, duration_argument("retention", named ? part.substr(equals + 1) : part));
    if (named) {
      retention.of_process[std::string(part.substr(0, equals))] = kept;
    } else {
      retention.standard = kept;
    }
  }
  return {};
}

// "pawl.example.org", "pawl,pawl.example.org:8443".
Result<void> set_hosts(ServeSettings& settings, std::string_view text) {
  do {
    const std::size_t end = std::min(text.find(','), text.size());
    const std::string_view name = text.substr(0, end);
    if (name.empty() || name.find_first_of("/ \t@") != std::string_view::npos) {
      return wrong_argument(fmt::format(
          "\"{}\" is no name of a host; write NAME or NAME:PORT, as clients ask for it", name));
    }
    settings.server.hosts.emplace_back(name);
    text.remove_prefix(std::min(end + 1, text.size()));
  } while (!text.empty());
  return {};
}

// Functions, because commands ask for them before main begins.
std::vector<Setting> own_settings() {
  return {
      {"--data", "DIR", "where everything is kept; default: pawl-data",
       [](ServeSettings& s, std::string_view text) -> Result<void> {
         s.server.data = text;
         return {};
       }},
      {"--grpc", "ADDR:PORT", "for clients of Zeebe; default 127.0.0.1:26500",
       [](ServeSettings& s, std::string_view text) -> Result<void> {
         PAWL_TRY(address, server::parse_address(text));
         s.server.grpc = address;
         return {};
       }},
      {"--http", "ADDR:PORT", "for REST, metrics and health; default 127.0.0.1:8080",
       [](ServeSettings& s, std::string_view text) -> Result<void> {
         PAWL_TRY(address, server::parse_address(text));
         s.server.http = address;
         return {};
       }},
      {"--host", "NAME[,NAME]…", "names of this server besides its addresses",
       [](ServeSettings& s, std::string_view text) { return set_hosts(s, text); }},
      {"--tls-cert", "FILE", "certificate chain (PEM): both ports speak TLS",
       [](ServeSettings& s, std::string_view text) -> Result<void> {
         s.server.tls.certificate = text;
         return {};
       }},
      {"--tls-key", "FILE", "its private key (PEM)",
       [](ServeSettings& s, std::string_view text) -> Result<void> {
         s.server.tls.key = text;
         return {};
       }},
      {"--auth", "FILE", "who may ask; lines: token SECRET, user NAME PASSWORD",
       [](ServeSettings& s, std::string_view text) -> Result<void> {
         PAWL_TRY(auth, server::Auth::read(std::string(text)));
         s.server.auth = auth;
         return {};
       }},
      {"--backups", "DIR", "below it `pawl backup NAME` makes copies; default: refused",
       [](ServeSettings& s, std::string_view text) -> Result<void> {
         s.server.backups = text;
         return {};
       }},
      {"--business-ids", "WORD",
       "unique: among the active instances of a process; shared: not; default unique",
       [](ServeSettings& s, std::string_view text) -> Result<void> {
         if (text != "unique" && text != "shared") {
           return wrong_argument(fmt::format("expected unique or shared, not \"{}\"", text));
         }
         s.server.shared_business_ids = text == "shared";
         return {};
       }},
      {"--insecure", "", "allows other machines to ask without signing in",
       [](ServeSettings& s, std::string_view text) -> Result<void> {
         PAWL_TRY(on, truth_of(text));
         s.server.insecure = on;
         return {};
       }},
      {"--shards", "N", "threads that run instances; default 1",
       [](ServeSettings& s, std::string_view text) {
         return set_number(s.server.shards, text, 1, limits::shards);
       }},
      {"--threads", "N", "threads that serve connections; default 1",
       [](ServeSettings& s, std::string_view text) {
         return set_number(s.server.loops, text, 1, 256);
       }},
      {"--memory", "SIZE", "for instances kept in memory; default 64M",
       [](ServeSettings& s, std::string_view text) -> Result<void> {
         PAWL_TRY(bytes, size_argument(text));
         s.server.memory = bytes;
         return {};
       }},
      {"--max-message", "SIZE", "largest request and answer; default 4M",
       [](ServeSettings& s, std::string_view text) -> Result<void> {
         PAWL_TRY(bytes, size_argument(text));
         s.server.limits.message_bytes = bytes;
         return {};
       }},
      {"--max-buffered", "SIZE", "requests and answers of all connections; default 256M",
       [](ServeSettings& s, std::string_view text) -> Result<void> {
         PAWL_TRY(bytes, size_argument(text));
         s.server.limits.total_bytes = bytes;
         return {};
       }},
      {"--max-connections", "N", "open at once on each port; default 20000",
       [](ServeSettings& s, std::string_view text) {
         return set_number(s.server.most_connections, text, 1, 1'000'000);
       }},
      {"--max-polls", "N", "polls for jobs that wait at once; default 20000",
       [](ServeSettings& s, std::string_view text) {
         return set_number(s.server.most_polls, text, 1, 1'000'000);
       }},
      {"--retention", "DUR[,ID=DUR]…", "how long ended instances are kept; default: for ever",
       [](ServeSettings& s, std::string_view text) { return set_retention(s, text); }},
      {"--scripts", scripts_values, "where JavaScript runs; default process, which has no rights",
       [](ServeSettings& s, std::string_view text) -> Result<void> {
         PAWL_TRY(where, scripts_argument(text));
         s.scripts = where;
         return {};
       }},
      {"--log-json", "", "logs as JSON, one object per line",
       [](ServeSettings& s, std::string_view text) -> Result<void> {
         PAWL_TRY(on, truth_of(text));
         s.log_json = on;
         return {};
       }},
  };
}

const std::vector<Setting>& all_settings() {
  static const std::vector<Setting> all = [] {
    std::vector<Setting> made = own_settings();
    for (const AllowanceOption& option : allowance_options()) {
      made.push_back({option.name, option.value, option.help,
                      [set = option.set](ServeSettings& s, std::string_view text) {
                        return set(s.server.allowance, text);
                      }});
    }
    return made;
  }();
  return all;
}

constexpr Option config_option{.name = "--config",
                               .value = "FILE",
                               .help = "settings, one per line: data = DIR; # is a comment"};

// "--tls-cert" → "PAWL_TLS_CERT".
std::string variable_of(std::string_view flag) {
  std::string name = "PAWL_";
  for (const char c : flag.substr(2)) {
    name += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return name;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

const Setting* find_setting(std::string_view name) {
  for (const Setting& setting : all_settings()) {
    if (setting.flag.substr(2) == name) return &setting;
  }
  return nullptr;
}

using Given = std::map<std::string_view, std::string>;  // by the name of the flag

Result<Given> read_config(const std::string& path) {
  PAWL_TRY(content, read_file(path));
  Given given;
  std::string_view rest = content;
  for (int number = 1; !rest.empty(); ++number) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    line = trimmed(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    const std::size_t equals = line.find('=');
    const std::string_view name = trimmed(line.substr(0, equals));
    const Setting* setting = find_setting(name);
    if (!setting || equals == std::string_view::npos) {
      return wrong_argument(
          fmt::format("{}, line {}: expected a setting of `pawl help serve` without "
                      "dashes, as in data = DIR, not \"{}\"",
                      path, number, line));
    }
    given[setting->flag] = trimmed(line.substr(equals + 1));
  }
  return given;
}

Result<void> set_one(ServeSettings& into, const Setting& setting, const std::string& value,
                     std::string_view from) {
  if (auto done = setting.set(into, value); !done) {
    return wrong_argument(fmt::format("{}: {}", from, done.error().text));
  }
  return {};
}

}  // namespace

std::span<const Option> serve_options() {
  static const std::vector<Option> options = [] {
    std::vector<Option> made{config_option};
    for (const Setting& setting : all_settings()) {
      made.push_back({.name = setting.flag,
                      .value = setting.value,
                      .help = setting.help,
                      .repeatable = setting.flag == "--host"});
    }
    return made;
  }();
  return options;
}

Result<ServeSettings> read_settings(const Arguments& arguments,
                                    const char* (*environment)(const char* name)) {
  ServeSettings made;
  made.server.data = "pawl-data";
  std::optional<std::string> config = arguments.value("--config");
  if (const char* named = environment("PAWL_CONFIG"); named && !config) config = named;
  Given from_file;
  if (config) {
    PAWL_TRY(read, read_config(*config));
    from_file = std::move(read);
  }
  for (const Setting& setting : all_settings()) {
    const std::string variable = variable_of(setting.flag);
    if (arguments.has(setting.flag)) {
      for (const std::string& value : arguments.values(setting.flag)) {
        PAWL_CHECK(set_one(made, setting, value, setting.flag));
      }
    } else if (const char* value = environment(variable.c_str())) {
      PAWL_CHECK(set_one(made, setting, value, variable));
    } else if (const auto found = from_file.find(setting.flag); found != from_file.end()) {
      PAWL_CHECK(set_one(made, setting, found->second,
                         fmt::format("{}, {}", *config, setting.flag.substr(2))));
    }
  }
  if (made.server.tls.certificate.empty() != made.server.tls.key.empty()) {
    return wrong_argument("TLS needs both, --tls-cert and --tls-key");
  }
  return made;
}

}  // namespace pawl::cli
