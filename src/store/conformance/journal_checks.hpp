// SPDX-License-Identifier: Apache-2.0
// The parts of the table of journal_kit.hpp, by what they are about.
#pragma once

#include "store/conformance/journal_kit.hpp"

namespace pawl::store {

void add_append_checks(std::vector<JournalCheck>& checks);
void add_read_checks(std::vector<JournalCheck>& checks);
void add_keeping_checks(std::vector<JournalCheck>& checks);  // dropping and opening again
void add_thread_checks(std::vector<JournalCheck>& checks);

}  // namespace pawl::store
