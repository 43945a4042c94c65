// SPDX-License-Identifier: Apache-2.0
// Draws a process for a test: one flow per line, parts separated by two or more spaces.
//
//   dialect plain                                 (zeebe if not said)
//   start  ->  xor route                          a new element: kind and name
//   route  ->  end high   if total > 100          a condition
//   route  ->  end low    otherwise               the default flow
//   start  ->  job pay    type charge   retries 2   in x = a.b   out total = x + 1
//   start  ->  user ask   assignee =who   groups a, b   due =x   priority 5
//   start  ->  script s   = x + 1   into y        FEEL, or:  js _context.y = x + 1
//   start  ->  sub box {                          a sub-process; its lines until }
//     start  ->  end
//   }
//   box    ~>  end failed   on error E1           a boundary event; "on error" catches all
//   pay    ~>  end late     after 2d              or on message NAME  key EXPR, on signal NAME,
//                                                 at 2030-01-31T12:00:00Z, every R3/PT1M; the event
//                                                 is called pay~2d, pay~NAME …
//   pay    ~>  job remind   every R/PT1H  beside  does not interrupt
//   start  ->  catch w      on message NAME       the same words
//   handler h   on message NAME   beside {        an event sub-process, the same words; `caught
//     start  ->  end                              out` maps what its start event has caught
//   }
//
//   throw t   escalates CODE     throw t   undoes     throw t   undoes pay     end c   cancels
//   pay    =>  job refund                         what undoes it; also: handler h   on undoing {
//   box    ~>  end given-up   on cancel           of a transaction; on escalation CODE   beside
//
// Loops: each items as item   times 3   sequential   until done   collect result in results
//   index NAME   repeat [first] while again   at most 3   min 1   max 9   at once 2   join 1   join
//   none failures incident|fail|collect|tolerate 2   completion order   compact
//
// Listeners: starting TYPE   ending TYPE   before all TYPE (or =expression); those of the process
// in
//   a line of their own: process   starting TYPE
//
// Calls: call c   process child (or =expression)   version 2   tag beta   same deployment
//   pass all|none|NAME as NAME|= FEEL as NAME   take …, the same way back   business =expression
//
// Ad hoc: adhoc box   begins ["a", "b"]   ends when FEEL   waits for the rest   one by one
//   gathers FEEL in NAME {   lines with elements that nothing leads to, and flows   }
//
// Kinds: task manual job send receive user rule script sub adhoc call xor and or events (gateway)
// catch end terminate continue (as new) error(CODE) throw. The name of an end may be left out.
// Inside `box` the start event is `start` (id box.start).
#pragma once

#include <string_view>

#include "model/process.hpp"

namespace pawl::testkit {

// Throws std::invalid_argument with the line that it does not understand: a test's own mistake.
model::ProcessPtr draw(std::string_view drawing);

}  // namespace pawl::testkit
