// SPDX-License-Identifier: Apache-2.0
#include "cli/feel.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>

#include "base/time.hpp"
#include "cli/input.hpp"
#include "cli/report.hpp"
#include "feel/batch.hpp"
#include "feel/feel.hpp"
#include "value/json.hpp"

namespace pawl::cli {
namespace {

constexpr Option feel_options[] = {
    {.name = "--vars",
     .value = "JSON|@file",
     .help = "the variables, a JSON object; @- is standard input"},
    {.name = "--unary",
     .value = "INPUT",
     .help = "EXPR is a list of unary tests, applied to INPUT (JSON or FEEL)"},
    {.name = "--batch", .value = {}, .help = "evaluate JSON lines from standard input"},
};

Instant wall_clock() { return std::chrono::floor<Millis>(std::chrono::system_clock::now()); }

// There is no instance that could have an incident: whatever fails is a wrong input.
Exit complain(std::string what, const std::string& where, const Error& error) {
  report({.what = std::move(what), .where = where, .why = error.text});
  return Exit::bad_input;
}

Exit run_batch() {
  const Instant now = wall_clock();
  LineReader lines(STDIN_FILENO);
  std::string_view line;
  while (lines.next(line)) {
    if (lines.was_cut()) {
      report({.what = "a line of the batch is too long",
              .why = fmt::format("the limit is {} MiB", limits::json_bytes >> 20),
              .to_do = "split it"});
      return Exit::bad_input;
    }
    if (line.empty()) continue;
    fmt::print("{}\n", feel::run_batch_line(line, now));
    if (!lines.has_buffered_line()) std::fflush(stdout);
  }
  return Exit::done;
}

struct Question {
  std::string text;
  Value variables;
  std::optional<Value> input;  // of unary tests
};

Result<Value> evaluate_question(const Question& question, std::vector<feel::Problem>& problems) {
  const feel::ParseOptions parse_options{.names = feel::names_in(question.variables)};
  const feel::ContextNames names(question.variables);
  feel::Environment environment;
  environment.names = &names;
  environment.now = wall_clock();
  environment.seed = static_cast<std::uint64_t>(environment.now.time_since_epoch().count());
  environment.problems = &problems;
  if (question.input) {
    PAWL_TRY(tests, feel::parse_unary_tests(question.text, parse_options));
    return feel::evaluate_unary(tests, *question.input, environment);
  }
  PAWL_TRY(expression, feel::parse(question.text, parse_options));
  return feel::evaluate(expression, environment);
}

Result<Value> unary_input(const std::string& argument, const Value& variables) {
  PAWL_TRY(text, text_argument(argument));
  auto json = parse_json(text);
  if (json) return json;
  std::vector<feel::Problem> problems;
  return evaluate_question({text, variables, std::nullopt}, problems);
}

Result<Question> question_from(const Arguments& arguments) {
  Question question{arguments.words()[0], object({}), std::nullopt};
  if (const auto given = arguments.value("--vars")) {
    PAWL_TRY(variables, variables_argument("--vars", *given));
    question.variables = variables;
  }
  if (const auto given = arguments.value("--unary")) {
    PAWL_TRY(input, unary_input(*given, question.variables));
    question.input = input;
  }
  return question;
}

Exit evaluate_one(const Arguments& arguments) {
  const auto question = question_from(arguments);
  if (!question) return complain("the input cannot be used", "", question.error());
  std::vector<feel::Problem> problems;
  const auto value = evaluate_question(*question, problems);
  if (!value) return complain("the expression has no value", question->text, value.error());
  say_json(*value);
  std::fflush(stdout);
  for (const feel::Problem& problem : problems) {
    say(stderr, "{} {}\n", painted(stderr, Colour::yellow, "pawl: warning:"), problem.text);
  }
  return Exit::done;
}

Exit run_feel(const Arguments& arguments) {
  const bool batch = arguments.has("--batch");
  const bool has_text = !arguments.words().empty();
  if (batch == has_text || (batch && (arguments.has("--vars") || arguments.has("--unary")))) {
    report({.what = batch ? "--batch stands alone" : "there is no expression",
            .why = "usage: pawl feel EXPR, or pawl feel --batch with JSON lines on standard input",
            .to_do = "see pawl help feel"});
    return Exit::usage;
  }
  return batch ? run_batch() : evaluate_one(arguments);
}

}  // namespace

const Command feel_command{
    .name = "feel",
    .summary = "evaluates a FEEL expression",
    .usage = "EXPR [--vars JSON|@file] [--unary INPUT] | --batch",
    .details =
        "Prints the value as JSON; dates, times, durations and ranges as FEEL writes them.\n"
        "What evaluates to null for a reason is explained on standard error.\n"
        "--batch reads one JSON object per line, with the members id, expr, context, kind\n"
        "(expression or unary) and input, and answers each with a line that has the id and\n"
        "value or error; temporal values are {\"@type\", \"@value\"} in both directions.\n",
    .example =
        "  $ pawl feel 'sum(for p in parts return p.price * p.count)' \\\n"
        "      --vars '{\"parts\": [{\"price\": 2.5, \"count\": 4}, {\"price\": 1, \"count\": "
        "3}]}'\n"
        "  13\n",
    .options = feel_options,
    .least_words = 0,
    .most_words = 1,
    .run = run_feel,
};

}  // namespace pawl::cli
