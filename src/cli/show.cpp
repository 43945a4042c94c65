// SPDX-License-Identifier: Apache-2.0
#include "cli/show.hpp"

#include <fmt/format.h>

#include <map>

#include "cli/data.hpp"
#include "cli/remote.hpp"
#include "cli/report.hpp"
#include "cli/run_record.hpp"
#include "server/view/show.hpp"
#include "value/json.hpp"

namespace pawl::cli {
namespace {

constexpr Option show_options[] = {data_option, server_option, json_option};

Result<Value> look_up(const Arguments& arguments, Key key) {
  if (reads_data(arguments)) {
    PAWL_TRY(index, open_data(arguments));
    return server::show_instance(*index, key);
  }
  PAWL_TRY(remote, Remote::of(arguments));
  return remote.get(fmt::format("/v2/pawl/instances/{}", number(key)));
}

bool is_set(const Value& object, std::string_view name) {
  const Value* member = object.find(name);
  return member && !member->is_null();
}
bool is_true(const Value& object, std::string_view name) {
  const Value* member = object.find(name);
  return member && member->is_boolean() && member->as_boolean();
}
const List& list_of(const Value& object, std::string_view name) {
  static const List none;
  const Value* member = object.find(name);
  return member && member->is_list() ? member->as_list() : none;
}

void print_head(const Value& shown) {
  say("instance {} of {} v{}\n", text_of(shown, "instance"), text_of(shown, "process"),
      text_of(shown, "version"));
  const std::string execution = text_of(shown, "execution");
  say("  state     {}{}\n", text_of(shown, "state"),
      execution == "1" ? "" : ", execution " + execution);
  for (const auto& [name, label] : {std::pair{"started", "started"},
                                    {"ended", "ended"},
                                    {"id", "id"},
                                    {"businessId", "business"},
                                    {"caller", "called by"}}) {
    const std::string text = text_of(shown, name);
    if (!text.empty()) say("  {:<9} {}\n", label, text);
  }
}

// --- the tree -----------------------------------------------------------------------------------

class Tree {
 public:
  explicit Tree(const Value& shown) {
    for (const Value& one : list_of(shown, "elements")) {
      children_[text_of(one, "scope")].push_back(&one);
    }
    for (const Value& one : list_of(shown, "incidents")) incidents_[text_of(one, "key")] = &one;
  }
  void print() const {
    for (const Value* root : children_of("")) print(*root, 1);
  }

 private:
  const std::vector<const Value*>& children_of(const std::string& scope) const {
    static const std::vector<const Value*> none;
    const auto found = children_.find(scope);
    return found == children_.end() ? none : found->second;
  }

  static std::string kind_text(const Value& one) {
    if (is_true(one, "body")) {
      std::string text =
          fmt::format("loop, {} of {} iterations done, {} active", text_of(one, "done"),
                      text_of(one, "total"), text_of(one, "active"));
      for (const auto* word : {"failed", "cancelled"}) {
        if (text_of(one, word) != "0") text += fmt::format(", {} {}", text_of(one, word), word);
      }
      return text;
    }
    if (is_true(one, "path")) return "path";
    const std::string iteration = text_of(one, "iteration");
    return text_of(one, "kind") + (iteration == "0" ? "" : " #" + iteration);
  }

  static std::string job_text(const Value& one) {
    const std::string again = text_of(one, "retryAt");
    return fmt::format(" (key {}, {}{})", text_of(one, "job"),
                       counted(text_of(one, "retries"), "retry", "retries"),
                       again.empty() ? "" : ", again at " + again);
  }

  void print(const Value& one, int depth) const {
    const std::string id = text_of(one, "element");
    say("{:{}}{}  {}  {}\n", "", depth * 2, id, kind_text(one),
        painted(stdout, Colour::faint, "key " + text_of(one, "key")));
    for (const Value& wait : list_of(one, "waits")) {
      const std::string at = text_of(wait, "element"), what = text_of(wait, "for");
      say("{:{}}{}{} {}{}\n", "", depth * 2 + 2, at == id ? "" : at + " ",  // a join here
          painted(stdout, Colour::yellow, "waits for"), what,
          what.starts_with("job ") ? job_text(one) : "");
    }
    if (const auto found = incidents_.find(text_of(one, "incident")); found != incidents_.end()) {
      say("{:{}}{} {}: {}\n", "", depth * 2 + 2,
          painted(stdout, Colour::red, "incident " + found->first), text_of(*found->second, "type"),
          text_of(*found->second, "message"));
    }
    print_children(one, depth);
  }

  void print_children(const Value& one, int depth) const {
    const auto& children = children_of(text_of(one, "key"));
    const bool body = is_true(one, "body");
    for (std::size_t i = 0; i < children.size(); ++i) {
      const bool hidden = body && i >= shown_iterations && !is_set(*children[i], "incident");
      if (!hidden) print(*children[i], depth + 1);
    }
    if (body && children.size() > shown_iterations) {
      say("{:{}}… {}\n", "", depth * 2 + 2,
          counted(text_of(one, "active"), "iteration runs", "iterations run"));
    }
  }

  std::map<std::string, std::vector<const Value*>> children_;
  std::map<std::string, const Value*> incidents_;
};

void print_left_out(const Value& shown, std::string_view member, std::string_view one,
                    std::string_view many) {
  const std::string count = text_of(shown, member);
  if (!count.empty() && count != "0") say("  … and {}\n", counted(count, one, many));
}

void print_shown(const Value& shown) {
  print_head(shown);
  if (!list_of(shown, "elements").empty()) {
    say("\nelements\n");
    Tree(shown).print();
    print_left_out(shown, "elementsLeftOut", "more element", "more elements");
  }
  for (const Value& incident : list_of(shown, "incidents")) {
    if (!text_of(incident, "element").empty()) continue;  // is shown at its element
    say("\n{} {}: {}\n", painted(stdout, Colour::red, "incident " + text_of(incident, "key")),
        text_of(incident, "type"), text_of(incident, "message"));
  }
  print_left_out(shown, "incidentsLeftOut", "more incident", "more incidents");
  const Value* variables = shown.find("variables");
  if (!variables || !variables->is_context() || variables->entries().empty()) return;
  say("\nvariables\n");
  for (const Entry& entry : variables->entries()) {
    say("  {} = {}\n", entry.key, preview(entry.value, 200));
  }
  print_left_out(shown, "variablesLeftOut", "more variable, which is large",
                 "more variables, which are large");
}

Exit run_show(const Arguments& arguments) {
  const auto key = key_argument(arguments.words()[0]);
  if (!key) return refuse(key.error());
  const auto shown = look_up(arguments, *key);
  if (!shown) return refuse(shown.error());
  if (arguments.has("--json")) {
    say_json(*shown);
  } else {
    print_shown(*shown);
  }
  return Exit::done;
}

}  // namespace

const Command show_command{
    .name = "show",
    .summary = "shows one instance: where it is, what it waits for, its variables",
    .usage = "KEY [--data DIR | --server ADDR] [--json]",
    .details =
        "KEY is that of an instance, or of a job, incident or element instance in it.\n"
        "Asks a server, or reads a data directory, also beside a process that works there.\n",
    .example = "  pawl show 17\n",
    .options = show_options,
    .least_words = 1,
    .most_words = 1,
    .run = run_show,
};

}  // namespace pawl::cli
