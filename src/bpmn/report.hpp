// SPDX-License-Identifier: Apache-2.0
// Collects findings. A finding's weight depends on the rule's level and on what is being looked
// at: an executable process is judged harder than a drawing (see Level).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bpmn/read.hpp"
#include "bpmn/rules.hpp"
#include "bpmn/xml.hpp"

namespace pawl::bpmn {

// What the report is about at the moment: a process, or the file around the processes.
struct Subject {
  bool executable{true};
  bool plain{true};          // no dialect: held to the standard
  bool names_schema{false};  // the file says which schema it follows
};

class Report {
 public:
  void about(Subject subject) { subject_ = subject; }
  const Subject& subject() const { return subject_; }

  void add(Rule rule, xml::Element at, std::string text);
  void add(const xml::Problem& problem);

  bool has_errors() const { return errors_ > 0; }
  // Looking at a script may take as long as a script may run. One that did is enough: the file is
  // refused, whatever the others are.
  void stop_looking_at_scripts() { looks_at_scripts_ = false; }
  bool looks_at_scripts() const { return looks_at_scripts_; }
  // In order of place; the report is empty afterwards.
  std::vector<Finding> take();

 private:
  std::vector<Finding> findings_;
  Subject subject_{};
  std::size_t errors_{0};
  std::size_t warnings_{0};
  bool looks_at_scripts_{true};
};

// `task "pay"`, or `task at 3:5` when it has no id: how messages name an XML element.
std::string title(xml::Element element);

// "an association", "a group".
std::string with_article(std::string_view noun);

}  // namespace pawl::bpmn
