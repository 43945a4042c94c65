// SPDX-License-Identifier: Apache-2.0
#include "runtime/definition.hpp"

#include <fmt/format.h>

#include <charconv>

#include "bpmn/read.hpp"
#include "engine/support.hpp"

namespace pawl::runtime {
namespace {

// FNV-1a, twice with different starts: 128 bits that change when the content does. It recognises a
// repeated deployment; it is no protection against forgery.
std::string checksum_of(std::string_view content) {
  std::uint64_t a = 14695981039346656037ull, b = a ^ 0x9E3779B97F4A7C15ull;
  for (const char c : content) {
    a = (a ^ static_cast<std::uint8_t>(c)) * 1099511628211ull;
    b = (b ^ static_cast<std::uint8_t>(c)) * 1099511628211ull;
    b ^= b >> 29;
  }
  return fmt::format("{:016x}{:016x}-{}", a, b, content.size());
}

std::string errors_of(const bpmn::Definitions& read) {
  std::string text;
  for (const bpmn::Finding& finding : read.findings) {
    if (finding.severity != bpmn::Finding::Severity::error) continue;
    text += "\n  " + bpmn::to_text(finding, read.file);
  }
  return text;
}

std::string refusals_of(const bpmn::Definitions& read) {
  std::string text;
  for (const auto& process : read.processes) {
    if (!process->executable) continue;
    for (const engine::Refusal& refusal : engine::unsupported(*process)) {
      text += fmt::format("\n  {}:{}:{}: {}", read.file, refusal.place.line, refusal.place.column,
                          refusal.text);
    }
  }
  return text;
}

}  // namespace

Result<ReadResource> read_resource(std::string name, std::string content) {
  bpmn::Definitions read = bpmn::read(content, name);
  if (const std::string errors = errors_of(read); !errors.empty()) {
    return fail(Whose::caller, Code::invalid_model,
                fmt::format("\"{}\" cannot be deployed:{}", name, errors));
  }
  if (const std::string refusals = refusals_of(read); !refusals.empty()) {
    return fail(Whose::caller, Code::not_supported,
                fmt::format("\"{}\" cannot be deployed:{}", name, refusals));
  }
  ReadResource resource{.name = std::move(name), .checksum = checksum_of(content)};
  resource.content = std::move(content);
  for (auto& process : read.processes) {
    if (process->executable) resource.processes.push_back(std::move(process));
  }
  if (resource.processes.empty()) {
    return fail(
        Whose::caller, Code::invalid_model,
        fmt::format("\"{}\" has no executable process; set isExecutable=\"true\"", resource.name));
  }
  return resource;
}

void Definitions::add_stored(const store::DefinitionRow& row) {
  add({.key = row.process.key,
       .id = row.process.id,
       .version = row.process.version,
       .resource = row.process.resource,
       .resource_name = row.resource_name,
       .checksum = row.checksum,
       .deployment = row.process.deployment});
}

void Definitions::add(Definition definition) {
  const std::lock_guard lock(mutex_);
  by_id_[definition.id][definition.version] = definition.key;
  const Key key = definition.key;
  by_key_[key] = std::make_shared<const Definition>(std::move(definition));
}

void Definitions::note(const store::Record& record) {
  for (const store::Notice& notice : record.notices) {
    if (const auto* resource = std::get_if<store::ResourceDeployed>(&notice)) {
      const std::lock_guard lock(mutex_);
      noted_[resource->key] = *resource;
    } else if (const auto* process = std::get_if<store::ProcessDeployed>(&notice)) {
      store::DefinitionRow row{.process = *process};
      {
        const std::lock_guard lock(mutex_);
        row.resource_name = noted_[process->resource].name;
        row.checksum = noted_[process->resource].checksum;
      }
      add_stored(row);
    }
  }
}

Result<std::string> Definitions::content_of(Key resource) const {
  {
    const std::lock_guard lock(mutex_);
    const auto noted = noted_.find(resource);
    if (noted != noted_.end()) return noted->second.content;
  }
  return load_(resource);
}

// The file was checked when it was deployed, so only a later version of Pawl that became stricter,
// or a damaged store, can fail here.
Result<DefinitionPtr> Definitions::with_process(const DefinitionPtr& definition) const {
  if (definition->process) return definition;
  PAWL_TRY(content, content_of(definition->resource));
  const bpmn::Definitions read = read_(content, definition->resource_name);
  for (const auto& process : read.processes) {
    if (process->id != definition->id) continue;
    Definition complete = *definition;
    complete.process = process;
    const auto made = std::make_shared<const Definition>(std::move(complete));
    const std::lock_guard lock(mutex_);
    by_key_[made->key] = made;
    return DefinitionPtr(made);
  }
  return fail(Whose::operators, Code::store_damaged,
              fmt::format("the stored file \"{}\" no longer gives process \"{}\"{}",
                          definition->resource_name, definition->id, errors_of(read)));
}

Result<DefinitionPtr> Definitions::find(Key key) const {
  DefinitionPtr found;
  {
    const std::lock_guard lock(mutex_);
    const auto place = by_key_.find(key);
    if (place != by_key_.end()) found = place->second;
  }
  if (found) return with_process(found);
  return fail(Whose::caller, Code::not_found,
              fmt::format("no process definition has key {}", number(key)));
}

DefinitionPtr Definitions::latest_locked(const std::string& id) const {
  const auto versions = by_id_.find(id);
  if (versions == by_id_.end()) return nullptr;
  return by_key_.at(versions->second.rbegin()->second);
}

Result<DefinitionPtr> Definitions::latest(const std::string& id) const {
  DefinitionPtr found;
  std::string others;
  {
    const std::lock_guard lock(mutex_);
    found = latest_locked(id);
    for (const auto& [other, versions] : by_id_) {
      if (others.size() < 200) others += (others.empty() ? "" : ", ") + other;
    }
  }
  if (found) return with_process(found);
  return fail(Whose::caller, Code::not_found,
              fmt::format("no process \"{}\" is deployed; {}", id,
                          others.empty() ? "nothing is deployed yet" : "there is: " + others));
}

Result<DefinitionPtr> Definitions::version(const std::string& id, std::int32_t version) const {
  if (version <= 0) return latest(id);
  Key key = Key::none;
  {
    const std::lock_guard lock(mutex_);
    const auto versions = by_id_.find(id);
    if (versions != by_id_.end() && versions->second.contains(version)) {
      key = versions->second.at(version);
    }
  }
  if (key != Key::none) return find(key);
  return fail(Whose::caller, Code::not_found,
              fmt::format("process \"{}\" has no version {}", id, version));
}

// --- calls

Result<DefinitionPtr> Definitions::tagged(const std::string& id, const std::string& tag) const {
  std::map<std::int32_t, Key> versions;
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = by_id_.find(id); found != by_id_.end()) versions = found->second;
  }
  for (auto place = versions.rbegin(); place != versions.rend(); ++place) {
    PAWL_TRY(definition, find(place->second));
    if (definition->process->version_tag == tag) return definition;
  }
  return fail(Whose::caller, Code::not_found,
              fmt::format("no version of process \"{}\" has the tag \"{}\"", id, tag));
}

namespace {

// Files from before deployments were noted are deployments of their own.
Key deployment_of(const Definition& definition) {
  return definition.deployment == Key::none ? definition.resource : definition.deployment;
}

}  // namespace

// A file that did not change keeps its version, so "the same deployment" is what was the newest
// then.
Result<DefinitionPtr> Definitions::deployed_with(const std::string& id, Key caller) const {
  Key key = Key::none;
  {
    const std::lock_guard lock(mutex_);
    const auto by = by_key_.find(caller);
    const auto versions = by_id_.find(id);
    if (by != by_key_.end() && versions != by_id_.end()) {
      for (const auto& [version, one] : versions->second) {
        if (deployment_of(*by_key_.at(one)) <= deployment_of(*by->second)) key = one;
      }
    }
  }
  if (key != Key::none) return find(key);
  return fail(Whose::caller, Code::not_found,
              fmt::format("no process \"{}\" was deployed with its caller", id));
}

Result<DefinitionPtr> Definitions::bound(const engine::CallTarget& target) const {
  using Binding = engine::CallTarget::Binding;
  switch (target.binding) {
    case Binding::latest:
      return latest(target.process);
    case Binding::deployment:
      return deployed_with(target.process, target.caller);
    case Binding::version_tag:
      return tagged(target.process, target.version);
    case Binding::version:
      break;
  }
  std::int32_t wanted = 0;
  const auto& text = target.version;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), wanted);
  if (failed == std::errc() && end == text.data() + text.size() && wanted > 0) {
    return version(target.process, wanted);
  }
  return fail(Whose::caller, Code::invalid_argument,
              fmt::format("\"{}\" is not the number of a version", text));
}

Result<engine::Called> Definitions::find_called(const engine::CallTarget& target) const {
  const auto found = bound(target);
  if (found) return engine::Called{(*found)->key, (*found)->version, (*found)->process};
  return fail(Whose::operators, Code::call_failed,
              fmt::format("process \"{}\" cannot be called: {}; deploy it and resolve the incident",
                          target.process, found.error().text));
}

std::vector<Definition> Definitions::all() const {
  const std::lock_guard lock(mutex_);
  std::vector<Definition> all;
  for (const auto& [key, definition] : by_key_) all.push_back(*definition);
  return all;
}

std::int32_t Definitions::next_version(const std::string& id) const {
  const std::lock_guard lock(mutex_);
  const DefinitionPtr last = latest_locked(id);
  return last ? last->version + 1 : 1;
}

DefinitionPtr Definitions::same_content(const std::string& id, const std::string& checksum) const {
  const std::lock_guard lock(mutex_);
  const DefinitionPtr last = latest_locked(id);
  return last && last->checksum == checksum ? last : nullptr;
}

std::string Definitions::element_id(Key definition, ElementIndex element) const {
  const auto found = find(definition);
  if (!found || number(element) >= (*found)->process->elements.size()) return {};
  return (*found)->process->at(element).id;
}

}  // namespace pawl::runtime
