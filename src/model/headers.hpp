// SPDX-License-Identifier: Apache-2.0
// The headers that a worker gets with a job: those of the element, for its own job and for those of
// its listeners.
#pragma once

#include "model/process.hpp"

namespace pawl::model {

using Headers = std::vector<std::pair<std::string, std::string>>;

inline const Headers& headers_of(const Element& element) {
  static const Headers none;
  if (element.job) return element.job->headers;
  if (!element.listeners) return none;
  const Listeners& listeners = *element.listeners;
  for (const auto* jobs : {&listeners.before_all, &listeners.start, &listeners.end}) {
    if (!jobs->empty()) return jobs->front().headers;
  }
  return none;
}

}  // namespace pawl::model
