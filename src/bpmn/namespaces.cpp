// SPDX-License-Identifier: Apache-2.0
#include "bpmn/namespaces.hpp"

namespace pawl::bpmn {
namespace {

struct Known {
  std::string_view uri;
  Vocabulary vocabulary;
};

constexpr Known known[] = {
    {"http://www.omg.org/spec/BPMN/20100524/MODEL", Vocabulary::bpmn},
    {"http://www.omg.org/spec/BPMN/20100524/DI", Vocabulary::diagram},
    {"http://www.omg.org/spec/DD/20100524/DI", Vocabulary::diagram},
    {"http://www.omg.org/spec/DD/20100524/DC", Vocabulary::diagram},
    {"http://camunda.org/schema/zeebe/1.0", Vocabulary::zeebe},
    {"http://camunda.org/schema/1.0/bpmn", Vocabulary::camunda},
    {"http://activiti.org/bpmn", Vocabulary::camunda},
    {"http://flowable.org/bpmn", Vocabulary::camunda},
    {"http://www.camunda.com/fox", Vocabulary::camunda},
    {"http://pawl.dev/bpmn/1.0", Vocabulary::pawl},
    {"http://camunda.org/schema/modeler/1.0", Vocabulary::modeler},
    {"http://www.w3.org/2001/XMLSchema-instance", Vocabulary::schema},
};

}  // namespace

Vocabulary vocabulary_of(std::string_view uri) {
  for (const Known& entry : known) {
    if (entry.uri == uri) return entry.vocabulary;
  }
  return Vocabulary::other;
}

}  // namespace pawl::bpmn
