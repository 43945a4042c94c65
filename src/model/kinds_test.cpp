// SPDX-License-Identifier: Apache-2.0
#include "model/kinds.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace pawl::model {
namespace {

TEST(Kinds, every_element_kind_has_a_name_of_its_own) {
  std::set<std::string_view> names;
  for (int i = 0; i <= static_cast<int>(ElementKind::complex_gateway); ++i) {
    names.insert(name_of(static_cast<ElementKind>(i)));
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(ElementKind::complex_gateway) + 1);
}

TEST(Kinds, tags_are_written_as_in_bpmn) {
  EXPECT_EQ(tag_of(ElementKind::service_task), "serviceTask");
  EXPECT_EQ(tag_of(ElementKind::event_sub_process), "subProcess");
  EXPECT_EQ(tag_of(ElementKind::ad_hoc_sub_process), "adHocSubProcess");
}

TEST(Kinds, families_do_not_overlap) {
  for (int i = 0; i <= static_cast<int>(ElementKind::complex_gateway); ++i) {
    const auto kind = static_cast<ElementKind>(i);
    const int families = is_event(kind) + is_activity(kind) + is_gateway(kind);
    EXPECT_EQ(families, kind == ElementKind::process ? 0 : 1) << name_of(kind);
  }
}

}  // namespace
}  // namespace pawl::model
