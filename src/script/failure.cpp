// SPDX-License-Identifier: Apache-2.0
#include "script/failure.hpp"

#include <fmt/format.h>
#include <js/ErrorReport.h>
#include <js/Exception.h>

#include <algorithm>

#include "base/limits.hpp"
#include "script/convert.hpp"
#include "script/stopped.hpp"

namespace pawl::script {
namespace {

struct Described {
  std::string message{};
  unsigned line{0};
  unsigned column{0};
  bool is_recursion{false};
};

std::string cut_text(std::string text) {
  if (text.size() <= limits::message_bytes) return text;
  std::size_t end = limits::message_bytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "…";
}

// Columns count from 1; those of the parser come from 0.
enum class Origin : std::uint8_t { parser, run };

Described describe(JSContext* cx, const JS::ExceptionStack& exception, const Program& program,
                   Origin origin) {
  JS::ErrorReportBuilder report(cx);
  if (!report.init(cx, exception, JS::ErrorReportBuilder::WithSideEffects)) {
    JS_ClearPendingException(cx);
    return {"the error could not be turned into text", 0, 0, false};
  }
  constexpr std::string_view prefix = "uncaught exception: ";
  std::string message = report.toStringResult() ? report.toStringResult().c_str() : "";
  if (message.starts_with(prefix)) message.erase(0, prefix.size());

  Described described{.message = cut_text(std::move(message))};
  const JSErrorReport& details = *report.report();
  described.is_recursion = details.exnType == JSEXN_INTERNALERR &&
                           described.message.find("too much recursion") != std::string::npos;
  // Only what is ours has a file name.
  const bool in_script = details.filename == nullptr || *details.filename == '\0';
  if (!in_script) return described;

  described.line = details.lineno;
  described.column = details.column + (origin == Origin::parser ? 1 : 0);
  // The parenthesis that we have put before an expression is not the author's.
  const bool shifted = program.mode() == Program::Mode::expression && described.line == 1;
  if (shifted && described.column > 1) --described.column;
  return described;
}

std::string placed(const Described& described) {
  if (described.line == 0) return described.message;
  return fmt::format("line {}, column {}: {}", described.line, described.column, described.message);
}

// The code, if the exception is a BpmnError.
std::optional<std::string> bpmn_error_code(JSContext* cx, JS::HandleValue exception) {
  if (!exception.isObject()) return std::nullopt;
  JS::RootedObject object(cx, &exception.toObject());
  JS::RootedValue name(cx);
  JS::RootedValue code(cx);
  bool is_bpmn_error = false;
  std::string text;
  const bool read = JS_GetProperty(cx, object, "name", &name) && name.isString() &&
                    JS_StringEqualsLiteral(cx, name.toString(), "BpmnError", &is_bpmn_error) &&
                    is_bpmn_error && JS_GetProperty(cx, object, "code", &code);
  JS::RootedString string(cx, read ? JS::ToString(cx, code) : nullptr);
  if (string && to_utf8(cx, string, limits::message_bytes, text)) return text;
  JS_ClearPendingException(cx);
  return std::nullopt;
}

}  // namespace

Failure failure_of(Machine& machine, const Program& program) {
  JSContext* cx = machine.context();
  const Environment& environment = machine.run()->environment;
  const bool pending = JS_IsExceptionPending(cx);
  const bool no_memory = pending && JS_IsThrowingOutOfMemory(cx);
  const bool refused = machine.meter() != nullptr && machine.meter()->has_refused();
  if (machine.stopped() == Machine::Stop::time) return out_of_time(environment);
  if (machine.stopped() == Machine::Stop::memory || no_memory || refused || !pending) {
    JS_ClearPendingException(cx);
    return out_of_memory(environment);
  }

  JS::ExceptionStack exception(cx);
  if (!JS::StealPendingExceptionStack(cx, &exception)) return out_of_memory(environment);
  auto code = bpmn_error_code(cx, exception.exception());
  const Described described = describe(cx, exception, program, Origin::run);
  const Code kind = described.is_recursion ? Code::budget_exceeded : Code::script_failed;
  return {fail(Whose::operators, kind, placed(described)), std::move(code)};
}

Error syntax_error(Machine& machine, const Program& program) {
  JSContext* cx = machine.context();
  JS::ExceptionStack exception(cx);
  if (!JS_IsExceptionPending(cx) || !JS::StealPendingExceptionStack(cx, &exception)) {
    return fail(Whose::caller, Code::bad_expression, "the script is too large to be compiled");
  }
  const Described described = describe(cx, exception, program, Origin::parser);
  const auto lines = std::count(program.text().begin(), program.text().end(), '\n') + 1;
  if (program.mode() == Program::Mode::expression && described.line > lines) {
    return fail(Whose::caller, Code::bad_expression,
                fmt::format("the expression \"{}\" ends too early: something is missing at its end",
                            preview(Value(program.text()))));
  }
  return fail(Whose::caller, Code::bad_expression, placed(described));
}

}  // namespace pawl::script
