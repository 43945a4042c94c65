// SPDX-License-Identifier: Apache-2.0
#include "server/server.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <future>
#include <set>
#include <thread>

#include "server/backups.hpp"
#include "server/doorman.hpp"
#include "server/grpc/service.hpp"
#include "server/http2/connection.hpp"
#include "server/log.hpp"
#include "server/rest/connection.hpp"
#include "server/rest/router.hpp"
#include "server/rest/stream.hpp"

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

// Whoever listens everywhere is also called what the machine is called.
std::vector<std::string> names_of(const ServerOptions& options) {
  std::vector<std::string> names = options.hosts;
  for (const Address& address : {options.grpc, options.http}) {
    names.push_back(address.host);
    if (!is_any(address)) continue;
    char name[256] = {};
    if (::gethostname(name, sizeof name - 1) == 0 && name[0] != '\0') names.emplace_back(name);
  }
  return names;
}

class RunningServer final : public Server {
 public:
  explicit RunningServer(ServerOptions options)
      : options_(std::move(options)),
        doorman_(names_of(options_)),
        ledger_(options_.limits.total_bytes) {}
  ~RunningServer() override { close(); }

  Result<void> begin() {
    PAWL_CHECK(check_exposure(options_));
    Policy policy;
    if (options_.shared_business_ids) policy.business_ids = runtime::OnDuplicate::allow;
    if (!options_.backups.empty()) {
      PAWL_TRY(place, backup_place(options_.backups, options_.data));
      policy.backups = place;
    }
    std::shared_ptr<Tls> tls;
    if (!options_.tls.certificate.empty()) {
      PAWL_TRY(read, read_tls(options_.tls));
      tls = read;
    }
    PAWL_TRY(node, runtime::open_local(options_.data, clock_,
                                       {.node = {.shards = options_.shards,
                                                 .resident_bytes = options_.memory,
                                                 .scripts_beside = true,
                                                 .allowance = options_.allowance,
                                                 .retention = options_.retention}}));
    node_ = std::move(node);
    operations_ = std::make_unique<Operations>(*node_, metrics_, policy);
    health_ = std::make_unique<Health>([this] { return node_->trouble().text; });
    for (std::uint32_t i = 0; i < options_.loops; ++i) loops_.push_back(std::make_unique<Loop>());
    for (auto& loop : loops_) connections_[loop.get()];
    PAWL_CHECK(listen(options_.grpc, tls, grpc_listener_));
    PAWL_CHECK(listen(options_.http, tls, http_listener_));
    set_up_grpc();  // these know the port that was given if 0 was asked for; nothing runs yet
    set_up_rest();
    set_up_http2();
    node_->run();
    for (auto& loop : loops_)
      threads_.emplace_back([&loop] { loop->run(); });
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
    if (health_) health_->close();
    pools_.close();             // what still searches or copies is ended
    if (node_) node_->close();  // whoever still waits is told, through the loops
    for (auto& loop : loops_) loop->stop();
    for (std::thread& thread : threads_) thread.join();
  }

 private:
  void set_up_grpc() {
    service_ = std::make_unique<grpc::Service>(
        grpc::Service{.operations = *operations_,
                      .pools = pools_,
                      .health = *health_,
                      .host = grpc_address().host,
                      .port = grpc_address().port,
                      .message_bytes = options_.limits.message_bytes,
                      .most_polls = options_.most_polls});
    grpc_ = std::make_unique<grpc::Serving>(grpc::Serving{
        .metrics = metrics_,
        .message_bytes = options_.limits.message_bytes,
        .doorman = &doorman_,
        .allows = [this](std::string_view header) { return options_.auth.allows(header); },
        .handle = [this](const grpc::CallPtr& call) { grpc::handle(*service_, call); }});
  }

  // The content-type of a request tells whose it is.
  void set_up_http2() {
    http2_ = std::make_shared<http2::Shared>(options_.limits, metrics_, ledger_);
    http2_->open = [this](const http2::Head& head) -> http2::StreamPtr {
      if (grpc::is_call(head.field("content-type"))) return std::make_shared<grpc::Call>(*grpc_);
      return std::make_shared<rest::StreamExchange>(rest_->handle, rest_->options);
    };
  }

  void set_up_rest() {
    auto options = std::make_shared<rest::SessionOptions>();
    options->limits.body_bytes = options_.limits.message_bytes;
    options->limits.header_bytes = options_.limits.header_bytes;
    options->door = {.doorman = &doorman_, .allows = [this](std::string_view header) {
                       return options_.auth.allows(header);
                     }};
    options->ledger = &ledger_;
    options->under_way = &metrics_.exchanges;
    router_ = std::make_unique<rest::Router>(rest::Context{
        .operations = *operations_,
        .on_pool =
            [this](Work work, std::function<void()> task, store::PatiencePtr patience) {
              return pools_.run(work, std::move(task), std::move(patience));
            },
        .trouble = [this] { return closed_ ? "the server is closing" : health_->trouble(); },
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
      return remember(open.http1, rest::serve(transport, bytes, *rest_));
    }
    if (known < http2_preface.size()) return await_preface(transport, bytes);
    auto connection = std::make_shared<http2::Connection>(std::move(transport), http2_);
    remember(open.http2, connection);
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
        for (const auto& weak : connections_.at(here).http2) {
          if (const auto connection = weak.lock()) connection->drain();
        }
        for (const auto& weak : connections_.at(here).http1) {
          if (const auto session = weak.lock()) session->finish();
        }
      });
    }
    const auto until = std::chrono::steady_clock::now() + options_.drain;
    const auto is_busy = [this] {
      return metrics_.calls + metrics_.exchanges > 0 || !pools_.is_idle();
    };
    while (is_busy() && std::chrono::steady_clock::now() < until) {
      std::this_thread::sleep_for(Millis(5));
    }
  }

  ServerOptions options_;
  runtime::SystemClock clock_;
  Metrics metrics_;
  const Doorman doorman_;
  Ledger ledger_;
  std::unique_ptr<runtime::Node> node_;
  std::unique_ptr<Operations> operations_;
  Pools pools_;
  std::unique_ptr<Health> health_;
  std::vector<std::unique_ptr<Loop>> loops_;
  std::unique_ptr<grpc::Service> service_;
  std::unique_ptr<grpc::Serving> grpc_;
  std::shared_ptr<http2::Shared> http2_;
  std::unique_ptr<Listener> grpc_listener_, http_listener_;
  std::unique_ptr<rest::Router> router_;
  std::unique_ptr<rest::Serving> rest_;
  struct Open {
    std::vector<std::weak_ptr<http2::Connection>> http2{};
    std::vector<std::weak_ptr<rest::Session>> http1{};
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
