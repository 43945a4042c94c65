// SPDX-License-Identifier: Apache-2.0
#include "script/globals.hpp"

#include <js/Class.h>
#include <js/GlobalObject.h>
#include <js/PropertySpec.h>
#include <js/Realm.h>
#include <js/RealmOptions.h>
#include <js/SourceText.h>

#include <string_view>

#include "base/limits.hpp"
#include "script/context_object.hpp"
#include "script/convert.hpp"
#include "script/machine.hpp"

namespace pawl::script {
namespace {

constexpr std::string_view bpmn_error_source = R"((class BpmnError extends Error {
  constructor(code, message) {
    super(message === undefined ? String(code) : String(message));
    this.name = "BpmnError";
    this.code = String(code);
  }
}))";

// execution

bool variable_name(JSContext* cx, const JS::CallArgs& args, const char* function,
                   std::string& out) {
  if (args.requireAtLeast(cx, function, 1)) {
    JS::RootedString name(cx, JS::ToString(cx, args[0]));
    if (!name) return false;
    if (to_utf8(cx, name, limits::script_name_bytes, out)) return true;
    JS_ReportErrorASCII(cx, "the name of the variable is too long");
  }
  return false;
}

bool get_variable(JSContext* cx, unsigned count, JS::Value* values) {
  const JS::CallArgs args = JS::CallArgsFromVp(count, values);
  std::string name;
  bool found = false;
  if (!variable_name(cx, args, "getVariable", name)) return false;
  if (!Machine::of(cx).run()->handover.get(cx, name, args.rval(), &found)) return false;
  if (!found) args.rval().setNull();
  return true;
}

bool has_variable(JSContext* cx, unsigned count, JS::Value* values) {
  const JS::CallArgs args = JS::CallArgsFromVp(count, values);
  std::string name;
  bool found = false;
  if (!variable_name(cx, args, "hasVariable", name)) return false;
  if (!Machine::of(cx).run()->handover.has(cx, name, &found)) return false;
  args.rval().setBoolean(found);
  return true;
}

bool set_variable(JSContext* cx, unsigned count, JS::Value* values) {
  const JS::CallArgs args = JS::CallArgsFromVp(count, values);
  std::string name;
  if (!variable_name(cx, args, "setVariable", name)) return false;
  args.rval().setUndefined();
  return Machine::of(cx).run()->handover.set(cx, name, args.get(1));
}

const JSFunctionSpec execution_functions[] = {
    JS_FN("getVariable", get_variable, 1, 0),
    JS_FN("hasVariable", has_variable, 1, 0),
    JS_FN("setVariable", set_variable, 2, 0),
    JS_FS_END,
};

JSObject* new_execution(JSContext* cx) {
  JS::RootedObject execution(cx, JS_NewPlainObject(cx));
  if (!execution || !JS_DefineFunctions(cx, execution, execution_functions)) return nullptr;
  return execution;
}

// Math.random, from the environment's seed (SplitMix64)

bool random_number(JSContext* cx, unsigned count, JS::Value* values) {
  std::uint64_t& state = Machine::of(cx).run()->random_state;
  state += 0x9E3779B97F4A7C15u;
  std::uint64_t mixed = state;
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
  mixed ^= mixed >> 31;
  const double number = static_cast<double>(mixed >> 11) * 0x1.0p-53;
  JS::CallArgsFromVp(count, values).rval().setDouble(number);
  return true;
}

bool replace_random(JSContext* cx, JS::HandleObject global) {
  JS::RootedValue math(cx);
  if (!JS_GetProperty(cx, global, "Math", &math)) return false;
  if (!math.isObject()) return true;
  JS::RootedObject object(cx, &math.toObject());
  return JS_DefineFunction(cx, object, "random", random_number, 0, 0) != nullptr;
}

JSObject* new_bpmn_error_class(JSContext* cx) {
  JS::SourceText<mozilla::Utf8Unit> text;
  JS::CompileOptions options(cx);
  options.setFileAndLine("BpmnError", 1);
  JS::RootedValue made(cx);
  if (!text.init(cx, bpmn_error_source.data(), bpmn_error_source.size(),
                 JS::SourceOwnership::Borrowed) ||
      !JS::Evaluate(cx, options, text, &made)) {
    return nullptr;
  }
  return &made.toObject();
}

// The hook through which every name is found that the global object does not have yet.

bool define(JSContext* cx, JS::HandleObject global, JS::HandleId id, JSObject* object,
            bool* resolved) {
  JS::RootedObject made(cx, object);
  *resolved = true;
  return made && JS_DefinePropertyById(cx, global, id, made, JSPROP_RESOLVING);
}

bool resolve_own(JSContext* cx, JS::HandleObject global, JS::HandleId id, bool* resolved) {
  JS::RootedString string(cx, id.toString());
  std::string name;
  if (!to_utf8(cx, string, limits::script_name_bytes, name)) return true;
  if (name == "_context") return define(cx, global, id, new_context_object(cx), resolved);
  if (name == "execution") return define(cx, global, id, new_execution(cx), resolved);
  if (name == "BpmnError") return define(cx, global, id, new_bpmn_error_class(cx), resolved);

  JS::RootedValue value(cx);
  if (!Machine::of(cx).run()->handover.get(cx, name, &value, resolved)) return false;
  return !*resolved ||
         JS_DefinePropertyById(cx, global, id, value, JSPROP_ENUMERATE | JSPROP_RESOLVING);
}

bool resolve(JSContext* cx, JS::HandleObject global, JS::HandleId id, bool* resolved) {
  if (!JS_ResolveStandardClass(cx, global, id, resolved)) return false;
  if (!id.isString() || Machine::of(cx).run() == nullptr) return true;
  if (!*resolved) return resolve_own(cx, global, id, resolved);
  bool is_math = false;
  JS::RootedString name(cx, id.toString());
  if (!JS_StringEqualsLiteral(cx, name, "Math", &is_math)) return false;
  return !is_math || replace_random(cx, global);
}

constexpr JSClassOps global_operations = {
    nullptr,                         // addProperty
    nullptr,                         // delProperty
    nullptr,                         // enumerate
    JS_NewEnumerateStandardClasses,  // newEnumerate
    resolve,
    nullptr,  // mayResolve: any name may be a variable
    nullptr,  // finalize
    nullptr,  // call
    nullptr,  // construct
    JS_GlobalObjectTraceHook,
};

constexpr JSClass global_class = {
    "global", JSCLASS_GLOBAL_FLAGS, &global_operations, nullptr, nullptr, nullptr};

}  // namespace

JSObject* new_global(JSContext* cx, JSObject* home) {
  JS::RealmOptions options;
  if (home != nullptr) options.creationOptions().setExistingCompartment(home);
  options.creationOptions().setSharedMemoryAndAtomicsEnabled(false);
  options.behaviors().setClampAndJitterTime(true);  // by our callback, see machine.cpp
  return JS_NewGlobalObject(cx, &global_class, nullptr, JS::DontFireOnNewGlobalHook, options);
}

std::string wrapped_source(const Program& program) {
  if (program.mode() == Program::Mode::statements) return program.text();
  return "(" + program.text() + "\n)";  // on a line of its own: the text may end in a comment
}

}  // namespace pawl::script
