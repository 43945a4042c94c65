// SPDX-License-Identifier: Apache-2.0
// A fuzz target without libFuzzer: short_NAME SEEDS feeds it each file of the folder, then some
// thousand variations of them, the same in every run. `make test` runs it, so that the targets
// compile and what they found stays mended; `make fuzz` searches.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

std::uint64_t state = 88172645463325252ull;  // xorshift

std::size_t below(std::size_t bound) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return static_cast<std::size_t>(state % bound);
}

void run(const std::string& input) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

std::string varied(std::string input, const std::string& other) {
  for (std::size_t i = 1 + below(4); i > 0; --i) {
    const std::size_t at = below(input.size() + 1);
    switch (below(5)) {
      case 0:
        input.insert(at, 1, static_cast<char>(below(256)));
        break;
      case 1:
        input.erase(at, 1 + below(8));
        break;
      case 2:
        if (at < input.size()) input[at] = static_cast<char>(below(256));
        break;
      case 3:
        input.insert(at, input.substr(below(input.size() + 1), below(40)));
        break;
      default:
        input = input.substr(0, at) + other.substr(below(other.size() + 1));
    }
  }
  return input;
}

}  // namespace

int main(int count, char** words) {
  const char* asked = std::getenv("PAWL_FUZZ");
  const std::size_t times = asked ? std::strtoull(asked, nullptr, 10) : 1'000;
  std::vector<std::string> seeds{""};
  for (int i = 1; i < count; ++i) {
    if (!std::filesystem::is_directory(words[i])) continue;
    std::vector<std::filesystem::path> files;
    for (const auto& file : std::filesystem::directory_iterator(words[i])) files.push_back(file);
    std::sort(files.begin(), files.end());
    for (const auto& file : files) {
      std::ostringstream text;
      text << std::ifstream(file, std::ios::binary).rdbuf();
      seeds.push_back(text.str());
    }
  }
  for (const std::string& seed : seeds) run(seed);
  for (std::size_t i = 0; i < times; ++i) {
    run(varied(seeds[below(seeds.size())], seeds[below(seeds.size())]));
  }
  std::printf("%zu seeds, %zu variations\n", seeds.size(), times);
  return 0;
}
