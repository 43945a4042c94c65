// SPDX-License-Identifier: Apache-2.0
// PAWL_FIELDS(Type, v(1, e.first), v(2, e.second)): the fields of something that is stored, for
// both directions. Found by the type of the argument, so it stands in the namespace of the type.
#pragma once

#include <concepts>
#include <type_traits>

#define PAWL_FIELDS(Type, ...)                          \
  template <class Visit, class One>                     \
  requires std::same_as<std::remove_const_t<One>, Type> \
  void fields(Visit& v, One& e) {                       \
    static_cast<void>(v);                               \
    static_cast<void>(e);                               \
    __VA_ARGS__;                                        \
  }
