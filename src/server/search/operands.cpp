// SPDX-License-Identifier: Apache-2.0
#include "server/search/operands.hpp"

#include <fmt/format.h>

#include <charconv>

#include "server/search/bounds.hpp"
#include "value/json.hpp"
#include "value/temporal.hpp"

namespace pawl::server {
namespace {

using store::Cell;
using store::Column;
using store::Condition;
using store::Op;

enum class Sign : std::uint8_t { eq, neq, exists, in, not_in, like, gt, gte, lt, lte };

struct Operator {
  std::string_view name;
  Sign sign;
  Op op;
};
constexpr Operator operators[] = {
    {"$eq", Sign::eq, Op::in},
    {"$neq", Sign::neq, Op::not_in},
    {"$exists", Sign::exists, Op::exists},
    {"$in", Sign::in, Op::in},
    {"$notIn", Sign::not_in, Op::not_in},
    {"$like", Sign::like, Op::like},
    {"$gt", Sign::gt, Op::greater},
    {"$gte", Sign::gte, Op::at_least},
    {"$lt", Sign::lt, Op::less},
    {"$lte", Sign::lte, Op::at_most},
};

bool allows(Type type, Sign sign) {
  const bool ordered = type == Type::integer || type == Type::date;
  if (sign >= Sign::gt) return ordered;
  if (sign == Sign::not_in) return !ordered;
  if (sign == Sign::like) return type == Type::text || type == Type::word;
  return true;
}

std::string allowed_for(Type type) {
  std::vector<std::string_view> names;
  for (const Operator& one : operators) {
    if (allows(type, one.sign)) names.push_back(one.name);
  }
  return listed(names);
}

Result<Operator> operator_for(const Field& field, std::string_view name) {
  for (const Operator& one : operators) {
    if (one.name == name && allows(field.type, one.sign)) return one;
  }
  return bad_request(fmt::format("filter \"{}\" has no operator \"{}\"; it has {}", field.name,
                                 name, allowed_for(field.type)));
}

Error wrong_type(const Field& field, const Value& said, std::string_view wanted) {
  return bad_request(fmt::format("filter \"{}\" must be {}, but is {} ({})", field.name, wanted,
                                 preview(said), kind_name(said.kind())));
}

// --- values -------------------------------------------------------------------------------------

Result<Cell> key_from_value(const Field& field, const Value& said) {
  constexpr std::string_view wanted = "a key: a decimal text or a whole number";
  if (said.is_int()) return Cell(said.int_unchecked());
  if (!said.is_string()) return wrong_type(field, said, wanted);
  const std::string_view text = said.as_string();
  std::int64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  // A number that is too large is the key of nothing, as negative ones are.
  if (problem == std::errc::result_out_of_range && text.size() <= 25) return Cell(std::int64_t{-1});
  if (problem != std::errc() || end != text.data() + text.size()) {
    return wrong_type(field, said, wanted);
  }
  return Cell(number);
}

Result<Cell> date_from_value(const Field& field, const Value& said) {
  constexpr std::string_view wanted = "a date and time as in \"2030-01-31T12:00:00.000Z\"";
  if (!said.is_string()) return wrong_type(field, said, wanted);
  const auto date = parse_date_time(said.as_string());
  constexpr std::int32_t last_year = 9'999;
  if (!date || date->date.year < 0 || date->date.year > last_year) {
    return wrong_type(field, said, wanted);
  }
  return Cell(std::int64_t{to_instant(*date).time_since_epoch().count()});
}

// The same value may be written in several ways; ours is stored.
std::string stored_json(std::string_view text) {
  const auto value = parse_json(text);
  return value ? to_json(*value) : std::string(text);
}

Result<Cell> text_from_value(const Field& field, const Value& said) {
  if (!said.is_string()) return wrong_type(field, said, "a text");
  const bool json = field.column == Column::value;
  return Cell(json ? stored_json(said.as_string()) : std::string(said.as_string()));
}

Result<Cell> cell_from_value(const Field& field, const Value& said) {
  switch (field.type) {
    case Type::key:
      return key_from_value(field, said);
    case Type::date:
      return date_from_value(field, said);
    case Type::integer:
      if (!said.is_int()) return wrong_type(field, said, "a whole number");
      return Cell(said.int_unchecked());
    case Type::boolean:
      if (!said.is_boolean()) return wrong_type(field, said, "true or false");
      return Cell(std::int64_t{said.as_boolean()});
    default:
      return text_from_value(field, said);
  }
}

Result<std::vector<Cell>> cells_from_list(const Field& field, const Value& said) {
  if (!said.is_list()) return wrong_type(field, said, "a list after $in and $notIn");
  if (said.as_list().size() > bounds::values) {
    return bad_request(fmt::format("filter \"{}\" compares with {} values; the most is {}",
                                   field.name, said.as_list().size(), bounds::values));
  }
  std::vector<Cell> cells;
  for (const Value& one : said.as_list()) {
    PAWL_TRY(cell, cell_from_value(field, one));
    cells.push_back(cell);
  }
  return cells;
}

Result<std::string> pattern_from(const Field& field, const Value& said) {
  if (!said.is_string()) return wrong_type(field, said, "a text after $like");
  if (said.as_string().size() > bounds::pattern_bytes) {
    return bad_request(fmt::format("the $like of filter \"{}\" is longer than {} bytes", field.name,
                                   bounds::pattern_bytes));
  }
  return std::string(said.as_string());
}

Result<Condition> condition_from(const Field& field, const Operator& chosen, const Value& said) {
  Condition condition{.column = field.column.value_or(Column::key), .op = chosen.op};
  if (chosen.sign == Sign::exists) {
    if (!said.is_boolean()) return wrong_type(field, said, "true or false after $exists");
    if (!said.as_boolean()) condition.op = Op::absent;
  } else if (chosen.sign == Sign::in || chosen.sign == Sign::not_in) {
    PAWL_TRY(cells, cells_from_list(field, said));
    condition.values = std::move(cells);
  } else if (chosen.sign == Sign::like) {
    PAWL_TRY(pattern, pattern_from(field, said));
    condition.values = {pattern};
  } else {
    PAWL_TRY(cell, cell_from_value(field, said));
    condition.values = {cell};
  }
  return condition;
}

// --- words: a set of those that are wanted -----------------------------------------------------

Result<void> check_word(const Field& field, const Value& said) {
  std::vector<std::string_view> names;
  for (const Word& word : field.words) {
    if (said.is_string() && word.shown == said.as_string()) return {};
    if (names.empty() || names.back() != word.shown) names.push_back(word.shown);
  }
  return bad_request(fmt::format("filter \"{}\" must be one of {}, but is {}", field.name,
                                 listed(names), preview(said)));
}

Result<std::vector<std::string>> words_from(const Field& field, const Operator& chosen,
                                            const Value& said) {
  const bool several = chosen.sign == Sign::in || chosen.sign == Sign::not_in;
  if (several && !said.is_list()) return wrong_type(field, said, "a list after $in and $notIn");
  const List all = several ? said.as_list() : List{said};
  std::vector<std::string> words;
  for (const Value& one : all) {
    PAWL_CHECK(check_word(field, one));
    words.emplace_back(one.as_string());
  }
  return words;
}

Result<void> narrow(const Field& field, const Operator& chosen, const Value& said,
                    std::vector<Word>& wanted, Operands& out) {
  if (chosen.sign == Sign::exists) {
    if (!said.is_boolean()) return wrong_type(field, said, "true or false after $exists");
    if (!said.as_boolean()) wanted.clear();  // everything has one
    return {};
  }
  if (chosen.sign == Sign::like) {
    PAWL_TRY(pattern, pattern_from(field, said));
    std::erase_if(wanted, [&](const Word& word) { return !store::is_like(word.shown, pattern); });
    return {};
  }
  PAWL_TRY(words, words_from(field, chosen, said));
  const bool keep = chosen.sign == Sign::eq || chosen.sign == Sign::in;
  std::erase_if(wanted, [&](const Word& word) {
    return (std::find(words.begin(), words.end(), word.shown) != words.end()) != keep;
  });
  for (const Word& word : wanted) {
    if (keep && word.ended) out.ended = word.shown;
  }
  return {};
}

Result<Operands> read_words(const Field& field, const Value& said) {
  Operands out;
  std::vector<Word> wanted(field.words.begin(), field.words.end());
  if (!said.is_context()) {
    PAWL_CHECK(narrow(field, operators[0], said, wanted, out));
  } else {
    for (const Entry& entry : said.entries()) {
      PAWL_TRY(chosen, operator_for(field, entry.key));
      PAWL_CHECK(narrow(field, chosen, entry.value, wanted, out));
    }
  }
  // "Not ACTIVE" asks for ended ones, too, if there is nothing else.
  const bool only_ended = !wanted.empty() && std::all_of(wanted.begin(), wanted.end(),
                                                         [](const Word& one) { return one.ended; });
  if (only_ended) out.ended = wanted.front().shown;
  Condition condition{.column = field.column.value_or(Column::key)};
  for (const Word& word : wanted) condition.values.emplace_back(std::string(word.stored));
  out.conditions.push_back(std::move(condition));
  return out;
}

}  // namespace

std::string listed(const std::vector<std::string_view>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += names[i];
  }
  return text;
}

Error bad_request(std::string text) {
  return fail(Whose::caller, Code::invalid_argument, std::move(text));
}

Result<Operands> read_operands(const Field& field, const Value& said) {
  if (said.is_context() && field.ask != Ask::operators) {
    return bad_request(fmt::format("filter \"{}\" takes a plain value, not operators", field.name));
  }
  if (field.type == Type::word) return read_words(field, said);
  Operands out;
  if (!said.is_context()) {
    PAWL_TRY(condition, condition_from(field, operators[0], said));
    out.conditions.push_back(std::move(condition));
    return out;
  }
  for (const Entry& entry : said.entries()) {
    PAWL_TRY(chosen, operator_for(field, entry.key));
    PAWL_TRY(condition, condition_from(field, chosen, entry.value));
    out.conditions.push_back(std::move(condition));
  }
  return out;
}

}  // namespace pawl::server
