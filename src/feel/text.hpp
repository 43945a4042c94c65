// SPDX-License-Identifier: Apache-2.0
// Values as text: what string() gives, and the plain JSON of to json().
#pragma once

#include <string>

#include "feel/machine.hpp"

namespace pawl::feel {

// As string() gives it: strings as they are, but in quotes inside of lists and contexts.
std::string text_of(Machine& machine, const Value& value);

// "(1..10]"; strings in quotes.
std::string range_text(const Range& range);

// "2023-06-14T14:55:00+02:00[Europe/Berlin]": offset and zone, for readers that know no FEEL.
std::string iso_text(const DateTime& date_time);

// As to json() gives it: what JSON does not have is text.
std::string json_text(Machine& machine, const Value& value);

}  // namespace pawl::feel
