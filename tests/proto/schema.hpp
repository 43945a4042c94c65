// SPDX-License-Identifier: Apache-2.0
// Schema: walks the stored fields of a struct and compares each with the message of the same name
// in proto/journal.proto: number, type, repeated or not, and that neither side has a field more.
// What differs is collected as text.
#pragma once

#include <cxxabi.h>
#include <google/protobuf/descriptor.h>

#include <memory>
#include <set>
#include <string>
#include <typeinfo>
#include <vector>

#include "store/field_codec.hpp"

namespace pawl::proto {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

template <class T>
concept Message = requires(store::Encoder& v, const T& message) {
  fields(v, message);
};

template <class T>
inline constexpr bool is_variant = false;
template <class... Ts>
inline constexpr bool is_variant<std::variant<Ts...>> = true;

// "Waits.Timer", the name of a struct without our namespaces.
template <class T>
std::string message_name() {
  if constexpr (std::same_as<T, Value>) return "Value";
  if constexpr (std::same_as<T, engine::Event>) return "Event";
  if constexpr (std::same_as<T, store::Notice>) return "Notice";
  const std::unique_ptr<char, void (*)(void*)> spelled(
      abi::__cxa_demangle(typeid(T).name(), nullptr, nullptr, nullptr), std::free);
  std::string name(spelled.get());
  for (const std::string_view outer : {"pawl::engine::", "pawl::store::"}) {
    if (name.starts_with(outer)) name.erase(0, outer.size());
  }
  for (auto at = name.find("::"); at != std::string::npos; at = name.find("::")) {
    name.replace(at, 2, ".");
  }
  return name;
}

// The protobuf types that a member of type T may have.
template <class T>
std::set<FieldDescriptor::Type> types_of() {
  if constexpr (Message<T> || is_variant<T> || std::same_as<T, Value>) {
    return {FieldDescriptor::TYPE_MESSAGE};
  } else if constexpr (std::same_as<T, std::string>) {
    return {FieldDescriptor::TYPE_STRING, FieldDescriptor::TYPE_BYTES};
  } else if constexpr (std::same_as<T, Name>) {
    return {FieldDescriptor::TYPE_STRING};
  } else if constexpr (std::same_as<T, bool>) {
    return {FieldDescriptor::TYPE_BOOL};
  } else if constexpr (std::same_as<T, std::int32_t>) {
    return {FieldDescriptor::TYPE_SINT32};
  } else if constexpr (std::same_as<T, Instant>) {
    return {FieldDescriptor::TYPE_SINT64};
  } else {
    static_assert(std::is_enum_v<T> || store::Unsigned<T>);
    return {sizeof(T) == 8 ? FieldDescriptor::TYPE_UINT64 : FieldDescriptor::TYPE_UINT32};
  }
}

class Schema {
 public:
  explicit Schema(std::vector<std::string>& differences) : differences_(differences) {}

  // Compares a struct with a message, and all structs inside it. `more` counts fields of the
  // message that the struct does not list.
  template <Message T>
  void compare(const Descriptor* message, int more = 0) {
    if (!begin<T>(message) || message == message_) return;  // one inside of its own kind
    Schema inside(differences_);
    inside.message_ = message;
    T one{};
    fields(inside, one);
    if (inside.visited_ + more != message->field_count()) differ(message, "number of fields");
  }

  template <class T>
  void operator()(std::uint32_t number, const T&) {
    field<T>(number, false);
  }
  template <class T>
  void operator()(std::uint32_t number, const std::unique_ptr<T>&) {
    field<T>(number, false);
  }
  template <class T>
  void operator()(std::uint32_t number, const model::Held<T>&) {
    field<T>(number, false);
  }
  template <class T>
  void operator()(std::uint32_t number, const std::vector<T>&) {
    field<T>(number, true);
  }

 private:
  template <class T>
  bool begin(const Descriptor* message) {
    const std::string name = "pawl.journal." + message_name<T>();
    if (message == nullptr || message->full_name() != name) {
      differences_.push_back("there is no " + name + " where the code has one");
      return false;
    }
    return true;
  }

  template <class T>
  void field(std::uint32_t number, bool repeated) {
    ++visited_;
    const FieldDescriptor* found = message_->FindFieldByNumber(static_cast<int>(number));
    if (found == nullptr) return differ(message_, "no field " + std::to_string(number));
    if (!types_of<T>().contains(found->type())) differ(message_, "type of " + found->name());
    if (repeated != found->is_repeated()) differ(message_, "repetition of " + found->name());
    if (found->is_packed()) differ(message_, "packing of " + found->name());
    if constexpr (is_variant<T>) {
      alternatives(found->message_type(), T{});
    } else if constexpr (Message<T>) {
      compare<T>(found->message_type());
    } else if constexpr (std::same_as<T, Value>) {
      begin<Value>(found->message_type());
    }
  }

  template <class... Ts>
  void alternatives(const Descriptor* message, const std::variant<Ts...>&) {
    if (!begin<std::variant<Ts...>>(message)) return;
    if (message->field_count() != sizeof...(Ts)) differ(message, "number of alternatives");
    int place = 0;
    (alternative<Ts>(message, ++place), ...);
  }
  template <class T>
  void alternative(const Descriptor* message, int place) {
    const FieldDescriptor* found = message->FindFieldByNumber(place);
    if (found == nullptr) return differ(message, "no field " + std::to_string(place));
    if (found->containing_oneof() == nullptr) differ(message, found->name() + " is not in a oneof");
    compare<T>(found->message_type());
  }

  void differ(const Descriptor* message, const std::string& what) {
    differences_.push_back(message->full_name() + ": " + what);
  }

  std::vector<std::string>& differences_;
  const Descriptor* message_{nullptr};
  int visited_{0};
};

}  // namespace pawl::proto
