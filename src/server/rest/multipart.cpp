// SPDX-License-Identifier: Apache-2.0
#include "server/rest/multipart.hpp"

#include <fmt/format.h>

#include <optional>

#include "server/rest/exchange.hpp"

namespace pawl::server::rest {
namespace {

constexpr std::size_t most_parts = 1'000;
constexpr std::size_t longest_boundary = 70;  // RFC 2046, 5.1.1
constexpr std::size_t longest_headers = 8u << 10;

Error wrong_multipart(std::string text) {
  return fail(Whose::caller, Code::invalid_argument, "multipart/form-data: " + std::move(text));
}

std::string_view trimmed(std::string_view text) {
  const std::size_t from = text.find_first_not_of(" \t");
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(" \t") - from + 1);
}

// --- parameters: a; name=value; name="a quoted \"value\"" ---------------------------------------

struct Parameter {
  std::string name{};
  std::string value{};
};

// A backslash escapes only quotes and backslashes: some clients send Windows paths as they are.
std::optional<std::string> take_quoted(std::string_view& rest) {
  std::string out;
  for (std::size_t i = 1; i < rest.size(); ++i) {
    if (rest[i] == '"') {
      rest.remove_prefix(i + 1);
      return out;
    }
    const bool escape =
        rest[i] == '\\' && i + 1 < rest.size() && (rest[i + 1] == '"' || rest[i + 1] == '\\');
    if (escape) ++i;
    out += rest[i];
  }
  return std::nullopt;
}

// The next parameter after a ';'. Nothing: there is none, or it cannot be read (`rest` is left).
std::optional<Parameter> take_parameter(std::string_view& rest) {
  const std::size_t equals = rest.find('=');
  if (equals == std::string_view::npos) return std::nullopt;
  Parameter out{.name = std::string(trimmed(rest.substr(0, equals)))};
  std::string_view tail = rest.substr(equals + 1);
  tail.remove_prefix(std::min(tail.find_first_not_of(" \t"), tail.size()));
  if (tail.starts_with('"')) {
    auto quoted = take_quoted(tail);
    if (!quoted) return std::nullopt;
    out.value = std::move(*quoted);
  } else {
    const std::size_t end = std::min(tail.find(';'), tail.size());
    out.value = trimmed(tail.substr(0, end));
    tail.remove_prefix(end);
  }
  tail = trimmed(tail);
  if (!tail.empty() && tail.front() != ';') return std::nullopt;
  rest = tail.empty() ? tail : tail.substr(1);
  return out;
}

Result<std::vector<Parameter>> header_parameters(std::string_view value) {
  std::vector<Parameter> out;
  const std::size_t first = value.find(';');
  std::string_view rest =
      first == std::string_view::npos ? std::string_view() : value.substr(first + 1);
  while (!trimmed(rest).empty()) {
    auto parameter = take_parameter(rest);
    if (!parameter) return wrong_multipart(fmt::format("cannot read '{}'", value.substr(0, 200)));
    out.push_back(std::move(*parameter));
  }
  return out;
}

// --- parts --------------------------------------------------------------------------------------

// RFC 5987: UTF-8''order%20a.bpmn
std::string extended_value(std::string_view text) {
  const std::size_t quotes = text.find("''");
  return quotes == std::string_view::npos ? std::string(text)
                                          : percent_decoded(text.substr(quotes + 2));
}

Result<void> read_disposition(std::string_view value, Part& part) {
  if (!same_word(trimmed(value.substr(0, value.find(';'))), "form-data")) {
    return wrong_multipart(fmt::format("expected 'form-data', but got '{}'", value.substr(0, 200)));
  }
  PAWL_TRY(parameters, header_parameters(value));
  for (const Parameter& one : parameters) {
    if (same_word(one.name, "name")) part.name = one.value;
    if (same_word(one.name, "filename") && part.file_name.empty()) part.file_name = one.value;
    if (same_word(one.name, "filename*")) part.file_name = extended_value(one.value);
  }
  return {};
}

Result<Part> read_headers(std::string_view headers) {
  Part part;
  while (!headers.empty()) {
    const std::string_view line = headers.substr(0, headers.find("\r\n"));
    headers.remove_prefix(std::min(line.size() + 2, headers.size()));
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || colon == 0) {
      return wrong_multipart("a part has a header without a name");
    }
    if (!same_word(trimmed(line.substr(0, colon)), "content-disposition")) continue;
    PAWL_CHECK(read_disposition(trimmed(line.substr(colon + 1)), part));
  }
  if (part.name.empty()) return wrong_multipart("a part has no name in its content-disposition");
  return part;
}

enum class After : std::uint8_t { part, end };

// What follows a boundary: "--" at the end, a new line before a part.
Result<After> take_frame(std::string_view& rest) {
  if (rest.starts_with("--")) return After::end;
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
  if (!rest.starts_with("\r\n")) return wrong_multipart("a boundary is not followed by a new line");
  rest.remove_prefix(2);
  return After::part;
}

// From behind a boundary's line to the next boundary; `rest` is left behind that one.
Result<Part> take_part(std::string_view& rest, std::string_view mark) {
  Part part;
  if (rest.starts_with("\r\n"))
    return wrong_multipart("a part has no name in its content-disposition");
  const std::size_t end_of_headers = rest.substr(0, longest_headers).find("\r\n\r\n");
  if (end_of_headers == std::string_view::npos) {
    return wrong_multipart("the headers of a part do not end, or are too long");
  }
  PAWL_TRY(read, read_headers(rest.substr(0, end_of_headers)));
  part = std::move(read);
  rest.remove_prefix(end_of_headers + 2);  // an empty part is the new line of its boundary
  const std::size_t end = rest.find(mark);
  if (end == std::string_view::npos)
    return wrong_multipart("the last part has no end; was the body cut?");
  if (end >= 2) part.content = rest.substr(2, end - 2);
  rest.remove_prefix(end + mark.size());
  return part;
}

}  // namespace

Result<std::string> boundary_of(std::string_view content_type) {
  PAWL_TRY(parameters, header_parameters(content_type));
  for (Parameter& one : parameters) {
    if (!same_word(one.name, "boundary")) continue;
    if (one.value.empty() || one.value.size() > longest_boundary) break;
    return std::move(one.value);
  }
  return wrong_multipart("the content-type needs a boundary of 1 to 70 characters");
}

Result<std::vector<Part>> parse_multipart(std::string_view body, std::string_view boundary) {
  const std::string mark = fmt::format("\r\n--{}", boundary);
  std::vector<Part> parts;
  std::string_view rest = body;
  if (rest.starts_with(std::string_view(mark).substr(2))) {
    rest.remove_prefix(mark.size() - 2);
  } else {
    const std::size_t first = rest.find(mark);  // what stands before it says nothing
    if (first == std::string_view::npos)
      return wrong_multipart("the boundary is nowhere in the body");
    rest.remove_prefix(first + mark.size());
  }
  while (true) {
    PAWL_TRY(next, take_frame(rest));
    if (next == After::end) return parts;
    if (parts.size() == most_parts)
      return wrong_multipart(fmt::format("more than {} parts", most_parts));
    PAWL_TRY(part, take_part(rest, mark));
    parts.push_back(std::move(part));
  }
}

}  // namespace pawl::server::rest
