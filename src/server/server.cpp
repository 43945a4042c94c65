// SPDX-License-Identifier: Apache-2.0
#include "server/server.hpp"

#include <fmt/format.h>

#include <future>
#include <set>
#include <thread>

#include "server/grpc/service.hpp"
#include "server/log.hpp"
#include "server/rest/connection.hpp"
#include "server/rest/router.hpp"

namespace pawl::server {
namespace {

constexpr std::string_view http2_preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
constexpr Millis preface_within{10'000};

Result<void> check_exposure(const ServerOptions& options) {
  if (options.auth.on() || options.insecure) return {};
  for (const Address& address : {options.grpc, options.http}) {
    if (is_loopback(address)) continue;
    return fail(Whose::caller, Code::invalid_argument,
                fmt::format("{} can be reached from other machines, but nobody would have to sign "
                            "in; give --auth FILE, or --insecure if that is meant",
                            to_text(address)));
  }
  return {};
}

class RunningServer final : public Server {
 public:
  explicit RunningServer(ServerOptions options) : options_(std::move(options)) {}
  ~RunningServer() override { close(); }

  Result<void> begin() {
    PAWL_CHECK(check_exposure(options_));
    std::shared_ptr<Tls> tls;
    if (!options_.tls.certificate.empty()) {
      PAWL_TRY(read, read_tls(options_.tls));
      tls = read;
    }
    PAWL_TRY(node, runtime::open_local(options_.data, clock_,
                                       {.node = {.shards = options_.shards,
                                                 .resident_bytes = options_.memory,
                                                 .iterations = options_.iterations,
                                                 .retention = options_.retention}}));
    node_ = std::move(node);
    operations_ = std::make_unique<Operations>(*node_, metrics_);
    for (std::uint32_t i = 0; i < options_.loops; ++i) loops_.push_back(std::make_unique<Loop>());
    for (auto& loop : loops_) connections_[loop.get()];
    PAWL_CHECK(listen(options_.grpc, tls, grpc_listener_));
    PAWL_CHECK(listen(options_.http, tls, http_listener_));
    set_up_grpc();  // these know the port that was given if 0 was asked for; nothing runs yet
    set_up_rest();
    node_->run();
    for (auto& loop : loops_) threads_.emplace_back([&loop] { loop->run(); });
    return {};
  }

  Address grpc_address() const override { return grpc_listener_->address(); }
  Address http_address() const override { return http_listener_->address(); }
  runtime::Node& node() override { return *node_; }

  void close() override {
    if (closed_.exchange(true)) return;
    if (grpc_listener_) grpc_listener_->close();
    if (http_listener_) http_listener_->close();
    if (!threads_.empty()) drain();
    if (node_) node_->close();  // whoever still waits is told, through the loops
    for (auto& loop : loops_) loop->stop();
    for (std::thread& thread : threads_) thread.join();
    pool_.close();
  }

 private:
  void set_up_grpc() {
    service_ = std::make_unique<grpc::Service>(
        grpc::Service{.operations = *operations_,
                      .pool = pool_,
                      .host = grpc_address().host,
                      .port = grpc_address().port,
                      .message_bytes = options_.limits.message_bytes,
                      .most_polls = options_.most_polls});
    grpc_ = std::make_shared<grpc::Shared>();
    grpc_->limits = options_.limits;
    grpc_->metrics = &metrics_;
    if (options_.auth.on()) {
      grpc_->allows = [this](std::string_view header) { return options_.auth.allows(header); };
    }
    grpc_->handle = [this](const grpc::CallPtr& call) { grpc::handle(*service_, call); };
  }

  void set_up_rest() {
    auto options = std::make_shared<rest::SessionOptions>();
    options->limits.body_bytes = options_.limits.message_bytes;
    options->limits.header_bytes = options_.limits.header_bytes;
    options->allows = [this](std::string_view header) { return options_.auth.allows(header); };
    router_ = std::make_unique<rest::Router>(
        rest::Context{.operations = *operations_,
                      .on_pool = [this](Loop::Task task) { return pool_.run(std::move(task)); },
                      .is_ready = [this] { return !closed_; },
                      .host = grpc_address().host,
                      .port = grpc_address().port,
                      .most_polls = options_.most_polls,
                      .answer_bytes = options_.limits.message_bytes});
    rest_ = std::make_unique<rest::Serving>(
        rest::Serving{.metrics = metrics_,
                      .handle = [this](std::shared_ptr<rest::Request> request,
                                       rest::Answer answer) { router_->handle(request, answer); },
                      .options = std::move(options)});
  }

  Result<void> listen(const Address& address, const std::shared_ptr<Tls>& tls,
                      std::unique_ptr<Listener>& into) {
    std::vector<Loop*> loops;
    for (auto& loop : loops_) loops.push_back(loop.get());
    PAWL_TRY(opened,
             Listener::open(
                 {.address = address, .tls = tls, .most_connections = options_.most_connections},
                 loops, [this](TransportPtr transport, std::string bytes) {
                   accepted(std::move(transport), bytes);
                 }));
    into = std::move(opened);
    return {};
  }

  // On the loop of the transport.
  void accepted(TransportPtr transport, const std::string& bytes) {
    Open& open = connections_.at(&transport->loop());
    const std::size_t known = std::min(bytes.size(), http2_preface.size());
    if (bytes.substr(0, known) != http2_preface.substr(0, known)) {
      return remember(open.rest, rest::serve(transport, bytes, *rest_));
    }
    if (known < http2_preface.size()) return await_preface(transport, bytes);
    auto connection = std::make_shared<grpc::Connection>(std::move(transport), grpc_);
    remember(open.grpc, connection);
    connection->begin(bytes);
  }

  void await_preface(const TransportPtr& transport, const std::string& bytes) {
    const auto timer = transport->loop().after(preface_within, [transport] { transport->close(); });
    transport->read([this, transport, timer, bytes](std::string_view more) {
      transport->loop().cancel(timer);
      if (!more.empty()) accepted(transport, bytes + std::string(more));
    });
  }

  // Those that have ended are let go now and then.
  template <class T>
  static void remember(std::vector<std::weak_ptr<T>>& open, const std::shared_ptr<T>& one) {
    if (open.size() == open.capacity()) {
      std::erase_if(open, [](const auto& old) { return old.expired(); });
    }
    open.push_back(one);
  }

  // Calls that only wait are ended; the others have a few seconds to be answered.
  void drain() {
    for (auto& loop : loops_) {
      loop->post([this, here = loop.get()] {
        for (const auto& weak : connections_.at(here).grpc) {
          if (const auto connection = weak.lock()) connection->drain();
        }
        for (const auto& weak : connections_.at(here).rest) {
          if (const auto session = weak.lock()) session->finish();
        }
      });
    }
    const auto until = std::chrono::steady_clock::now() + options_.drain;
    while (metrics_.calls > 0 && std::chrono::steady_clock::now() < until) {
      std::this_thread::sleep_for(Millis(5));
    }
  }

  ServerOptions options_;
  runtime::SystemClock clock_;
  Metrics metrics_;
  std::unique_ptr<runtime::Node> node_;
  std::unique_ptr<Operations> operations_;
  Pool pool_{2};
  std::vector<std::unique_ptr<Loop>> loops_;
  std::unique_ptr<grpc::Service> service_;
  std::shared_ptr<grpc::Shared> grpc_;
  std::unique_ptr<Listener> grpc_listener_, http_listener_;
  std::unique_ptr<rest::Router> router_;
  std::unique_ptr<rest::Serving> rest_;
  struct Open {
    std::vector<std::weak_ptr<grpc::Connection>> grpc{};
    std::vector<std::weak_ptr<rest::Session>> rest{};
  };
  std::map<Loop*, Open> connections_;  // each touched only by its loop
  std::vector<std::thread> threads_;
  std::atomic<bool> closed_{false};
};

}  // namespace

Result<std::unique_ptr<Server>> Server::open(ServerOptions options) {
  auto server = std::make_unique<RunningServer>(std::move(options));
  PAWL_CHECK(server->begin());
  return std::unique_ptr<Server>(std::move(server));
}

}  // namespace pawl::server
