// SPDX-License-Identifier: Apache-2.0
#include "cli/serve.hpp"

#include <fmt/format.h>

#include <csignal>
#include <cstdlib>
#include <thread>

#include "cli/data.hpp"
#include "cli/report.hpp"
#include "cli/scripts.hpp"
#include "cli/serve_settings.hpp"
#include "server/listener.hpp"
#include "server/log.hpp"
#include "server/loop.hpp"

namespace pawl::cli {
namespace {

constexpr Millis stops_within{20'000};

// Blocked in all threads, so that this one can wait for them.
sigset_t ending_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  return set;
}

// The second signal ends the program at once: nothing that was answered is lost by that.
void end_at_once_next_time(const sigset_t& signals) {
  std::signal(SIGTERM, SIG_DFL);
  std::signal(SIGINT, SIG_DFL);
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

// Whatever still runs: what was answered is durable, and the next start goes on with the rest.
void end_within(Millis most) {
  std::thread([most] {
    std::this_thread::sleep_for(most);
    server::log::write(server::Level::error,
                       "did not stop in time and is ended; what was answered is durable",
                       {{"ms", most.count()}});
    std::_Exit(static_cast<int>(Exit::stuck));
  }).detach();
}

// An address that is in use is noticed before there is a data directory. Both are held at once, so
// that they are seen to be two.
Result<void> can_listen(const server::ServerOptions& options) {
  server::Loop loop;
  std::vector<std::unique_ptr<server::Listener>> held;
  for (const bool grpc : {true, false}) {
    auto opened = server::Listener::open({.address = grpc ? options.grpc : options.http}, {&loop},
                                         [](const server::TransportPtr&, const std::string&) {});
    if (!opened) {
      return fail(opened.error().whose, opened.error().code,
                  fmt::format("{}; give another one with {}, or stop who has it",
                              opened.error().text, grpc ? "--grpc" : "--http"));
    }
    held.push_back(std::move(*opened));
  }
  return {};
}

Exit run_serve(const Arguments& arguments) {
  auto settings =
      read_settings(arguments, [](const char* name) -> const char* { return std::getenv(name); });
  if (!settings) return refuse(settings.error());
  server::log::use_json(settings->log_json);
  const sigset_t signals = ending_signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGPIPE, SIG_IGN);

  if (const auto ready = run_scripts(settings->scripts); !ready) return refuse(ready.error());
  if (const auto free = can_listen(settings->server); !free) return refuse(free.error());
  const bool tls = !settings->server.tls.certificate.empty();
  const std::string data = settings->server.data;
  auto opened = server::Server::open(std::move(settings->server));
  if (!opened) return refuse(opened.error());
  say("pawl is ready: gRPC on {}, HTTP on {}{}, data in {}\n", to_text((*opened)->grpc_address()),
      to_text((*opened)->http_address()), tls ? ", with TLS" : "", data);
  std::fflush(stdout);

  int signal = 0;
  sigwait(&signals, &signal);
  end_at_once_next_time(signals);
  server::log::write(server::Level::info, "stopping: what is under way is finished",
                     {{"signal", signal == SIGTERM ? "SIGTERM" : "SIGINT"}});
  end_within(stops_within);
  (*opened)->close();
  server::log::write(server::Level::info, "stopped");
  return Exit::done;
}

}  // namespace

const Command serve_command{
    .name = "serve",
    .summary = "runs the engine as a server for clients and workers",
    .usage = "[--data DIR] [--grpc ADDR:PORT] [--http ADDR:PORT] [--config FILE]",
    .details =
        "Existing Zeebe clients and workers connect unchanged: gRPC on one port, REST on\n"
        "the other. Both listen on this machine only unless told otherwise; beyond it,\n"
        "--auth or --insecure must be given. Prints one line when it is ready; SIGTERM\n"
        "finishes what is under way and ends with exit code 0, after 20 s at the latest.\n"
        "\n"
        "JavaScript of models runs in a process of its own that can do nothing but compute;\n"
        "--scripts inline runs it in the server, for models that you trust as much as the\n"
        "server itself, and --scripts off refuses models that have any.\n"
        "\n"
        "Each option can also be an environment variable (PAWL_TLS_CERT for --tls-cert)\n"
        "or a line of the file that --config names (tls-cert = FILE).\n",
    .example =
        "  pawl serve --data orders\n"
        "  pawl serve --data orders --scripts off\n",
    .options = serve_options(),
    .least_words = 0,
    .most_words = 0,
    .run = run_serve,
};

}  // namespace pawl::cli
