// SPDX-License-Identifier: Apache-2.0
#include "reflection.hpp"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/unknown_field_set.h>

#include <stdexcept>
#include <vector>

namespace pawl::proto {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::OneofDescriptor;
using google::protobuf::Reflection;

// A value has values inside it: only so deep.
constexpr int deepest = 12;

struct Fill {
  int count{0};

  void whole(Message& message, int depth);
  void one(Message& message, const FieldDescriptor& field, int depth);
  void repeated(Message& message, const FieldDescriptor& field, int depth);
  const FieldDescriptor& choose(const OneofDescriptor& choice, int depth);
};

// The first places hold the kinds without values inside.
const FieldDescriptor& Fill::choose(const OneofDescriptor& choice, int depth) {
  const int simple = choice.containing_type()->name() == "Value" && depth > deepest ? 4 : 0;
  return *choice.field(++count % (simple != 0 ? simple : choice.field_count()));
}

std::string text_for(const FieldDescriptor& field, int count) {
  return field.name() == "decimal" ? "0.5" : field.name() + " " + std::to_string(count);
}

void Fill::one(Message& message, const FieldDescriptor& field, int depth) {
  const Reflection& reflection = *message.GetReflection();
  ++count;
  switch (field.type()) {
    case FieldDescriptor::TYPE_BOOL:
      return reflection.SetBool(&message, &field, true);
    case FieldDescriptor::TYPE_UINT64:
      return reflection.SetUInt64(&message, &field, ~0ull - static_cast<unsigned>(count));
    case FieldDescriptor::TYPE_UINT32:  // also enumerations, which take one byte
      return reflection.SetUInt32(&message, &field, 1 + static_cast<unsigned>(count) % 2);
    case FieldDescriptor::TYPE_SINT32:
      return reflection.SetInt32(&message, &field, -count);
    case FieldDescriptor::TYPE_SINT64:
      return reflection.SetInt64(&message, &field, -4'000'000'000'000 - count);
    case FieldDescriptor::TYPE_STRING:
    case FieldDescriptor::TYPE_BYTES:
      return reflection.SetString(&message, &field, text_for(field, count));
    case FieldDescriptor::TYPE_MESSAGE:
      return whole(*reflection.MutableMessage(&message, &field), depth + 1);
    default:
      throw std::logic_error("a type that we do not store: " + field.full_name());
  }
}

void Fill::repeated(Message& message, const FieldDescriptor& field, int depth) {
  const Reflection& reflection = *message.GetReflection();
  if (field.type() == FieldDescriptor::TYPE_BOOL) {
    return reflection.AddBool(&message, &field, true);
  }
  if (field.type() == FieldDescriptor::TYPE_UINT32) {
    return reflection.AddUInt32(&message, &field, static_cast<unsigned>(++count));
  }
  if (field.type() == FieldDescriptor::TYPE_UINT64) {
    return reflection.AddUInt64(&message, &field, ~0ull - static_cast<unsigned>(++count));
  }
  const auto& type = *field.message_type();
  const bool variant = type.oneof_decl_count() == 1 && type.name() != "Value";
  if (!variant) return whole(*reflection.AddMessage(&message, &field), depth + 1);
  for (int i = 0; i < type.field_count(); ++i) {
    one(*reflection.AddMessage(&message, &field), *type.field(i), depth + 1);
  }
}

void Fill::whole(Message& message, int depth) {
  const auto& type = *message.GetDescriptor();
  if (type.oneof_decl_count() == 1) return one(message, choose(*type.oneof_decl(0), depth), depth);
  for (int i = 0; i < type.field_count(); ++i) {
    const FieldDescriptor& field = *type.field(i);
    field.is_repeated() ? repeated(message, field, depth) : one(message, field, depth);
  }
}

std::string unknown_inside(const Message& message, const FieldDescriptor& field) {
  const Reflection& reflection = *message.GetReflection();
  if (!field.is_repeated()) return unknown_in(reflection.GetMessage(message, &field));
  for (int i = 0; i < reflection.FieldSize(message, &field); ++i) {
    if (auto found = unknown_in(reflection.GetRepeatedMessage(message, &field, i));
        !found.empty()) {
      return found;
    }
  }
  return "";
}

}  // namespace

std::string unknown_in(const Message& message) {
  const Reflection& reflection = *message.GetReflection();
  const auto& unknown = reflection.GetUnknownFields(message);
  if (!unknown.empty()) {
    return message.GetDescriptor()->full_name() + ": field " +
           std::to_string(unknown.field(0).number());
  }
  std::vector<const FieldDescriptor*> set;
  reflection.ListFields(message, &set);
  for (const FieldDescriptor* field : set) {
    if (field->type() != FieldDescriptor::TYPE_MESSAGE) continue;
    if (auto found = unknown_inside(message, *field); !found.empty()) return found;
  }
  return "";
}

void fill(Message& message) { Fill{}.whole(message, 0); }

}  // namespace pawl::proto
