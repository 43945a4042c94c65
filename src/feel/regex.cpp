// SPDX-License-Identifier: Apache-2.0
// PCRE2 has a limit on its own steps, but one of them may walk through the whole text. So it is
// made to call back before every item of the pattern, and is charged for the items and for the way
// that the place in the text has moved since the last one.
#include "feel/regex.hpp"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <algorithm>
#include <limits>

#include "base/ascii.hpp"
#include "base/limits.hpp"
#include "feel/cost.hpp"

namespace pawl::feel {

// Members of the classes of the header, which other files see: so they cannot be anonymous.
namespace pcre {

// What one item of the pattern costs.
struct Item {
  std::uint64_t per_character{0};
  std::uint64_t at_once{0};  // before it can be seen that the item does not match
  bool is_reference{false};  // to a group: the text of a group is compared at once
};

struct FreeCode {
  void operator()(pcre2_code* code) const { pcre2_code_free(code); }
};
struct FreeContext {
  void operator()(pcre2_match_context* context) const { pcre2_match_context_free(context); }
};
struct FreeData {
  void operator()(pcre2_match_data* data) const { pcre2_match_data_free(data); }
};

}  // namespace pcre

using pcre::FreeCode;
using pcre::FreeContext;
using pcre::FreeData;
using pcre::Item;

namespace {

// Parts of a step
constexpr std::uint64_t per_search = 4 * cost::step;
constexpr std::uint64_t per_item = 160;     // with the call back
constexpr std::uint64_t per_group = 48;     // saved whenever there is a choice
constexpr std::uint64_t per_byte = 10;      // of the text, checked once and passed over
constexpr std::uint64_t per_character = 6;  // compared with another one, or with those of a group
constexpr std::uint64_t per_property = 48;  // asked for \w, \d, \p{…}
constexpr std::uint64_t per_letter = 8;     // beyond ASCII in a class, that is looked through

// The least number of repetitions: 3 in `a{3,5}`.
std::uint64_t least_count(std::string_view item) {
  const std::size_t open = item.rfind('{');
  if (open == std::string_view::npos || item.back() != '}') return 1;
  std::uint64_t count = 0;
  for (std::size_t at = open + 1; at < item.size() && is_digit(item[at]) && count < 100'000; ++at) {
    count = count * 10 + static_cast<std::uint64_t>(item[at] - '0');
  }
  return std::max<std::uint64_t>(count, 1);
}

Item item_of(std::string_view text) {
  Item item;
  if (text.empty()) return item;
  item.per_character = per_character;
  if (text.front() == '[') {
    for (const char c : text) {
      if (static_cast<unsigned char>(c) >= 0xC0) item.per_character += per_letter;
      if (c == '\\') item.per_character += per_property;
    }
  } else if (text.front() == '\\') {
    item.is_reference = text.size() > 1 && (text[1] == 'g' || text[1] == 'k');
    if (!item.is_reference) item.per_character = per_property;
  } else if (text.front() == '(') {
    item.is_reference = text.starts_with("(?P=");
  }
  item.at_once = item.per_character * least_count(text);
  return item;
}

}  // namespace

struct Regex::Code {
  std::unique_ptr<pcre2_code, FreeCode> code{};
  std::string pattern{};      // as PCRE2 has it
  std::vector<Item> items{};  // by their places in the pattern
  std::uint64_t groups{0};

  void find_items() {
    items.resize(pattern.size() + 1);
    const auto note = [](pcre2_callout_enumerate_block* block, void* self) {
      auto& made = *static_cast<Code*>(self);
      const std::string_view text(made.pattern);
      made.items[block->pattern_position] =
          item_of(text.substr(block->pattern_position, block->next_item_length));
      return 0;
    };
    pcre2_callout_enumerate(code.get(), note, this);
    std::uint32_t count = 0;
    pcre2_pattern_info(code.get(), PCRE2_INFO_CAPTURECOUNT, &count);
    groups = count;
  }
};

std::optional<Regex> Regex::compile(std::string pattern, const RegexFlags& flags) {
  std::uint32_t options = PCRE2_UTF | PCRE2_UCP | PCRE2_DOLLAR_ENDONLY | PCRE2_ALT_CIRCUMFLEX |
                          PCRE2_NEVER_BACKSLASH_C | PCRE2_AUTO_CALLOUT;
  if (flags.dot_all) options |= PCRE2_DOTALL;
  if (flags.multi_line) options |= PCRE2_MULTILINE;
  if (flags.ignore_case) options |= PCRE2_CASELESS;
  int error = 0;
  PCRE2_SIZE error_at = 0;
  auto code = std::make_shared<Code>();
  code->pattern = std::move(pattern);
  code->code.reset(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(code->pattern.data()),
                                 code->pattern.size(), options, &error, &error_at, nullptr));
  if (code->code == nullptr) return std::nullopt;
  code->find_items();
  Regex regex;
  regex.code_ = std::move(code);
  return regex;
}

std::size_t Regex::bytes() const {
  std::size_t size = 0;
  pcre2_pattern_info(code_->code.get(), PCRE2_INFO_SIZE, &size);
  return size;
}

struct RegexSearch::State {
  const Regex::Code& code;
  std::string_view text{};
  std::unique_ptr<pcre2_match_data, FreeData> data{};
  std::unique_ptr<pcre2_match_context, FreeContext> context{};
  std::size_t place{0};    // in the text, at the last item
  const Item* item{};      // the last one
  std::uint64_t parts{0};  // that are left

  bool spend(std::uint64_t cost) {
    if (cost > parts) {
      parts = 0;
      return false;
    }
    parts -= cost;
    return true;
  }

  bool spend(std::uint64_t count, std::uint64_t each) {
    return spend(each != 0 && count > parts / each ? parts + 1 : count * each);
  }

  // Before an item is tried. Other than 0: stop.
  static int before_item(pcre2_callout_block* block, void* self) {
    auto& state = *static_cast<State*>(self);
    const std::size_t here = block->current_position;
    const std::size_t moved = here > state.place ? here - state.place : state.place - here;
    const std::uint64_t each = state.item != nullptr ? state.item->per_character : 0;
    state.place = here;
    state.item = &state.code.items[block->pattern_position];
    std::uint64_t cost = per_item + per_group * state.code.groups + state.item->at_once;
    if (state.item->is_reference) cost += state.longest_group(*block) * state.item->at_once;
    return state.spend(moved, each) && state.spend(cost) ? 0 : PCRE2_ERROR_CALLOUT;
  }

  std::uint64_t longest_group(const pcre2_callout_block& block) const {
    std::uint64_t longest = code.groups;  // which are looked at for this
    for (std::uint32_t i = 1; i < block.capture_top; ++i) {
      const PCRE2_SIZE begin = block.offset_vector[2 * i];
      const PCRE2_SIZE end = block.offset_vector[2 * i + 1];
      if (begin == PCRE2_UNSET || end <= begin) continue;
      longest = std::max<std::uint64_t>(longest, std::min(end - begin, text.size() - place));
    }
    return longest;
  }
};

RegexSearch::RegexSearch(const Regex& regex, std::string_view text)
    : state_(std::make_shared<State>(State{*regex.code_, text})) {
  state_->data.reset(pcre2_match_data_create_from_pattern(state_->code.code.get(), nullptr));
  state_->context.reset(pcre2_match_context_create(nullptr));
  if (state_->context == nullptr) return;
  pcre2_set_depth_limit(state_->context.get(), limits::feel_regex_depth);
  pcre2_set_heap_limit(state_->context.get(), limits::feel_regex_heap_kib);
  pcre2_set_callout(state_->context.get(), &State::before_item, state_.get());
}

RegexSearch::Outcome RegexSearch::find(std::size_t from, Groups& groups, std::uint64_t& parts) {
  State& state = *state_;
  if (state.data == nullptr || state.context == nullptr) return Outcome::too_costly;
  state.parts = parts;
  state.place = from;
  state.item = nullptr;
  const auto spent_all = [&] {
    parts = 0;
    return Outcome::too_costly;
  };
  const bool is_first = from == 0;  // then all of the text is checked to be UTF-8
  if (!state.spend(per_search + per_group * state.code.groups) ||
      !state.spend(is_first ? state.text.size() : 0, per_byte)) {
    return spent_all();
  }
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  pcre2_set_match_limit(state.context.get(),
                        static_cast<std::uint32_t>(std::min(state.parts / per_character, most)));
  const int found = pcre2_match(
      state.code.code.get(), reinterpret_cast<PCRE2_SPTR>(state.text.data()), state.text.size(),
      from, is_first ? 0 : PCRE2_NO_UTF_CHECK, state.data.get(), state.context.get());
  parts = state.parts;
  if (found == PCRE2_ERROR_MATCHLIMIT || found == PCRE2_ERROR_DEPTHLIMIT ||
      found == PCRE2_ERROR_HEAPLIMIT || found == PCRE2_ERROR_NOMEMORY ||
      found == PCRE2_ERROR_CALLOUT) {
    return Outcome::too_costly;
  }
  const PCRE2_SIZE* ends = pcre2_get_ovector_pointer(state.data.get());
  const std::size_t passed = (found > 0 ? std::max(ends[0], from) : state.text.size()) - from;
  if (!state.spend(passed, per_byte)) return spent_all();
  parts = state.parts;
  if (found < 0) return Outcome::not_found;  // also for a text that is no valid UTF-8
  groups.assign(pcre2_get_ovector_count(state.data.get()), {});
  for (std::size_t i = 0; i < static_cast<std::size_t>(found); ++i) {
    if (ends[2 * i] == PCRE2_UNSET || ends[2 * i] > ends[2 * i + 1]) continue;
    groups[i] = {ends[2 * i], ends[2 * i + 1], true};
  }
  return Outcome::found;
}

const RegexCache::Kept* RegexCache::find(std::string_view pattern, const RegexFlags& flags) const {
  const auto found = std::find_if(kept_.begin(), kept_.end(), [&](const Kept& kept) {
    return kept.pattern == pattern && kept.flags == flags;
  });
  return found == kept_.end() ? nullptr : &*found;
}

const RegexCache::Kept& RegexCache::add(Kept kept) {
  constexpr std::size_t most = 8;
  if (kept_.size() < most) return kept_.emplace_back(std::move(kept));
  Kept& place = kept_[next_];
  next_ = (next_ + 1) % most;
  place = std::move(kept);
  return place;
}

}  // namespace pawl::feel
