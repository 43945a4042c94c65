// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "feel/feel_testing.hpp"

namespace pawl::feel {
namespace {

using testing::evaluated;
using testing::expect_rows;

TEST(FeelLists, are_cut_and_put_together) {
  expect_rows({{"count([1, null])", "2"},
               {"count(5)", "1"},
               {"count(null)", "null"},
               {"is empty([])", "true"},
               {"sublist([1, 2, 3], 2)", "[2, 3]"},
               {"sublist([1, 2, 3], -2, 1)", "[2]"},
               {"sublist([1, 2, 3], 2, 5)", "null"},
               {"sublist([1], 4)", "null"},
               {"append([1], 2, [3])", "[1, 2, [3]]"},
               {"append(1, 2)", "[1, 2]"},
               {"concatenate([1], [2, 3], [])", "[1, 2, 3]"},
               {"insert before([1, 3], 2, 2)", "[1, 2, 3]"},
               {"insert before([1], 2, 9)", "[1, 9]"},
               {"insert before([1], 4, 9)", "null"},
               {"remove([1, 2, 3], -1)", "[1, 2]"},
               {"remove([], 1)", "null"},
               {"reverse([1, 2])", "[2, 1]"},
               {"flatten([1, [2, [3, []]]])", "[1, 2, 3]"},
               {"partition([1, 2, 3], 2)", "[[1, 2], [3]]"},
               {"partition([1], 0)", "null"},
               {"list replace([1, 2, 3], 2, 9)", "[1, 9, 3]"},
               {"list replace([1, 2, 3], function(item, newItem) item > 1, 0)", "[1, 0, 0]"},
               {"list replace([1], function(item, newItem) item, 0)", "null"},
               {"list replace([1], 3, 0)", "null"}});
}

TEST(FeelLists, are_searched_by_equality) {
  expect_rows({{"list contains([1, \"a\"], \"a\")", "true"},
               {"list contains([1, null], null)", "true"},
               {"list contains([[1]], [1])", "true"},
               {"index of([1, 2, 1], 1)", "[1, 3]"},
               {"index of([], 1)", "[]"},
               {"union([1, 2], [2, 3])", "[1, 2, 3]"},
               {"distinct values([1, 1.0, \"1\", null, null])", "[1, \"1\", null]"},
               {"duplicate values([1, 2, 1, 1])", "[1]"}});
}

TEST(FeelLists, are_sorted_by_any_function) {
  expect_rows(
      {{"sort([3, 1, 2], function(a, b) a < b)", "[1, 2, 3]"},
       {"sort(list: [3, 1, 2], precedes: function(a, b) a > b)", "[3, 2, 1]"},
       {"sort([3, 1, 2])", "[1, 2, 3]"},
       {"sort([{k: 2, v: \"x\"}, {k: 1, v: \"y\"}], function(a, b) a.k < b.k).v", "[\"y\", \"x\"]"},
       {"sort([1, \"a\"])", "null"},
       {"sort([1, 2], function(a, b) null)", "null"},
       {"sort([], function(a, b) a < b)", "[]"}});
  // An order that contradicts itself gives some order, not a crash.
  EXPECT_NE(evaluated("sort(for i in 1..200 return i, function(a, b) true)"), "null");
}

TEST(FeelContextFunctions, read_and_change) {
  expect_rows({{"get value({a: 1}, \"a\")", "1"},
               {"get value({a: {b: 2}}, [\"a\", \"b\"])", "2"},
               {"get value({a: 1}, \"b\")", "null"},
               {"get value({a: 1}, [])", "null"},
               {"get entries({a: 1})", "[{key: \"a\", value: 1}]"},
               {"get entries(5)", "null"},
               {"context([{key: \"a\", value: null}])", "{a: null}"},
               {"context([{key: \"a\", value: 1}, {key: \"a\", value: 2}])", "null"},
               {"context([{key: \"a\"}])", "null"},
               {"context put({a: 1}, \"b\", 2)", "{a: 1, b: 2}"},
               {"context put({a: {b: 1}}, [\"a\", \"c\"], 2)", "{a: {b: 1, c: 2}}"},
               {"context put({}, [\"a\", \"b\"], 2)", "{a: {b: 2}}"},
               {"context put({a: 1}, [\"a\", \"b\"], 2)", "null"},
               {"context put({}, null, 2)", "null"},
               {"put({}, \"a\", 1)", "{a: 1}"},
               {"context merge({a: 1, b: 1}, {b: 2})", "{a: 1, b: 2}"},
               {"context merge([{a: 1}, {c: 3}])", "{a: 1, c: 3}"},
               {"put all({a: 1}, 5)", "null"}});
}

}  // namespace
}  // namespace pawl::feel
