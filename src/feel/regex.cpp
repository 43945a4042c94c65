// SPDX-License-Identifier: Apache-2.0
#include "feel/regex.hpp"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "base/limits.hpp"
#include "feel/regex_translation.hpp"

namespace pawl::feel {

struct Regex::Code {
  pcre2_code* code{nullptr};
  pcre2_match_context* limits{nullptr};

  Code() = default;
  Code(const Code&) = delete;
  Code& operator=(const Code&) = delete;
  ~Code() {
    pcre2_code_free(code);
    pcre2_match_context_free(limits);
  }
};

std::optional<Regex> Regex::compile(std::string_view pattern, std::string_view letters) {
  if (pattern.size() > limits::feel_pattern_bytes) return std::nullopt;
  const auto flags = regex_flags(letters);
  if (!flags) return std::nullopt;
  const auto translated = translate_regex(pattern, *flags);
  if (!translated) return std::nullopt;

  std::uint32_t options =
      PCRE2_UTF | PCRE2_UCP | PCRE2_DOLLAR_ENDONLY | PCRE2_ALT_CIRCUMFLEX | PCRE2_NEVER_BACKSLASH_C;
  if (flags->dot_all) options |= PCRE2_DOTALL;
  if (flags->multi_line) options |= PCRE2_MULTILINE;
  if (flags->ignore_case) options |= PCRE2_CASELESS;
  int error = 0;
  PCRE2_SIZE error_at = 0;
  auto code = std::make_shared<Code>();
  code->code = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(translated->data()), translated->size(),
                             options, &error, &error_at, nullptr);
  code->limits = pcre2_match_context_create(nullptr);
  if (code->code == nullptr || code->limits == nullptr) return std::nullopt;
  pcre2_set_match_limit(code->limits, limits::feel_regex_steps);
  pcre2_set_depth_limit(code->limits, limits::feel_regex_depth);
  pcre2_set_heap_limit(code->limits, limits::feel_regex_heap_kib);
  Regex regex;
  regex.code_ = std::move(code);
  return regex;
}

Regex::Outcome Regex::search(std::string_view text, std::size_t from, Groups& groups) const {
  const std::unique_ptr<pcre2_match_data, decltype(&pcre2_match_data_free)> data(
      pcre2_match_data_create_from_pattern(code_->code, nullptr), &pcre2_match_data_free);
  if (data == nullptr) return Outcome::too_costly;
  const int found = pcre2_match(code_->code, reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(),
                                from, 0, data.get(), code_->limits);
  if (found == PCRE2_ERROR_NOMATCH) return Outcome::not_found;
  if (found == PCRE2_ERROR_MATCHLIMIT || found == PCRE2_ERROR_DEPTHLIMIT ||
      found == PCRE2_ERROR_HEAPLIMIT || found == PCRE2_ERROR_NOMEMORY) {
    return Outcome::too_costly;
  }
  if (found < 0) return Outcome::not_found;  // for example a text that is no valid UTF-8
  const PCRE2_SIZE* ends = pcre2_get_ovector_pointer(data.get());
  groups.assign(pcre2_get_ovector_count(data.get()), {});
  for (std::size_t i = 0; i < static_cast<std::size_t>(found); ++i) {
    if (ends[2 * i] == PCRE2_UNSET || ends[2 * i] > ends[2 * i + 1]) continue;
    groups[i] = {ends[2 * i], ends[2 * i + 1], true};
  }
  return Outcome::found;
}

const Regex* RegexCache::get(std::string_view pattern, std::string_view flags) {
  constexpr std::size_t most = 8;
  for (const auto& kept : kept_) {
    if (kept.pattern == pattern && kept.flags == flags) return kept.regex ? &*kept.regex : nullptr;
  }
  Kept made{std::string(pattern), std::string(flags), Regex::compile(pattern, flags)};
  if (kept_.size() < most) {
    kept_.push_back(std::move(made));
    return kept_.back().regex ? &*kept_.back().regex : nullptr;
  }
  Kept& place = kept_[next_];
  next_ = (next_ + 1) % most;
  place = std::move(made);
  return place.regex ? &*place.regex : nullptr;
}

}  // namespace pawl::feel
