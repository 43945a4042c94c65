// SPDX-License-Identifier: Apache-2.0
#include "durable/server.hpp"

#include <future>

#include "raw/commits.hpp"
#include "store/sqlite/sqlite_index.hpp"

namespace pawl::bench {

using namespace runtime;  // NOLINT: a server is made of it
using store::Position;

class CountingJournal final : public store::Journal {
 public:
  explicit CountingJournal(std::unique_ptr<store::Journal> below) : below_(std::move(below)) {}

  Result<Position> append(std::span<const std::string> records) override {
    count_ += 1;
    turns_ += records.size();
    for (const std::string& record : records) bytes_ += record.size();
    return below_->append(records);
  }
  Position last() const override { return below_->last(); }
  Position first() const override { return below_->first(); }
  Result<void> read(
      Position from,
      const std::function<bool(Position, std::string_view bytes)>& visit) const override {
    return below_->read(from, visit);
  }
  Result<void> drop_through(Position position) override { return below_->drop_through(position); }
  std::string mended() const override { return below_->mended(); }
  void prepare() override { below_->prepare(); }

  Commits commits() const { return {count_, turns_, bytes_}; }

 private:
  std::unique_ptr<store::Journal> below_;
  std::atomic<std::uint64_t> count_{0}, turns_{0}, bytes_{0};
};

Server::Server(const std::string& directory, NodeOptions options) {
  Stores stores;
  stores.files = must(store::PosixFiles::open(directory + "/journal"));
  auto counting = std::make_unique<CountingJournal>(
      must(store::SegmentJournal::open(*stores.files, store::SegmentOptions{})));
  counting_ = counting.get();
  stores.journal = std::move(counting);
  stores.definitions = std::make_unique<Definitions>();
  auto index =
      must(store::SqliteIndex::open({.path = directory + "/index.db",
                                     .element_names = [definitions = stores.definitions.get()](
                                                          Key definition, ElementIndex element) {
                                       return definitions->element_id(definition, element);
                                     }}));
  stores.definitions->load_with(
      [from = index.get()](Key resource) { return from->resource(resource); });
  stores.index = std::move(index);
  node_ = must(Node::open(std::move(stores), clock_, options));
  counting_->prepare();  // a server that has run for a while has its next file
  node_->run();
}

Server::~Server() { node_->close(); }

Commits Server::commits() const { return counting_->commits(); }

DefinitionPtr Server::deploy(const std::string& bpmn) {
  std::promise<DefinitionPtr> made;
  DeployRequest request;
  request.resources.push_back(must(read_resource("bench.bpmn", bpmn)));
  request.reply = [&](Result<Deployment> done) {
    made.set_value(must(std::move(done)).processes.front());
  };
  node_->ask(std::move(request));
  return made.get_future().get();
}

}  // namespace pawl::bench
