// SPDX-License-Identifier: Apache-2.0
#include "script/in_helper.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <functional>
#include <iterator>
#include <thread>

#include "script/messages.hpp"
#include "script/run_for_test.hpp"
#include "script/tries_for_test.hpp"
#include "script/where.hpp"

namespace pawl::script {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Mode = Program::Mode;

constexpr auto usual_idle = seconds(60);

Program program_of(const std::string& text, Mode mode = Mode::expression) {
  static std::uint64_t last = 1u << 20;
  return Program::numbered(text, mode, ++last);
}

std::string text_of(const std::variant<Outcome, Failure>& outcome) {
  if (const auto* failure = std::get_if<Failure>(&outcome)) return failure->error.text;
  return to_json(std::get<Outcome>(outcome).value);
}

std::unique_ptr<Child> started(const Launch& launch = {}) {
  auto child = Child::start(launch);
  if (!child) return ADD_FAILURE() << child.error().text, nullptr;
  return std::move(*child);
}

std::unique_ptr<Child> ready() {
  auto child = started();
  const auto expected = child->expect_ready();
  EXPECT_TRUE(expected) << expected.error().text;
  return child;
}

// --- a real helper

TEST(InHelper, answers_and_remembers_programs) {
  const auto child = ready();
  const Given given{R"({"a": 2, "b": {"c": [1]}})"};
  const Program program = program_of("a + b.c.length");
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(text_of(run_with(*child, program, {.variables = &given})), "3");
  }
  EXPECT_TRUE(child->is_fit());
}

TEST(InHelper, asks_only_for_what_a_script_touches) {
  const auto child = ready();
  const Program program = program_of("flag ? a : 0");
  const Given first{R"({"flag": false, "a": 1, "b": 2})"};
  EXPECT_EQ(text_of(run_with(*child, program, {.variables = &first})), "0");
  EXPECT_EQ(first.asked, std::vector<std::string>{"flag"});
  const Given second{R"({"flag": true, "a": 1, "b": 2})"};
  EXPECT_EQ(text_of(run_with(*child, program, {.variables = &second})), "1");
  EXPECT_EQ(second.asked, (std::vector<std::string>{"flag", "a"}));
}

// Sent with the order the next time; nothing of the last run must be left then.
TEST(InHelper, sees_the_values_of_its_own_run) {
  const auto child = ready();
  const Program program = program_of("typeof a === 'undefined' ? 'none' : a");
  const std::string large(5'000, 'x');
  const std::pair<std::string, std::string> rows[] = {
      {R"({"a": 1})", "1"},
      {R"({"a": 2})", "2"},
      {"{}", "\"none\""},
      {"{\"a\":\"" + large + "\"}", "\"" + large + "\""},
      {R"({"a": [3]})", "[3]"}};
  for (const auto& [variables, expected] : rows) {
    const Given given{variables};
    EXPECT_EQ(text_of(run_with(*child, program, {.variables = &given})), expected);
  }
}

class Killing final : public Variables {
 public:
  Killing(pid_t process, int signal) : process_(process), signal_(signal) {}
  std::optional<Value> find(std::string_view) const override {
    ::kill(process_, signal_);
    return Value(1);
  }

 private:
  pid_t process_;
  int signal_;
};

TEST(InHelper, one_that_is_killed_fails_its_script_only) {
  const std::pair<int, const char*> rows[] = {
      {SIGKILL, "the system has ended the process"},
      {SIGSEGV, "the JavaScript engine crashed (Segmentation fault)"},
      {SIGSYS, "something that scripts have no right to"},
      {SIGXCPU, "ran for more than 400 ms"},
  };
  for (const auto& [signal, expected] : rows) {
    const auto child = ready();
    const Killing variables(child->process(), signal);
    const auto text = text_of(run_with(*child, program_of("a"), {.variables = &variables}));
    EXPECT_NE(text.find(expected), std::string::npos) << text;
    EXPECT_TRUE(child->has_ended());
  }
}

TEST(InHelper, signals_of_terminal_and_service_are_not_for_it) {
  const auto child = ready();
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) ::kill(child->process(), signal);
  EXPECT_EQ(text_of(run_with(*child, program_of("1 + 1"), {})), "2");
}

TEST(InHelper, is_stopped_by_us_when_it_does_not_stop_itself) {
  // None of these looks at an interrupt.
  for (const char* text : {"('a' + '\\u0300\\u0316'.repeat(1e6)).normalize('NFC').length",
                           "BigInt('9'.repeat(300000)) > 1n"}) {
    const auto child = ready();
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(text_of(run_with(*child, program_of(text), {.millis = 50})),
              "the script was stopped: it ran for more than 50 ms");
    EXPECT_LT(std::chrono::steady_clock::now() - start, seconds(3));
    EXPECT_TRUE(child->has_ended());
  }
}

TEST(InHelper, what_a_script_took_is_its_time_and_not_that_of_starting_a_helper) {
  const auto child = ready();
  std::uint64_t took = 0;
  Environment environment{.millis = 100, .spent = &took};
  EXPECT_EQ(text_of(run_with(*child, program_of("1 + 1"), environment)), "2");
  EXPECT_LT(took, 90'000'000u);
  took = 0;
  run_with(*child, program_of("(() => { while (true) {} })()"), environment);
  EXPECT_GE(took, 100'000'000u);
  EXPECT_LT(took, 3'000'000'000u);
}

bool is_running(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::size_t name_end = text.rfind(')');
  return name_end != std::string::npos && text.substr(name_end + 2, 1) != "Z";
}

TEST(InHelper, ends_with_its_parent_also_in_the_middle_of_a_script) {
  int pipe[2];
  ASSERT_EQ(::pipe2(pipe, O_CLOEXEC), 0);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, pipe[1], STDOUT_FILENO);
  std::string word(parent_word);
  char* words[] = {word.data(), word.data(), nullptr};
  pid_t parent = 0;
  ASSERT_EQ(posix_spawn(&parent, "/proc/self/exe", &files, nullptr, words, environ), 0);
  posix_spawn_file_actions_destroy(&files);
  ::close(pipe[1]);
  pid_t helper = 0;
  ASSERT_EQ(::read(pipe[0], &helper, sizeof helper), static_cast<ssize_t>(sizeof helper));
  ::close(pipe[0]);
  EXPECT_TRUE(is_running(helper));
  ::kill(parent, SIGKILL);
  ::waitpid(parent, nullptr, 0);
  for (int i = 0; i < 500 && is_running(helper); ++i) std::this_thread::sleep_for(milliseconds(10));
  EXPECT_FALSE(is_running(helper));
}

// --- rights

TEST(Jail, every_try_to_get_out_ends_the_helper) {
  for (const Try& one : tries) {
    const auto child = started({.word = std::string(one.word)});
    ASSERT_TRUE(child->expect_ready()) << one.word;
    const auto outcome = run_with(*child, program_of("1"), {.millis = 50});
    EXPECT_TRUE(std::holds_alternative<Failure>(outcome)) << one.word;
    EXPECT_EQ(child->end(), one.ends_with) << one.word << ": " << text_of(outcome);
  }
}

TEST(Jail, a_helper_has_no_files_but_its_socket) {
  const auto child = ready();
  const std::string folder = "/proc/" + std::to_string(child->process());
  if (::access((folder + "/fd").c_str(), X_OK) != 0) GTEST_SKIP() << "only root can look into it";
  EXPECT_EQ(::access((folder + "/fd/3").c_str(), F_OK), 0);
  for (int file = 4; file < 40; ++file) {
    EXPECT_NE(::access((folder + "/fd/" + std::to_string(file)).c_str(), F_OK), 0) << file;
  }
}

TEST(Jail, what_cannot_be_started_says_why) {
  const std::pair<Launch, const char*> rows[] = {
      {{.program = "/nowhere/at-all"}, "No such file"},
      {{.program = "/bin/true"}, "it ended at once"},
  };
  for (const auto& [launch, expected] : rows) {
    auto child = Child::start(launch);
    const auto ready = child ? (*child)->expect_ready() : Result<void>(child.error());
    ASSERT_FALSE(ready);
    EXPECT_NE(ready.error().text.find(expected), std::string::npos) << ready.error().text;
    EXPECT_NE(ready.error().text.find("--scripts inline"), std::string::npos);
  }
}

// --- a helper that lies

// Plays one over a socket: `play` gets the channel and speaks as a helper does.
std::variant<Outcome, Failure> run_against(const std::function<void(Channel&)>& play) {
  int sockets[2];
  EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets), 0);
  Child child(-1, sockets[0]);
  std::thread liar([&] {
    Channel channel(sockets[1]);
    std::string_view order;
    if (channel.receive(order, 1u << 20, nullptr) == Channel::State::fine) play(channel);
  });
  const Given given{R"({"a": 1})"};
  auto outcome = run_with(child, program_of("a"), {.variables = &given, .millis = 30});
  ::shutdown(sockets[0], SHUT_RDWR);
  liar.join();
  return outcome;
}

void raw(Channel& channel, std::string_view bytes) { channel.send(bytes, nullptr); }

TEST(Liar, is_believed_only_what_a_helper_may_say) {
  const std::pair<const char*, std::function<void(Channel&)>> rows[] = {
      {"nothing at all", [](Channel&) {}},
      {"an empty message", [](Channel& to) { raw(to, ""); }},
      {"noise", [](Channel& to) { raw(to, "\x07\x11 what is this"); }},
      {"a report with something after it",
       [](Channel& to) { raw(to, to_bytes(Report(NeedSource{})) + "x"); }},
      {"ready, a second time", [](Channel& to) { raw(to, to_bytes(Report(Ready{}))); }},
      {"the answer to another question", [](Channel& to) { raw(to, to_bytes(Report(Checked{}))); }},
      {"a message without end",
       [](Channel& to) { raw(to, std::string(limits::script_report_bytes + 1, 'x')); }},
      {"questions without end",
       [](Channel& to) {
         std::string_view answer;
         for (int i = 0; i < 1'000'000; ++i) {
           raw(to, to_bytes(Report(NeedVariable{std::to_string(i)})));
           if (to.receive(answer, 1u << 20, nullptr) != Channel::State::fine) return;
         }
       }},
      {"the same question without end",
       [](Channel& to) {
         std::string_view answer;
         for (int i = 0; i < 1'000'000; ++i) {
           raw(to, to_bytes(Report(NeedSource{})));
           if (to.receive(answer, 2u << 20, nullptr) != Channel::State::fine) return;
         }
       }},
      {"a name that is too long",
       [](Channel& to) { raw(to, to_bytes(Report(NeedVariable{std::string(10'000, 'x')}))); }},
      {"silence", [](Channel& to) {
         std::string_view never;
         to.receive(never, 1, nullptr);
       }}};
  for (const auto& [name, play] : rows) {
    const auto outcome = run_against(play);
    ASSERT_TRUE(std::holds_alternative<Failure>(outcome)) << name;
    const Failure& failure = std::get<Failure>(outcome);
    EXPECT_TRUE(failure.error.text.find("the process that") != std::string::npos ||
                failure.error.text.find("ran for more than 30 ms") != std::string::npos)
        << name << ": " << failure.error.text;
  }
}

TEST(Liar, may_give_results_of_its_own_within_the_limits) {
  const auto outcome = run_against([](Channel& to) {
    raw(to, to_bytes(Report(Done{{.value = Value(7), .assigned = {{"x", Value("y")}}}})));
  });
  ASSERT_TRUE(std::holds_alternative<Outcome>(outcome));
  EXPECT_EQ(to_json(std::get<Outcome>(outcome).value), "7");
}

// --- many of them

class Pool : public testing::Test {
 public:
  void SetUp() override { use(Where::process); }
  void TearDown() override {
    Children::instance().use({}, usual_idle);
    use(Where::inside);
  }
};

TEST_F(Pool, the_next_script_gets_another_one) {
  EXPECT_EQ(evaluated("1 + 1"), "2");
  EXPECT_EQ(failed("while (true) {}").error.code, Code::budget_exceeded);
  EXPECT_EQ(evaluated("1 + 1"), "2");
  // Too large for the engine to survive.
  EXPECT_NE(failed("new RegExp('a|'.repeat(3000000)).test('b')").error.text.find("was stopped"),
            std::string::npos);
  EXPECT_EQ(evaluated("1 + 1"), "2");
}

TEST_F(Pool, one_that_has_died_while_it_idled_is_not_used) {
  EXPECT_EQ(evaluated("1"), "1");
  {
    auto lease = Children::instance().take();
    ASSERT_TRUE(lease);
    const pid_t process = lease->child().process();
    ::kill(process, SIGKILL);
    siginfo_t ended;
    ::waitid(P_PID, static_cast<id_t>(process), &ended, WEXITED | WNOWAIT);
  }
  EXPECT_EQ(evaluated("2"), "2");
}

TEST_F(Pool, helpers_outlive_the_threads_that_use_them) {
  Children::instance().use({}, usual_idle);
  pid_t first = 0;
  for (int i = 0; i < 3; ++i) {
    std::thread([&] {
      EXPECT_EQ(evaluated("1 + 1"), "2");
      auto lease = Children::instance().take();
      if (first == 0) first = lease->child().process();
      EXPECT_EQ(lease->child().process(), first);
    }).join();
    std::this_thread::sleep_for(milliseconds(20));
  }
}

TEST_F(Pool, there_are_no_more_than_allowed) {
  std::vector<Children::Lease> leases;
  for (std::size_t i = 0; i < limits::script_helpers; ++i) {
    auto lease = Children::instance().take();
    ASSERT_TRUE(lease) << lease.error().text;
    leases.push_back(std::move(*lease));
  }
  std::atomic<bool> done{false};
  std::thread waiting([&] {
    EXPECT_EQ(evaluated("1"), "1");
    done = true;
  });
  std::this_thread::sleep_for(milliseconds(50));
  EXPECT_FALSE(done);
  EXPECT_EQ(Children::instance().alive(), limits::script_helpers);
  leases.clear();
  waiting.join();
}

TEST_F(Pool, idle_ones_are_ended) {
  Children::instance().use({}, milliseconds(30));
  EXPECT_EQ(evaluated("1"), "1");
  const auto has_children = [] {
    siginfo_t ended;
    return ::waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT) == 0;
  };
  for (int i = 0; i < 500 && has_children(); ++i) std::this_thread::sleep_for(milliseconds(10));
  EXPECT_FALSE(has_children()) << "they were waited for as well";
  EXPECT_EQ(Children::instance().alive(), 0u);
  EXPECT_EQ(evaluated("2"), "2");
}

TEST_F(Pool, hostile_texts_do_not_hold_up_a_deployment) {
  // A parser that goes back for each arrow needs twice the time for each level.
  std::string text = "0";
  for (int i = 0; i < 40; ++i) text = "(a=" + text + ")=>0";
  const auto program = Program::compile(text, Mode::expression);
  ASSERT_FALSE(program);
  EXPECT_EQ(program.error().code, Code::budget_exceeded);
  EXPECT_EQ(evaluated("1"), "1");
}

TEST_F(Pool, without_a_helper_there_is_a_sentence) {
  Children::instance().use({.program = "/nowhere/at-all", .word = {}}, usual_idle);
  const auto program = Program::compile("1", Mode::expression);
  ASSERT_FALSE(program);
  EXPECT_EQ(program.error().whose, Whose::machine);
  EXPECT_NE(failed("1").error.text.find("could not be started"), std::string::npos);
  EXPECT_FALSE(expect_helper());
  EXPECT_EQ(Children::instance().alive(), 0u);
}

}  // namespace
}  // namespace pawl::script
