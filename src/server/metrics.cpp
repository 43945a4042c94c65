// SPDX-License-Identifier: Apache-2.0
#include "server/metrics.hpp"

namespace pawl::server {

std::string_view name_of(Operation operation) {
  constexpr std::string_view names[] = {"deploy",
                                        "start",
                                        "start_and_wait",
                                        "cancel",
                                        "set_variables",
                                        "resolve",
                                        "activate_jobs",
                                        "stream_jobs",
                                        "complete_job",
                                        "fail_job",
                                        "throw_error",
                                        "update_retries",
                                        "update_timeout",
                                        "publish",
                                        "correlate",
                                        "broadcast",
                                        "add_iterations",
                                        "end_loop",
                                        "remove_iteration",
                                        "activate_activities",
                                        "complete_ad_hoc",
                                        "migrate",
                                        "search"};
  static_assert(std::size(names) == static_cast<std::size_t>(Operation::count_));
  return names[static_cast<std::size_t>(operation)];
}

}  // namespace pawl::server
