// SPDX-License-Identifier: Apache-2.0
// Messages that protoc made the class of, without naming their fields: what they do not know, and
// filling them.
#pragma once

#include <google/protobuf/message.h>

#include <string>

namespace pawl::proto {

// The first message with bytes that its class does not know ("pawl.journal.Event: field 38"), or an
// empty text.
std::string unknown_in(const google::protobuf::Message& message);

// Sets every field. A field that is one of several gets all messages in turn if it is repeated
// (every event and notice), else one of them.
void fill(google::protobuf::Message& message);

}  // namespace pawl::proto
