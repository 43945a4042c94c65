// SPDX-License-Identifier: Apache-2.0
// The XML namespaces the reader knows, and the vocabulary each one stands for. Prefixes mean
// nothing; only the URI counts.
#pragma once

#include <cstdint>
#include <string_view>

namespace pawl::bpmn {

enum class Vocabulary : std::uint8_t {
  none,     // an attribute without prefix: it belongs to its element
  other,    // extensions of tools we do not know; optional by the standard, so ignored
  bpmn,     //
  diagram,  // shapes and edges
  zeebe,    //
  camunda,  // Camunda 7 and its family: Activiti, Flowable, fox
  pawl,     // our own extensions
  modeler,  // what Camunda's modeler says about the target platform
  schema,   // xsi: type and schemaLocation
};

// Of a namespace URI.
Vocabulary vocabulary_of(std::string_view uri);

}  // namespace pawl::bpmn
