// SPDX-License-Identifier: Apache-2.0
// The raw log: how many turns per second can be made durable, and what a turn costs in processor
// time, against SQLite with the same bytes in the same groups. Then what a file that is prepared by
// another thread saves. Argument: a directory on the disk that is meant; else the temporary one.
#include "raw/commits.hpp"

namespace {

using namespace pawl;
using namespace pawl::bench;

void print(const char* what, const Shape& shape, const Figures& figures) {
  fmt::print("{:<20} {:>6} {:>7} {:>11.0f} {:>9.2f} {:>10.2f} {:>11.1f}\n", what, shape.bytes,
             shape.batch, figures.per_second, figures.micros, figures.median, figures.longest);
}

}  // namespace

int main(int count, char** arguments) {
  const std::string parent = count > 1 ? arguments[1] : "";
  const double seconds = 3;
  fmt::print("durable turns, one thread, one commit after the other\n\n");
  fmt::print("{:<20} {:>6} {:>7} {:>11} {:>9} {:>10} {:>11}\n", "", "bytes", "turns", "turns per",
             "µs of CPU", "ms median", "ms longest");
  fmt::print("{:<20} {:>6} {:>7} {:>11} {:>9} {:>10} {:>11}\n", "", "each", "/commit", "second",
             "per turn", "/commit", "commit");
  bool faster = true;
  for (const Shape shape :
       {Shape{200, 256}, Shape{200, 1024}, Shape{1024, 256}, Shape{1024, 1024}}) {
    const Figures log = measure_log(parent, shape, Way::reused, seconds);
    const Figures sqlite = measure_sqlite(parent, shape, seconds);
    print("log", shape, log);
    print("SQLite", shape, sqlite);
    faster = faster && log.micros < sqlite.micros && log.per_second > sqlite.per_second;
  }
  const Shape large{1024, 1024};
  fmt::print("\na new file for every 64 MiB\n");
  print("zeroed when needed", large, measure_log(parent, large, Way::new_when_needed, 2 * seconds));
  print("prepared before", large, measure_log(parent, large, Way::new_prepared, 2 * seconds));
  fmt::print("\nthe log beats SQLite in every row: {}\n", faster ? "yes" : "NO");
  return faster ? 0 : 1;
}
