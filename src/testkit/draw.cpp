// SPDX-License-Identifier: Apache-2.0
#include "testkit/draw.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "testkit/draw_events.hpp"

namespace pawl::testkit {
namespace {

using model::Element;
using model::ElementKind;
using model::EventKind;

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// Parts are separated by at least two spaces.
std::vector<std::string> parts_of(std::string_view line) {
  std::vector<std::string> parts;
  line = trim(line);
  while (!line.empty()) {
    const std::size_t end = std::min(line.find("  "), line.size());
    parts.emplace_back(trim(line.substr(0, end)));
    line = trim(line.substr(end));
  }
  return parts;
}

bool take_prefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text = trim(text.substr(prefix.size()));
  return true;
}

class Drawing {
 public:
  model::ProcessPtr draw(std::string_view text) {
    process_->id = "drawn";
    process_->elements.push_back(
        {.index = ElementIndex{0}, .kind = ElementKind::process, .id = "drawn"});
    process_->dialect = model::Dialect::zeebe;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      line_ = text.substr(0, end);
      read_line(trim(line_.substr(0, line_.find(" # "))));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    model::link(*process_);
    return process_;
  }

 private:
  [[noreturn]] void complain(std::string_view why) const {
    throw std::invalid_argument("draw: " + std::string(why) + " in line: " + std::string(line_));
  }

  void read_line(std::string_view line) {
    if (line.empty() || line.front() == '#') return;
    if (line == "}") return close_scope();
    if (take_prefix(line, "dialect ")) return read_dialect(line);
    if (take_prefix(line, "variables ")) return read_write_rule(line);
    if (take_prefix(line, "process ")) return read_process(parts_of(line));
    const bool opens = line.back() == '{';
    if (opens) line = trim(line.substr(0, line.size() - 1));
    const std::size_t arrow = std::min({line.find("->"), line.find("~>"), line.find("=>")});
    if (arrow == std::string_view::npos) return read_alone(parts_of(line), opens);
    auto parts = parts_of(line.substr(arrow + 2));
    if (parts.empty()) complain("expected: source  ->  target");
    const std::string_view from = trim(line.substr(0, arrow));
    if (line[arrow] == '=') return read_undoing(from, parts, opens);
    const ElementIndex source = line[arrow] == '~' ? attach(from, parts) : source_of(from);
    const ElementIndex to = target(parts[0]);
    const FlowIndex flow = add_flow(source, to);
    for (std::size_t i = 1; i < parts.size(); ++i) attribute(source, to, flow, parts[i]);
    if (opens) scopes_.push_back(to);
  }

  // A compensation boundary event and what it leads to.
  void read_undoing(std::string_view host, const std::vector<std::string>& parts, bool opens) {
    const ElementIndex on = source_of(host);
    const ElementIndex handler = target(parts[0]);
    process_->elements[number(handler)].for_compensation = true;
    const ElementIndex boundary = add(ElementKind::boundary_event, EventKind::compensation,
                                      std::string(host) + "=>" + process_->at(handler).id);
    process_->elements[number(boundary)].attached_to = on;
    process_->elements[number(boundary)].compensation_handler = handler;
    process_->elements[number(boundary)].events.push_back({.kind = EventKind::compensation});
    for (std::size_t i = 1; i < parts.size(); ++i) {
      attribute(boundary, handler, FlowIndex::none, parts[i]);
    }
    if (opens) scopes_.push_back(handler);
  }

  // An element that no flow leads to.
  void read_alone(std::vector<std::string> parts, bool opens) {
    const ElementIndex alone = target(parts[0]);
    if (opens) scopes_.push_back(alone);
    const bool handler = process_->at(alone).kind == ElementKind::event_sub_process;
    const ElementIndex start = handler ? start_of_handler(parts) : alone;
    for (std::size_t i = 1; i < parts.size(); ++i)
      attribute(start, alone, FlowIndex::none, parts[i]);
  }

  ElementIndex start_of_handler(std::vector<std::string>& parts) {
    TakenEvent event = take_event(parts);
    const ElementIndex index =
        add(ElementKind::start_event, event.drawn.definition.kind, scoped("start"));
    Element& start = process_->elements[number(index)];
    start.interrupting = event.interrupting;
    start.events.push_back(std::move(event.drawn.definition));
    return index;
  }

  void read_process(const std::vector<std::string>& parts) {
    for (const std::string& part : parts) {
      if (!listener_attribute(process_->elements.front(), part)) complain("not of a process");
    }
  }

  void read_dialect(std::string_view name) {
    process_->dialect = name == "plain"      ? model::Dialect::plain
                        : name == "camunda7" ? model::Dialect::camunda7
                                             : model::Dialect::zeebe;
  }

  void read_write_rule(std::string_view name) {
    process_->elements[number(scopes_.back())].own_write_rule =
        name == "isolated" ? model::WriteRule::isolated : model::WriteRule::shared;
  }

  void close_scope() {
    if (scopes_.size() == 1) complain("no sub-process to close");
    scopes_.pop_back();
  }

  std::string scoped(std::string_view name) const {
    const Element& scope = process_->at(scopes_.back());
    const bool local = name == "start" || name.starts_with("end");
    if (scope.kind == ElementKind::process || !local) return std::string(name);
    return scope.id + "." + std::string(name);
  }

  ElementIndex add(ElementKind kind, EventKind event, std::string id) {
    const auto index = static_cast<ElementIndex>(process_->elements.size());
    if (!by_id_.emplace(id, index).second) complain("name used twice");
    process_->elements.push_back(
        {.index = index, .kind = kind, .event = event, .id = id, .scope = scopes_.back()});
    return index;
  }

  ElementIndex source_of(std::string_view name) {
    const std::string id = scoped(name);
    const auto found = by_id_.find(id);
    if (found != by_id_.end()) return found->second;
    if (name != "start") complain("unknown source");
    return add(ElementKind::start_event, EventKind::none, id);
  }

  // "kind name", "kind", or the name of a known element.
  ElementIndex target(std::string_view text) {
    if (const auto known = by_id_.find(scoped(text)); known != by_id_.end()) return known->second;
    static const std::map<std::string_view, ElementKind> kinds{
        {"task", ElementKind::task},
        {"manual", ElementKind::manual_task},
        {"job", ElementKind::service_task},
        {"send", ElementKind::send_task},
        {"receive", ElementKind::receive_task},
        {"user", ElementKind::user_task},
        {"rule", ElementKind::business_rule_task},
        {"script", ElementKind::script_task},
        {"sub", ElementKind::sub_process},
        {"transaction", ElementKind::transaction},
        {"adhoc", ElementKind::ad_hoc_sub_process},
        {"handler", ElementKind::event_sub_process},
        {"call", ElementKind::call_activity},
        {"xor", ElementKind::exclusive_gateway},
        {"and", ElementKind::parallel_gateway},
        {"or", ElementKind::inclusive_gateway},
        {"events", ElementKind::event_based_gateway},
        {"catch", ElementKind::intermediate_catch_event},
        {"end", ElementKind::end_event},
        {"terminate", ElementKind::end_event},
        {"continue", ElementKind::end_event},
        {"throw", ElementKind::intermediate_throw_event}};
    const std::size_t space = std::min(text.find(' '), text.size());
    std::string_view kind = text.substr(0, space);
    std::string name(trim(text.substr(space)));
    if (kind.starts_with("error(")) return error_end(kind, name);
    const auto found = kinds.find(kind);
    if (found == kinds.end()) complain("unknown kind or name");
    const EventKind event = kind == "terminate" ? EventKind::terminate : EventKind::none;
    const ElementIndex made = add(found->second, event, name.empty() ? fresh(kind) : scoped(name));
    process_->elements[number(made)].continue_as_new = kind == "continue";
    if (kind == "call") begin_call(process_->elements[number(made)]);
    return made;
  }

  ElementIndex error_end(std::string_view kind, const std::string& name) {
    const std::string_view code = kind.substr(6, kind.size() - 7);
    const ElementIndex end =
        add(ElementKind::end_event, EventKind::error, name.empty() ? fresh("error") : scoped(name));
    model::EventDefinition definition{.kind = EventKind::error};
    if (!code.empty()) definition.code = read_value(code);
    process_->elements[number(end)].events.push_back(std::move(definition));
    return end;
  }

  std::string fresh(std::string_view kind) {
    for (int i = 1;; ++i) {
      std::string id = scoped(std::string(kind) + (i == 1 ? "" : std::to_string(i)));
      if (!by_id_.contains(id)) return id;
    }
  }

  struct TakenEvent {
    DrawnEvent drawn{{.kind = EventKind::error}, ""};
    bool interrupting{true};
  };

  // The event that the parts speak of; its words are taken out of them.
  TakenEvent take_event(std::vector<std::string>& parts) {
    TakenEvent taken;
    bool found = false;
    for (auto part = parts.begin() + 1; part != parts.end();) {
      std::string_view rest = *part;
      if (auto drawn = found ? std::nullopt : read_event(rest)) {
        taken.drawn = std::move(*drawn);
        found = true;
      } else if (found && take_prefix(rest, "key ")) {
        taken.drawn.definition.correlation_key = feel(rest);
      } else if (rest == "beside") {
        taken.interrupting = false;
      } else {
        ++part;
        continue;
      }
      part = parts.erase(part);
    }
    return taken;
  }

  // A boundary event; its id is host plus code, name or time.
  ElementIndex attach(std::string_view host, std::vector<std::string>& parts) {
    const ElementIndex on = source_of(host);
    TakenEvent event = take_event(parts);
    const ElementIndex index = add(ElementKind::boundary_event, event.drawn.definition.kind,
                                   std::string(host) + "~" + event.drawn.name);
    Element& boundary = process_->elements[number(index)];
    boundary.attached_to = on;
    boundary.interrupting = event.interrupting;
    boundary.events.push_back(std::move(event.drawn.definition));
    return index;
  }

  FlowIndex add_flow(ElementIndex source, ElementIndex to) {
    const auto index = static_cast<FlowIndex>(process_->flows.size());
    std::string id = process_->at(source).id + "->" + process_->at(to).id;
    while (!flow_ids_.insert(id).second) id += "'";  // a second way to the same place
    process_->flows.push_back(
        {.index = index, .id = std::move(id), .source = source, .target = to});
    return index;
  }

  model::Expression feel(std::string_view text) {
    auto parsed = model::Expression::of_feel(text);
    if (!parsed) complain(parsed.error().text);
    return *parsed;
  }

  model::Expression javascript(std::string_view text, script::Program::Mode mode) {
    auto parsed = model::Expression::of_javascript(text, mode);
    if (!parsed) complain(parsed.error().text);
    process_->first_script.emplace();
    return *parsed;
  }

  model::Expression condition(std::string_view text) {
    if (take_prefix(text, "js ")) return javascript(text, script::Program::Mode::expression);
    return feel(text);
  }

  model::Mapping mapping(std::string_view text) {
    const std::size_t equals = text.find('=');
    model::Mapping mapping;
    mapping.target = trim(text.substr(0, equals));
    if (equals != std::string_view::npos) mapping.source = feel(trim(text.substr(equals + 1)));
    std::string_view rest = mapping.target;
    while (!rest.empty()) {
      const std::size_t dot = std::min(rest.find('.'), rest.size());
      mapping.path.emplace_back(rest.substr(0, dot));
      rest.remove_prefix(std::min(dot + 1, rest.size()));
    }
    return mapping;
  }

  void attribute(ElementIndex source, ElementIndex to, FlowIndex flow, std::string_view part) {
    Element& element = process_->elements[number(to)];
    Element& from = process_->elements[number(source)];
    if (take_prefix(part, "if ")) {
      process_->flows[number(flow)].condition = condition(part);
    } else if (part == "otherwise") {
      from.default_flow = flow;
    } else if (take_prefix(part, "type ")) {
      job(element).type = read_value(part);
    } else if (take_prefix(part, "retries ")) {
      job(element).retries = read_value(part);
    } else if (take_prefix(part, "assignee ")) {
      user_task(element).assignee = read_value(part);
    } else if (take_prefix(part, "groups ")) {
      user_task(element).candidate_groups = read_value(part);
    } else if (take_prefix(part, "due ")) {
      user_task(element).due_date = read_value(part);
    } else if (take_prefix(part, "priority ")) {
      user_task(element).priority = read_value(part);
    } else if (take_prefix(part, "in ")) {
      element.inputs.push_back(mapping(part));
    } else if (take_prefix(part, "out ")) {
      element.outputs.push_back(mapping(part));
    } else if (take_prefix(part, "caught out ")) {
      from.outputs.push_back(mapping(part));
    } else if (take_prefix(part, "= ")) {
      script_of(element).script = feel(part);
    } else if (take_prefix(part, "into ")) {
      script_of(element).result_variable = part;
    } else if (take_prefix(part, "js ")) {
      script_of(element).script = javascript(part, script::Program::Mode::statements);
    } else if (!(element.call && call_attribute(*element.call, part)) &&
               !ad_hoc_attribute(element, part) && !event_attribute(element, part) &&
               !listener_attribute(element, part) && !loop_attribute(element, part)) {
      complain("unknown attribute \"" + std::string(part) + "\"");
    }
  }

  bool ad_hoc_attribute(Element& element, std::string_view part) {
    if (take_prefix(part, "begins ")) {
      element.active_elements = feel(part);
    } else if (take_prefix(part, "ends when ")) {
      element.completion_condition = condition(part);
    } else if (part == "waits for the rest") {
      element.cancel_remaining = false;
    } else if (part == "one by one") {
      element.sequential_ordering = true;
    } else if (take_prefix(part, "gathers ")) {
      const std::size_t in = part.rfind(" in ");
      element.path_output_collection = trim(part.substr(in + 4));
      element.path_output_element = feel(trim(part.substr(0, in)));
    } else {
      return false;
    }
    return true;
  }

  void begin_call(Element& element) {
    model::CallDefinition& call = element.call.emplace();
    call.process_id = read_value(element.id);
    if (process_->dialect != model::Dialect::camunda7) return;
    call.propagate_all_parent = call.propagate_all_child = call.passes_locals = false;
  }

  bool call_attribute(model::CallDefinition& call, std::string_view part) {
    using Binding = model::CallDefinition::Binding;
    if (take_prefix(part, "process ")) {
      call.process_id = read_value(part);
    } else if (take_prefix(part, "version ")) {
      call.binding = Binding::version;
      call.version = read_value(part);
    } else if (take_prefix(part, "tag ")) {
      call.binding = Binding::version_tag;
      call.version = read_value(part);
    } else if (part == "same deployment") {
      call.binding = Binding::deployment;
    } else if (take_prefix(part, "business ")) {
      call.business_key = read_value(part);
    } else if (take_prefix(part, "pass ")) {
      call_mapping(part, call.propagate_all_parent, call.inputs);
    } else if (take_prefix(part, "take ")) {
      call_mapping(part, call.propagate_all_child, call.outputs);
    } else {
      return false;
    }
    return true;
  }

  void call_mapping(std::string_view part, bool& all, std::vector<model::CallMapping>& mappings) {
    if (part == "all" || part == "none") {
      all = part == "all";
      return;
    }
    const bool local = take_prefix(part, "local ");
    const std::size_t as = part.rfind(" as ");
    if (as == std::string_view::npos) complain("expected: NAME as NAME");
    std::string_view source = trim(part.substr(0, as));
    model::CallMapping mapping{.target = std::string(trim(part.substr(as + 4))), .local = local};
    if (take_prefix(source, "= ")) {
      mapping.source = feel(source);
    } else {
      mapping.variable = source;
    }
    mappings.push_back(std::move(mapping));
  }

  static std::optional<model::EventDefinition> thrown_event(std::string_view part) {
    if (part == "cancels") return model::EventDefinition{.kind = EventKind::cancel};
    if (take_prefix(part, "escalates")) {
      model::EventDefinition definition{.kind = EventKind::escalation};
      if (!part.empty()) definition.code = read_value(part);
      return definition;
    }
    if (!take_prefix(part, "undoes")) return std::nullopt;
    return model::EventDefinition{.kind = EventKind::compensation,
                                  .activity_ref = std::string(part)};
  }

  bool event_attribute(Element& element, std::string_view part) {
    if (auto thrown = thrown_event(part)) {
      element.event = thrown->kind;
      element.events.push_back(std::move(*thrown));
    } else if (auto event = read_event(part)) {
      element.event = event->definition.kind;
      element.events.push_back(std::move(event->definition));
    } else if (!element.events.empty() && take_prefix(part, "key ")) {
      element.events.back().correlation_key = feel(part);
    } else {
      return false;
    }
    return true;
  }

  bool listener_attribute(Element& element, std::string_view part) {
    model::Listeners listeners = element.listeners ? *element.listeners : model::Listeners{};
    std::vector<model::JobDefinition>* jobs = nullptr;
    if (take_prefix(part, "starting ")) jobs = &listeners.start;
    if (take_prefix(part, "ending ")) jobs = &listeners.end;
    if (take_prefix(part, "before all ")) jobs = &listeners.before_all;
    if (jobs == nullptr) return false;
    jobs->push_back({.type = read_value(part)});
    element.listeners = std::move(listeners);
    return true;
  }

  // "each LIST as NAME", "times N" make a multi-instance loop; "repeat while CONDITION" a standard
  // one.
  bool loop_attribute(Element& element, std::string_view part) {
    if (take_prefix(part, "each ")) {
      const std::size_t as = part.find(" as ");
      loop(element).collection = condition(part.substr(0, as));
      if (as != std::string_view::npos) loop(element).item_variable = trim(part.substr(as + 4));
    } else if (take_prefix(part, "index ")) {
      loop(element).index_variable = part;
    } else if (take_prefix(part, "times ")) {
      loop(element).cardinality = condition(part);
    } else if (part == "sequential") {
      loop(element).sequential = true;
    } else if (take_prefix(part, "until ")) {
      loop(element).completion_condition = condition(part);
    } else if (take_prefix(part, "collect ")) {
      const std::size_t in = part.find(" in ");
      loop(element).output_collection = trim(part.substr(in + 4));
      if (process_->dialect == model::Dialect::zeebe) {
        loop(element).output_element = feel(part.substr(0, in));
      } else {
        loop(element).output_item = trim(part.substr(0, in));
      }
    } else if (take_prefix(part, "repeat")) {
      loop(element).kind = model::LoopDefinition::Kind::standard;
      loop(element).sequential = true;
      loop(element).test_before = take_prefix(part, "first ");
      if (take_prefix(part, "while ")) loop(element).loop_condition = condition(part);
    } else if (take_prefix(part, "at most ")) {
      loop(element).loop_maximum = std::stoll(std::string(part));
    } else {
      return loop_option(element, part);
    }
    return true;
  }

  bool loop_option(Element& element, std::string_view part) {
    using Options = model::LoopOptions;
    if (take_prefix(part, "min ")) {
      loop(element).options.minimum = feel(part);
    } else if (take_prefix(part, "max ")) {
      loop(element).options.maximum = feel(part);
    } else if (take_prefix(part, "at once ")) {
      loop(element).options.concurrency = feel(part);
    } else if (take_prefix(part, "join ")) {
      loop(element).options.join = part == "none" ? Options::Join::none : Options::Join::count;
      if (part != "none") loop(element).options.join_count = feel(part);
    } else if (take_prefix(part, "failures ")) {
      loop(element).options.on_error = part == "incident"  ? Options::OnError::incident
                                       : part == "fail"    ? Options::OnError::fail
                                       : part == "collect" ? Options::OnError::collect
                                                           : Options::OnError::tolerate;
      if (take_prefix(part, "tolerate ")) loop(element).options.tolerated = feel(part);
    } else if (part == "completion order") {
      loop(element).options.completion_order = true;
    } else if (part == "compact") {
      loop(element).options.compact = true;
    } else {
      return false;
    }
    return true;
  }

  static model::LoopDefinition& loop(Element& element) {
    if (!element.loop) element.loop.emplace();
    return *element.loop;
  }

  static model::JobDefinition& job(Element& element) {
    if (!element.job) {
      element.job.emplace();
      element.job->type = model::Expression::of_literal(Value(element.id), element.id);
    }
    return *element.job;
  }

  static model::UserTaskDefinition& user_task(Element& element) {
    if (!element.user_task) element.user_task.emplace();
    return *element.user_task;
  }

  static model::ScriptDefinition& script_of(Element& element) {
    if (!element.script) element.script.emplace();
    return *element.script;
  }

  std::shared_ptr<model::Process> process_ = std::make_shared<model::Process>();
  std::vector<ElementIndex> scopes_{ElementIndex{0}};
  std::map<std::string, ElementIndex, std::less<>> by_id_;
  std::set<std::string> flow_ids_;
  std::string_view line_;
};

}  // namespace

model::ProcessPtr draw(std::string_view drawing) { return Drawing().draw(drawing); }

}  // namespace pawl::testkit
