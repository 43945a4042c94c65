// SPDX-License-Identifier: Apache-2.0
// What a script helper gives up before it sees its first script. From then on the kernel ends it
// for anything but computing, taking and returning memory, and talking over its one socket: it
// cannot open a file or a connection, start a program or thread, send a signal, or make memory
// executable. It cannot get any of that back.
#pragma once

#include "base/result.hpp"

namespace pawl::script {

// For all threads of the process; there must be no need for new ones. The error is the fact alone:
// which right could not be given up, and why.
Result<void> give_up_all_rights(int socket);

}  // namespace pawl::script
