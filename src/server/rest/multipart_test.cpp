// SPDX-License-Identifier: Apache-2.0
#include "server/rest/multipart.hpp"

#include <gtest/gtest.h>

namespace pawl::server::rest {
namespace {

// "name[file]=content, …" or the error.
std::string read_parts(std::string_view body, std::string_view boundary = "b") {
  const auto parts = parse_multipart(body, boundary);
  if (!parts) return parts.error().text;
  std::string out;
  for (const Part& part : *parts) {
    if (!out.empty()) out += ", ";
    out += part.name + '[' + part.file_name + "]=" + std::string(part.content);
  }
  return out;
}

std::string part(std::string_view disposition, std::string_view content) {
  return "\r\n--b\r\nContent-Disposition: form-data; " + std::string(disposition) + "\r\n\r\n" +
         std::string(content);
}

TEST(Multipart, reads_what_clients_send) {
  const std::pair<std::string, std::string_view> rows[] = {
      {part("name=a", "x") + "\r\n--b--", "a[]=x"},
      {part("name=\"a\"; filename=\"f.bpmn\"", "x\r\ny") + "\r\n--b--\r\n", "a[f.bpmn]=x\r\ny"},
      {part("name=a", "") + "\r\n--b--", "a[]="},
      {part("name=a", "x--b") + "\r\n--b--", "a[]=x--b"},  // not at the start of a line
      {part("name=a", "") + "--b--", "a[]="},              // no body at all
      {part("name=a", "\r\n\r\n") + "\r\n--b--", "a[]=\r\n\r\n"},
      {part("name=a", "1") + part("name=b", "2") + "\r\n--b--", "a[]=1, b[]=2"},
      {"before" + part("name=a", "x") + "\r\n--b--after", "a[]=x"},
      {part("name=a", "x") +
           "\r\n--b  \t\r\ncontent-disposition:form-data;name=c\r\n\r\ny\r\n--b--",
       "a[]=x, c[]=y"},
      {part("filename=\"a\\\"b\\\\c.bpmn\"; name=\"q\"", "x") + "\r\n--b--", "q[a\"b\\c.bpmn]=x"},
      {part(R"(name="r"; filename="C:\dir\f.bpmn")", "x") + "\r\n--b--", R"(r[C:\dir\f.bpmn]=x)"},
      {part("name=r; filename=f; filename*=UTF-8''%C3%A9.bpmn", "x") + "\r\n--b--",
       "r[\xC3\xA9.bpmn]=x"},
      {part("NAME=a; FileName=F", "x") + "\r\n--b--", "a[F]=x"},
      {part("name=a\r\nContent-Type: application/xml\r\nX-Other: 1", "x") + "\r\n--b--", "a[]=x"},
      {"--b--", ""},
  };
  for (const auto& [body, expected] : rows) EXPECT_EQ(read_parts(body), expected) << body;
}

TEST(Multipart, refuses_what_it_cannot_be_sure_of) {
  const std::pair<std::string, std::string_view> rows[] = {
      {"", "boundary is nowhere"},
      {"--c--", "boundary is nowhere"},
      {"--bx", "not followed by a new line"},
      {"--b", "not followed by a new line"},
      {"--b\r", "not followed by a new line"},
      {"--b\n", "not followed by a new line"},
      {"--b\r\n", "do not end"},
      {"--b\r\n\r\n", "no name"},
      {"--b\r\nContent-Disposition: form-data; name=a\r\n\r\nx", "no end"},
      {"--b\r\nContent-Disposition: form-data; name=a\r\n\r\nx\r\n--b", "not followed"},
      {"--b\r\nContent-Disposition: form-data; name=a\r\n", "do not end"},
      {"--b\r\nContent-Disposition: attachment; name=a\r\n\r\nx\r\n--b--", "expected 'form-data'"},
      {"--b\r\nContent-Disposition: form-data; name=\"a\r\n\r\nx\r\n--b--", "cannot read"},
      {"--b\r\nContent-Disposition: form-data; name=\"a\"x\r\n\r\nx\r\n--b--", "cannot read"},
      {"--b\r\nContent-Disposition: form-data; name\r\n\r\nx\r\n--b--", "cannot read"},
      {"--b\r\nContent-Disposition: form-data; name=\r\n\r\nx\r\n--b--", "no name"},
      {"--b\r\nno colon\r\n\r\nx\r\n--b--", "header without a name"},
      {"--b\r\n: x\r\n\r\nx\r\n--b--", "header without a name"},
      {"--b\r\nX: " + std::string(9'000, 'x') + "\r\n\r\nx\r\n--b--", "too long"},
  };
  for (const auto& [body, expected] : rows) {
    EXPECT_NE(read_parts(body).find(expected), std::string::npos)
        << body << " -> " << read_parts(body);
  }
}

TEST(Multipart, bounds_the_number_of_parts) {
  std::string body;
  for (int i = 0; i < 1'001; ++i) body += part("name=a", "");
  EXPECT_NE(read_parts(body + "\r\n--b--").find("more than 1000 parts"), std::string::npos);
}

TEST(Multipart, cut_anywhere_is_refused) {
  const std::string whole = part("name=\"a\"; filename=\"f\"", "content") + "\r\n--b--";
  ASSERT_EQ(read_parts(whole), "a[f]=content");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(parse_multipart(std::string_view(whole).substr(0, size), "b")) << size;
  }
}

TEST(Multipart, boundary_comes_from_the_content_type) {
  const std::pair<const char*, const char*> rows[] = {
      {"multipart/form-data; boundary=abc", "abc"},
      {"multipart/form-data;boundary=\"a b\"", "a b"},
      {"multipart/form-data; charset=utf-8; BOUNDARY = abc ; x=y", "abc"},
      {"multipart/form-data", ""},
      {"multipart/form-data; boundary=", ""},
      {"multipart/form-data; boundary=\"abc", ""},
  };
  for (const auto& [type, expected] : rows) {
    EXPECT_EQ(boundary_of(type).value_or(""), expected) << type;
  }
}

}  // namespace
}  // namespace pawl::server::rest
