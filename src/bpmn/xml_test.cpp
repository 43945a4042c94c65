// SPDX-License-Identifier: Apache-2.0
#include "bpmn/xml.hpp"

#include <gtest/gtest.h>

#include "base/limits.hpp"
#include "bpmn/encoding.hpp"
#include "bpmn/xml_scan.hpp"

namespace pawl::bpmn::xml {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view model = "http://www.omg.org/spec/BPMN/20100524/MODEL";

std::unique_ptr<const Document> parsed(const std::string& text) {
  auto result = parse(text);
  if (auto* problem = std::get_if<Problem>(&result)) {
    ADD_FAILURE() << problem->text;
    return nullptr;
  }
  return std::move(std::get<0>(result));
}

Problem refused(const std::string& text) {
  auto result = parse(text);
  if (auto* problem = std::get_if<Problem>(&result)) return *problem;
  ADD_FAILURE() << "it was accepted";
  return {};
}

TEST(Xml, a_vocabulary_is_known_by_its_uri_whatever_the_prefix) {
  const auto document = parsed("<q:definitions xmlns:q='" + std::string(model) +
                               "'><process xmlns='" + std::string(model) +
                               "'><q:task xmlns:q='http://elsewhere'/></process></q:definitions>");
  const Element root = document->root();
  EXPECT_TRUE(root.is("definitions"));
  const Element process = root.child("process");
  ASSERT_TRUE(process);
  EXPECT_EQ(process.first_child().vocabulary(), Vocabulary::other);  // redefined deeper
  EXPECT_EQ(process.first_child().name(), "task");
}

TEST(Xml, an_attribute_without_prefix_belongs_to_its_element) {
  const auto document =
      parsed("<a xmlns:z='http://camunda.org/schema/zeebe/1.0' id='1' z:id='2'/>");
  EXPECT_EQ(document->root().attribute("id"), "1");
  EXPECT_EQ(document->root().attribute("id", Vocabulary::zeebe), "2");
  EXPECT_TRUE(document->declares(Vocabulary::zeebe));
  EXPECT_FALSE(document->declares(Vocabulary::camunda));
}

TEST(Xml, an_undeclared_prefix_is_reported_with_its_place) {
  const auto document = parsed("<a>\n  <x:b y:c='1'/>\n</a>");
  ASSERT_EQ(document->problems().size(), 2u);
  EXPECT_EQ(document->problems()[0].rule, "xml-prefix-undeclared");
  EXPECT_EQ(document->problems()[0].place.line, 2u);
  EXPECT_EQ(document->problems()[0].place.column, 3u);
}

TEST(Xml, an_attribute_that_is_written_twice_is_reported) {
  const auto document = parsed("<a id='1' id='2'/>");
  ASSERT_EQ(document->problems().size(), 1u);
  EXPECT_EQ(document->problems()[0].rule, "xml-malformed");
}

TEST(Xml, text_in_several_pieces_is_joined_and_trimmed) {
  const auto document = parsed("<a>\n one &lt;<![CDATA[ two]]><!-- no --> three\n</a>");
  EXPECT_EQ(document->root().text(), "one < two three");
}

TEST(Xml, the_diagram_is_not_kept) {
  const auto document = parsed(
      "<a xmlns:di='http://www.omg.org/spec/BPMN/20100524/DI'><di:BPMNDiagram><di:Plane/>"
      "</di:BPMNDiagram><b/></a>");
  EXPECT_EQ(document->size(), 2u);
  EXPECT_EQ(document->root().first_child().name(), "b");
}

TEST(Xml, descendants_come_in_document_order) {
  const auto document = parsed("<a><b><c/><d><e/></d></b><f/></a>");
  std::string names;
  each_descendant(document->root(), [&](Element element) {
    names += element.name();
    return element.name() != "d";
  });
  EXPECT_EQ(names, "bcdf");
  names.clear();
  each_descendant(document->root().first_child(), [&](Element element) {
    names += element.name();
    return true;
  });
  EXPECT_EQ(names, "cde");
}

TEST(Xml, what_is_malformed_is_refused_with_line_and_column) {
  struct Row {
    const char* text;
    std::uint32_t line;
  };
  const Row rows[] = {{"", 1},         {"no xml", 1},     {"<a>\n<b></a>", 2}, {"<a", 1},
                      {"<a b=c/>", 1}, {"<a/>\n<b/>", 2}, {"<a><!-- </a>", 1}};
  for (const Row& row : rows) {
    const Problem problem = refused(row.text);
    EXPECT_EQ(problem.rule, "xml-malformed") << row.text;
    EXPECT_EQ(problem.place.line, row.line) << row.text << ": " << problem.text;
  }
}

TEST(Xml, document_types_and_entities_are_refused_at_once) {
  const char* rows[] = {
      "<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>",
      "<?xml version='1.0'?>\n<!DOCTYPE a [<!ENTITY b 'cc'><!ENTITY d '&b;&b;'>]><a>&d;</a>",
      "<!ENTITY a 'b'><a/>",
  };
  for (const char* text : rows) EXPECT_EQ(refused(text).rule, "xml-doctype") << text;
}

TEST(Xml, depth_size_and_number_of_tags_are_limited) {
  std::string deep;
  for (int i = 0; i < 10'000; ++i) deep += "<a>";
  EXPECT_EQ(refused(deep).rule, "xml-too-deep");
  EXPECT_EQ(refused(std::string(limits::xml_bytes + 1, ' ')).rule, "xml-too-large");

  std::string wide = "<a";
  for (int i = 0; i < 300; ++i) wide += " b" + std::to_string(i) + "='1'";
  const auto document = parsed(wide + "/>");
  ASSERT_FALSE(document->problems().empty());
  EXPECT_EQ(document->problems()[0].rule, "xml-too-large");
}

TEST(Xml, a_scan_is_not_fooled_by_texts_that_look_like_tags) {
  EXPECT_FALSE(scan("<a b='>' c=\"</a>\"><!-- <!DOCTYPE --><![CDATA[<!DOCTYPE]]></a>"));
  EXPECT_TRUE(scan("<a><!DOCTYPE b></a>"));
}

TEST(Encoding, knows_utf16_latin1_and_windows_1252) {
  EXPECT_EQ(*to_utf8("\xEF\xBB\xBF<a/>"sv), "<a/>");
  EXPECT_EQ(*to_utf8("\xFF\xFE<\0\xE4\0"sv), "<\xC3\xA4");
  EXPECT_EQ(*to_utf8("\xFE\xFF\0<\xD8\x3D\xDE\x00"sv), "<\xF0\x9F\x98\x80");
  EXPECT_EQ(*to_utf8("<?xml encoding='ISO-8859-1'?>\xE4"sv),
            "<?xml encoding='ISO-8859-1'?>\xC3\xA4");
  EXPECT_EQ(*to_utf8("<?xml encoding='WINDOWS-1252'?>\x80"sv),
            "<?xml encoding='WINDOWS-1252'?>\xE2\x82\xAC");
}

TEST(Encoding, refuses_what_is_not_text) {
  const std::string_view rows[] = {
      "<a>\xFF</a>"sv, "<a>\xC0\x80</a>"sv, "<a>\xED\xA0\x80</a>"sv,           "<a>\0</a>"sv,
      "\xFF\xFE<"sv,   "\xFF\xFE\0\xD8"sv,  "<?xml encoding='ebcdic'?><a/>"sv,
  };
  for (const std::string_view bytes : rows) EXPECT_FALSE(to_utf8(bytes)) << bytes;
  EXPECT_EQ(refused("<a>\n\xFF</a>").rule, "xml-encoding");
}

}  // namespace
}  // namespace pawl::bpmn::xml
