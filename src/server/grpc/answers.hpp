// SPDX-License-Identifier: Apache-2.0
// What the handlers of calls share: reading the request, the text of variables, passing a reply of
// the runtime on to the loop of the call.
#pragma once

#include <gateway.pb.h>
#include "base/limits.hpp"
#include "server/grpc/service.hpp"
#include "value/json.hpp"

namespace pawl::server::grpc {

namespace proto = gateway_protocol;

inline constexpr std::string_view default_tenant = "<default>";

inline Caller caller_of(const CallPtr& call) { return {call->peer()}; }

// False: the bytes are no such message, and the call was answered.
template <class Request>
bool read(const CallPtr& call, Request& request) {
  if (request.ParseFromString(call->message())) return true;
  call->fail({Status::invalid_argument,
              "the bytes of the request are no message of this call (wrong .proto?)"});
  return false;
}

// False: the result is an error, and the call was answered with it.
template <class T>
bool right(const CallPtr& call, const Result<T>& result, std::string_view command = {}) {
  if (result) return true;
  call->fail(rejection_of(result.error(), command));
  return false;
}

// A reply for the runtime: `tell(T, Response&)` fills the answer on the loop of the call. While it
// is there the request counts, also if the client has left.
template <class Response, class T, class Tell>
Reply<T> answer_with(const CallPtr& call, std::string_view command, Tell tell) {
  return [call, command, tell = std::move(tell), share = call->share()](Result<T> result) {
    call->loop().post([call, command, tell, share, result = std::move(result)] {
      if (share) share->set(0);  // it is done
      if (call->gone() || !right(call, result, command)) return;
      Response response;
      tell(*result, response);
      call->reply(response.SerializeAsString());
    });
  };
}

// For calls that answer nothing but "done".
template <class Response>
Reply<Done> answer_done(const CallPtr& call, std::string_view command) {
  return answer_with<Response, Done>(call, command, [](const Done&, Response&) {});
}

// The text of a field with variables; empty: none.
inline Result<Value> variables_of(const std::string& text) {
  if (text.empty()) return Value();
  auto value = parse_json_object(text, limits::request_values);
  if (value) return value;
  return fail(Whose::caller, Code::invalid_argument, "variables: " + value.error().text);
}

inline std::int64_t number_of(Key key) { return static_cast<std::int64_t>(number(key)); }
inline Key key_of(std::int64_t value) { return key_from(static_cast<std::uint64_t>(value)); }

template <class List>
std::vector<std::string> strings_of(const List& list) {
  return {list.begin(), list.end()};
}

// --- the handlers, by group
using Handler = void (*)(Service& service, const CallPtr& call);

void topology(Service& service, const CallPtr& call);
void deploy_resource(Service& service, const CallPtr& call);
void deploy_process(Service& service, const CallPtr& call);

void create_process_instance(Service& service, const CallPtr& call);
void create_process_instance_with_result(Service& service, const CallPtr& call);
void cancel_process_instance(Service& service, const CallPtr& call);
void migrate_process_instance(Service& service, const CallPtr& call);
void set_variables(Service& service, const CallPtr& call);
void resolve_incident(Service& service, const CallPtr& call);

void activate_jobs(Service& service, const CallPtr& call);
void stream_activated_jobs(Service& service, const CallPtr& call);
void complete_job(Service& service, const CallPtr& call);
void fail_job(Service& service, const CallPtr& call);
void throw_error(Service& service, const CallPtr& call);
void update_job_retries(Service& service, const CallPtr& call);
void update_job_timeout(Service& service, const CallPtr& call);

void publish_message(Service& service, const CallPtr& call);
void broadcast_signal(Service& service, const CallPtr& call);

void check_health(Service& service, const CallPtr& call);
void watch_health(Service& service, const CallPtr& call);

}  // namespace pawl::server::grpc
