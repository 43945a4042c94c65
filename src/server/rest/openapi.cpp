// SPDX-License-Identifier: Apache-2.0
#include "server/rest/openapi.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "server/rest/version.hpp"
#include "value/json.hpp"

namespace pawl::server::rest {
namespace {

Value schema_of(std::string_view type) {
  if (type.starts_with('[')) {
    return object({{"type", "array"}, {"items", schema_of(type.substr(1, type.size() - 2))}});
  }
  if (type == "key") {
    return object({{"type", "string"}, {"pattern", "^-?[0-9]+$"}, {"maxLength", 25}});
  }
  if (type == "integer") return object({{"type", type}, {"format", "int64"}});
  if (type == "file") return object({{"type", "string"}, {"format", "binary"}});
  if (type == "any") return Value::context({});
  return object({{"type", type}});
}

Value body_schema(const Route& route) {
  std::vector<Entry> properties;
  List required;
  for (const FieldText& field : route.fields) {
    properties.push_back(
        {std::string(field.name), with(schema_of(field.type), "description", field.description)});
    if (field.required) required.emplace_back(field.name);
  }
  Value schema =
      object({{"type", "object"}, {"properties", Value::context(std::move(properties))}});
  return required.empty() ? schema : with(schema, "required", Value(std::move(required)));
}

Value request_body(const Route& route) {
  const bool required = std::any_of(route.fields.begin(), route.fields.end(),
                                    [](const auto& f) { return f.required; });
  const auto type = route.takes == Takes::form ? "multipart/form-data" : "application/json";
  return object({{"required", required},
                 {"content", object({{type, object({{"schema", body_schema(route)}})}})}});
}

Value route_parameters(const Route& route) {
  List out;
  std::string_view rest = route.path;
  for (std::size_t open = rest.find('{'); open != std::string_view::npos; open = rest.find('{')) {
    rest.remove_prefix(open + 1);
    const std::string_view name = rest.substr(0, rest.find('}'));
    out.push_back(
        object({{"name", name}, {"in", "path"}, {"required", true}, {"schema", schema_of("key")}}));
  }
  return out;
}

Value responses_of(const Route& route) {
  Value good = object({{"description", route.answer}});
  if (route.status == 200) {
    good = with(good, "content", object({{route.content_type, Value::context({})}}));
  }
  const Value bad = object(
      {{"description", "a problem"},
       {"content",
        object({{"application/problem+json",
                 object({{"schema", object({{"$ref", "#/components/schemas/Problem"}})}})}})}});
  return object({{std::to_string(route.status), good}, {"default", bad}});
}

// "POST /v2/jobs/{jobKey}/completion" as "postJobsJobKeyCompletion".
std::string operation_id(const Route& route) {
  std::string out;
  for (const char c : route.method) out += static_cast<char>(c - 'A' + 'a');
  bool upper = true;
  for (const char c : route.path.starts_with("/v2") ? route.path.substr(3) : route.path) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (letter) out += upper && c >= 'a' ? static_cast<char>(c - 'a' + 'A') : c;
    upper = !letter;
  }
  return out;
}

Value operation_of(const Route& route) {
  Value out = object({{"operationId", operation_id(route)},
                      {"tags", Value::list({route.group})},
                      {"summary", route.summary}});
  const Value parameters = route_parameters(route);
  if (!parameters.as_list().empty()) out = with(out, "parameters", parameters);
  if (route.takes != Takes::nothing) out = with(out, "requestBody", request_body(route));
  return with(out, "responses", responses_of(route));
}

Value problem_schema() {
  const Value text = schema_of("string");
  return object({{"type", "object"},
                 {"required", Value::list({"type", "title", "status", "detail", "instance"})},
                 {"properties", object({{"type", text},
                                        {"title", text},
                                        {"status", object({{"type", "integer"}})},
                                        {"detail", text},
                                        {"instance", text}})}});
}

std::string lower_case(std::string_view text) {
  std::string out;
  for (const char c : text) out += lower(c);
  return out;
}

}  // namespace

std::string openapi(const Routes& routes) {
  std::vector<Entry> paths;
  for (const Route& route : routes) {
    auto place = std::find_if(paths.begin(), paths.end(),
                              [&](const Entry& entry) { return entry.key == route.path; });
    if (place == paths.end()) {
      place = paths.insert(place, {std::string(route.path), Value::context({})});
    }
    place->value = with(place->value, lower_case(route.method), operation_of(route));
  }
  const Value info = object({{"title", "Pawl"},
                             {"version", api_version},
                             {"description", "Orchestration Cluster REST API, as Pawl has it"}});
  return to_json(
      object({{"openapi", "3.0.3"},
              {"info", info},
              {"paths", Value::context(std::move(paths))},
              {"components", object({{"schemas", object({{"Problem", problem_schema()}})}})}}));
}

}  // namespace pawl::server::rest
