// SPDX-License-Identifier: Apache-2.0
// One instance as a person wants to see it: the tree of its element instances, what each waits for,
// its incidents and variables. `pawl show` prints it, from a directory or from a server.
#pragma once

#include "base/result.hpp"
#include "engine/state.hpp"
#include "store/index.hpp"

namespace pawl::server {

// The state of an active instance, folded from what the index has.
Result<engine::Instance> state_of(const store::Index& index, const store::Past& past);

// `key`: of the instance, or of something in it. Gives
//   {instance, process, version, state, execution, id, businessId, caller, root, started, ended,
//    elements: [{key, element, kind, scope, iteration, body, done, active, failed, cancelled,
//                total, job, type, retries, retryAt, incident, called, waiting: [text],
//                waits: [{element, for}]}],  parents first; `called` is the instance that a call
//                activity waits for; a body that runs has the numbers of its iterations
//    elementsLeftOut, incidents: [what incident_value gives], incidentsLeftOut,
//    variables, variablesLeftOut}
// The lists end at a bound, and say how many are not in them: of each loop the first iterations and
// those with incidents are shown, of the variables those that fit. Error not_found if nothing has
// the key.
Result<Value> show_instance(const store::Index& index, Key key);

// How far a multi-instance body has come: {key, instance, element, done, active, failed, cancelled,
// total}. Error not_found if no body that runs has the key.
Result<Value> show_loop(const store::Index& index, Key body);

// One row of a list: {key, process, version, state, execution, id, businessId, started, ended,
// incidents}.
Value instance_value(const store::InstanceRow& row);

// An open incident, in our own words for its type, of which clients of Zeebe do not know all:
// {key, instance, element, type, message, at, job}.
Value incident_value(const store::IncidentRow& row);

// Keys are texts in JSON: they may be larger than what programs keep exactly as numbers.
Value key_value(Key key);
// "2026-01-31T12:00:00Z" as a value; null if it has not happened.
Value time_value(Instant instant);

}  // namespace pawl::server
