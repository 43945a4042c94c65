// SPDX-License-Identifier: Apache-2.0
// Opening a journal whose files hold anything. What opens can be read, appended to, and opened
// again with the same records and the new one; what does not open is left as it was.
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "store/journal/crc32c.hpp"
#include "store/journal/segment_journal.hpp"
#include "store/memory/simulated_files.hpp"

namespace {

using namespace pawl;
using namespace pawl::store;

constexpr SegmentOptions small{.segment_bytes = 1024, .spares = 1};

void require(bool holds) {
  if (!holds) std::abort();
}

// A good journal of three segments, made once.
const std::vector<std::pair<std::string, std::string>>& good_files() {
  static const auto made = [] {
    SimulatedDisk disk;
    const auto files = disk.files();
    const auto journal = SegmentJournal::open(*files, small);
    for (int i = 0; i < 8; ++i) {
      require((*journal)->append(std::vector<std::string>{std::string(90, 'a'), "b"}).has_value());
    }
    std::vector<std::pair<std::string, std::string>> all;
    for (const std::string& name : disk.names()) all.emplace_back(name, disk.content(name));
    return all;
  }();
  return made;
}

// Chance never finds a checksum, so checksums are made right if the input asks for it.
void put_crc(std::string& content, std::size_t at, std::size_t from, std::size_t size) {
  if (from + size > content.size()) return;
  const std::uint32_t crc = crc32c(std::string_view(content).substr(from, size));
  std::memcpy(content.data() + at, &crc, sizeof crc);
}
void mend_checksums(std::string& content) {
  if (content.size() >= segment_header_bytes) put_crc(content, 60, 0, 60);
  for (std::size_t at = frames_start; at + frame_header_bytes <= content.size(); at += 8) {
    const FrameHeader header = decode_frame_header(std::string_view(content).substr(at));
    if (header.magic == frame_magic) {
      put_crc(content, at + 4, at + 8, frame_header_bytes - 8 + header.length);
    }
  }
}

// Each edit takes four bytes: file, offset (two), value. First byte: how.
void edit(SimulatedDisk& disk, const std::uint8_t* data, std::size_t size) {
  auto files = good_files();
  const bool mends = size > 0 && data[0] % 2 == 1;
  for (std::size_t i = 1; i + 4 <= size; i += 4) {
    std::string& content = files[data[i] % files.size()].second;
    content[(data[i + 1] | data[i + 2] << 8) % content.size()] = static_cast<char>(data[i + 3]);
  }
  for (auto& [name, content] : files) {
    if (mends) mend_checksums(content);
    disk.put(name, content);
  }
}

std::vector<std::string> read_all(const Journal& journal) {
  std::vector<std::string> records;
  require(journal
              .read(journal.first(),
                    [&](Position, std::string_view bytes) {
                      records.emplace_back(bytes);
                      return true;
                    })
              .has_value());
  return records;
}

void try_out(SimulatedDisk& disk) {
  std::vector<std::string> before;
  for (const std::string& name : disk.names()) before.push_back(disk.content(name));
  const auto files = disk.files();
  require(check_journal(*files).has_value());
  std::vector<std::string> records;
  {
    const auto journal = SegmentJournal::open(*files, small);
    if (!journal) {
      std::vector<std::string> after;
      for (const std::string& name : disk.names()) after.push_back(disk.content(name));
      return require(after == before);
    }
    records = read_all(**journal);
    require((*journal)->append(std::vector<std::string>{"new"}).has_value());
    records.emplace_back("new");
    require(read_all(**journal) == records);
  }
  const auto again = SegmentJournal::open(*files, small);
  require(again.has_value() && read_all(**again) == records);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  SimulatedDisk disk;
  if (size > 0 && data[0] % 4 >= 2) {
    disk.put(segment_name(position_from(1)), std::string(data + 1, data + size));
  } else {
    edit(disk, data, size);
  }
  try_out(disk);
  return 0;
}
