// SPDX-License-Identifier: Apache-2.0
#include "script/context_object.hpp"
#include "base/limits.hpp"

#include <js/Proxy.h>
#include <js/friend/ErrorMessages.h>
#include <jsfriendapi.h>

#include <string>

#include "base/limits.hpp"
#include "script/convert.hpp"
#include "script/machine.hpp"

namespace pawl::script {
namespace {

const char handler_family = 0;

Handover& handover(JSContext* cx) { return Machine::of(cx).run()->handover; }

// False for symbols: they are no variables.
bool name_of(JSContext* cx, JS::HandleId id, std::string& out) {
  if (id.isSymbol()) return false;
  JS::RootedValue key(cx);
  if (!JS_IdToValue(cx, id, &key)) return false;
  JS::RootedString string(cx, JS::ToString(cx, key));
  return string && to_utf8(cx, string, limits::script_name_bytes, out);
}

// The handler's base has no virtual destructor; ours is never deleted through it.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wnon-virtual-dtor"
class ContextHandler final : public js::BaseProxyHandler {
 public:
  constexpr ContextHandler() : BaseProxyHandler(&handler_family) {}

  bool getOwnPropertyDescriptor(
      JSContext* cx, JS::HandleObject, JS::HandleId id,
      JS::MutableHandle<mozilla::Maybe<JS::PropertyDescriptor>> descriptor) const override {
    JS::RootedValue value(cx);
    bool found = false;
    if (!find(cx, id, &value, &found)) return false;
    if (found) {
      descriptor.set(mozilla::Some(JS::PropertyDescriptor::Data(
          value, {JS::PropertyAttribute::Configurable, JS::PropertyAttribute::Enumerable,
                  JS::PropertyAttribute::Writable})));
    } else {
      descriptor.reset();
    }
    return true;
  }

  bool defineProperty(JSContext* cx, JS::HandleObject, JS::HandleId id,
                      JS::Handle<JS::PropertyDescriptor> descriptor,
                      JS::ObjectOpResult& result) const override {
    if (descriptor.isAccessorDescriptor()) return result.fail(JSMSG_CANT_REDEFINE_PROP);
    JS::RootedValue value(cx, descriptor.hasValue() ? descriptor.value() : JS::UndefinedValue());
    return assign(cx, id, value, result);
  }

  // Only what the script has touched: there is no list of all variables.
  bool ownPropertyKeys(JSContext* cx, JS::HandleObject,
                       JS::MutableHandleIdVector keys) const override {
    const std::vector<std::string> names = handover(cx).touched();
    JS::RootedId key(cx);
    for (const std::string& name : names) {
      bool found = false;
      if (!handover(cx).has(cx, name, &found)) return false;
      if (!found) continue;
      JS::RootedString string(cx, to_js_string(cx, name));
      if (!string || !JS_StringToId(cx, string, &key) || !keys.append(key)) return false;
    }
    return true;
  }

  // A variable cannot be removed by a script; it becomes null.
  bool delete_(JSContext* cx, JS::HandleObject, JS::HandleId id,
               JS::ObjectOpResult& result) const override {
    JS::RootedValue null(cx, JS::NullValue());
    JS::RootedValue value(cx);
    bool found = false;
    if (!find(cx, id, &value, &found)) return false;
    return found ? assign(cx, id, null, result) : result.succeed();
  }

  bool has(JSContext* cx, JS::HandleObject proxy, JS::HandleId id, bool* found) const override {
    JS::RootedValue value(cx);
    if (!find(cx, id, &value, found) || *found) return *found || !JS_IsExceptionPending(cx);
    JS::RootedObject proto(cx);
    return JS_GetPrototype(cx, proxy, &proto) &&
           (!proto || JS_HasPropertyById(cx, proto, id, found));
  }

  bool get(JSContext* cx, JS::HandleObject proxy, JS::HandleValue receiver, JS::HandleId id,
           JS::MutableHandleValue value) const override {
    bool found = false;
    if (!find(cx, id, value, &found)) return false;
    if (found) return true;
    value.setUndefined();
    JS::RootedObject proto(cx);
    return JS_GetPrototype(cx, proxy, &proto) &&
           (!proto || JS_ForwardGetPropertyTo(cx, proto, id, receiver, value));
  }

  bool set(JSContext* cx, JS::HandleObject, JS::HandleId id, JS::HandleValue value, JS::HandleValue,
           JS::ObjectOpResult& result) const override {
    return assign(cx, id, value, result);
  }

  bool getPrototypeIfOrdinary(JSContext* cx, JS::HandleObject proxy, bool* is_ordinary,
                              JS::MutableHandleObject proto) const override {
    *is_ordinary = true;
    proto.set(js::GetStaticPrototype(proxy));
    (void)cx;
    return true;
  }

  bool preventExtensions(JSContext*, JS::HandleObject, JS::ObjectOpResult& result) const override {
    return result.fail(JSMSG_CANT_CHANGE_EXTENSIBILITY);
  }

  bool isExtensible(JSContext*, JS::HandleObject, bool* extensible) const override {
    *extensible = true;
    return true;
  }

 private:
  static bool find(JSContext* cx, JS::HandleId id, JS::MutableHandleValue value, bool* found) {
    std::string name;
    *found = false;
    if (!name_of(cx, id, name)) return !JS_IsExceptionPending(cx);
    return handover(cx).get(cx, name, value, found);
  }

  static bool assign(JSContext* cx, JS::HandleId id, JS::HandleValue value,
                     JS::ObjectOpResult& result) {
    std::string name;
    if (!name_of(cx, id, name)) {
      return JS_IsExceptionPending(cx) ? false : result.fail(JSMSG_CANT_REDEFINE_PROP);
    }
    return handover(cx).set(cx, name, value) && result.succeed();
  }
};

#pragma GCC diagnostic pop

const ContextHandler context_handler;

}  // namespace

JSObject* new_context_object(JSContext* cx) {
  JS::RootedObject proto(cx, JS::GetRealmObjectPrototype(cx));
  if (!proto) return nullptr;
  return js::NewProxyObject(cx, &context_handler, JS::UndefinedHandleValue, proto);
}

}  // namespace pawl::script
