// SPDX-License-Identifier: Apache-2.0
// Definitions: the deployed processes of a node. Versions count up per process id; the same content
// again is not a new version. Any thread may ask; only the first shard adds.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "bpmn/read.hpp"
#include "engine/callables.hpp"
#include "model/process.hpp"
#include "store/index.hpp"

namespace pawl::runtime {

struct Definition {
  Key key{Key::none};
  std::string id{};
  std::int32_t version{0};
  Key resource{Key::none};
  std::string resource_name{};
  std::string checksum{};  // of the resource
  Key deployment{Key::none};
  model::ProcessPtr process{};
};

using DefinitionPtr = std::shared_ptr<const Definition>;

// A file that was read and can be deployed.
struct ReadResource {
  std::string name{};
  std::string content{};
  std::string checksum{};
  std::vector<model::ProcessPtr> processes{};
};

// Reads a BPMN file for deployment. The error lists every finding of level error, and what this
// version cannot run.
Result<ReadResource> read_resource(std::string name, std::string content);

class Definitions final : public engine::Callables {
 public:
  // How a stored file becomes processes; tests have one that understands drawings.
  using Read = std::function<bpmn::Definitions(std::string_view content, std::string file)>;
  explicit Definitions(Read read = bpmn::read) : read_(std::move(read)) {}
  // Where stored files are read from. Must be set before one is needed.
  using LoadResource = std::function<Result<std::string>(Key resource)>;
  void load_with(LoadResource load) { load_ = std::move(load); }

  // Known from the store; the file is read when it is first needed.
  void add_stored(const store::DefinitionRow& row);
  void add(Definition definition);
  // A deployment that the store has, but perhaps not its index.
  void note(const store::Record& record);

  // Errors say what is there instead.
  Result<DefinitionPtr> find(Key key) const;
  Result<DefinitionPtr> latest(const std::string& id) const;
  Result<DefinitionPtr> version(const std::string& id, std::int32_t version) const;
  // What a call activity means: the newest version, the one that was the newest when the caller was
  // deployed, a number, or the newest with a tag.
  Result<engine::Called> find_called(const engine::CallTarget& target) const override;
  std::vector<Definition> all() const;  // by key; processes that were not read yet are null

  // The version that the next deployment of this id gets, or the one that has the same content.
  std::int32_t next_version(const std::string& id) const;
  DefinitionPtr same_content(const std::string& id, const std::string& checksum) const;

  // For the index: "" if the definition cannot be read.
  std::string element_id(Key definition, ElementIndex element) const;

 private:
  Result<std::string> content_of(Key resource) const;
  Result<DefinitionPtr> with_process(const DefinitionPtr& definition) const;
  DefinitionPtr latest_locked(const std::string& id) const;
  Result<DefinitionPtr> bound(const engine::CallTarget& target) const;
  Result<DefinitionPtr> tagged(const std::string& id, const std::string& tag) const;
  Result<DefinitionPtr> deployed_with(const std::string& id, Key caller) const;

  Read read_;
  LoadResource load_;
  mutable std::mutex mutex_;
  mutable std::map<Key, DefinitionPtr> by_key_;
  std::map<std::string, std::map<std::int32_t, Key>> by_id_;
  std::map<Key, store::ResourceDeployed> noted_;
};

}  // namespace pawl::runtime
