// SPDX-License-Identifier: Apache-2.0
// Replies: how the outcome of an operation becomes a response. For the handlers.
#pragma once

#include <string_view>

#include "server/rest/exchange.hpp"
#include "server/rest/problem.hpp"
#include "server/rest/route.hpp"

namespace pawl::server::rest {

inline constexpr std::string_view default_tenant = "<default>";

// What a handler needs to answer later.
struct Answering {
  RequestPtr request{};
  Answer answer{};

  void refuse(const Error& error, std::string_view command) const {
    answer(response_of(problem_of(error, command), request->path));
  }
};

// `tell` makes the response of the good case.
template <class T, class Tell>
Reply<T> replying(Answering to, std::string_view command, Tell tell) {
  return [to = std::move(to), command, tell = std::move(tell)](Result<T> result) {
    if (!result) return to.refuse(result.error(), command);
    to.answer(tell(*result));
  };
}

// 204
inline Reply<Done> replying_done(Answering to, std::string_view command) {
  return replying<Done>(std::move(to), command, [](const Done&) { return no_content(); });
}

// Does it on the pool of this kind, or answers that too much is waiting.
inline Result<void> on_pool(Context& context, Work kind, std::function<void()> work,
                            store::PatiencePtr patience = {}) {
  if (context.on_pool(kind, std::move(work), std::move(patience))) return {};
  return fail(Whose::machine, Code::busy, "too much is waiting to be done; try again in a moment");
}

// What nobody waits for any more when its turn comes is not begun.
inline std::function<void()> if_awaited(const Answering& to, const store::PatiencePtr& patience,
                                        std::function<void()> work) {
  return [to, patience, work = std::move(work)] {
    if (const auto waits = patience->check(); !waits) return to.refuse(waits.error(), "");
    work();
  };
}

// The same for a question: it has a clock, and ends when the client leaves.
inline Result<void> ask_on_pool(Context& context, Work kind, const Answering& to,
                                std::function<void()> work) {
  const auto patience = std::make_shared<store::Patience>(context.search_patience);
  if (to.request->client) to.request->client->on_gone([patience] { patience->give_up(); });
  return on_pool(context, kind, if_awaited(to, patience, std::move(work)), patience);
}

// The same for what changes something: it has all its time, but does not begin if the client left.
inline Result<void> do_on_pool(Context& context, Work kind, const Answering& to,
                               std::function<void()> work) {
  const auto patience = std::make_shared<store::Patience>();
  if (to.request->client) to.request->client->on_left([patience] { patience->give_up(); });
  return on_pool(context, kind, if_awaited(to, patience, std::move(work)), patience);
}

}  // namespace pawl::server::rest
