// SPDX-License-Identifier: Apache-2.0
// Exchange: one request and its response, as the handlers see them: no sockets, no HTTP syntax. A
// handler is called on the thread of the connection and must not wait; it answers exactly once, on
// any thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.hpp"
#include "server/ledger.hpp"
#include "value/value.hpp"

namespace pawl::server::rest {

struct Header {
  std::string name{};  // in any case
  std::string value{};
};

// The client of one exchange. Only on the thread of the connection, before the handler returns.
class Client {
 public:
  virtual ~Client() = default;
  // Called at most once, on the thread of the connection, if the client goes before the answer.
  virtual void on_gone(std::function<void()> gone) = 0;
  // The same, for work that a server that shuts down should finish, and that a client is answered
  // which only has closed its side.
  virtual void on_left(std::function<void()> left) = 0;
  // Called on the thread of the connection, unless the exchange is over before. One at a time.
  virtual void after(Millis pause, std::function<void()> then) = 0;
};

struct Request {
  std::string method{};
  std::string path{};   // as it was sent, without the query
  std::string query{};  // without '?'
  std::vector<Header> headers{};
  std::string body{};                // until the handler returns: who waits keeps what it needs
  std::string caller{};              // who asks, for the log
  std::shared_ptr<Client> client{};  // null: one that never goes
  std::vector<std::string> keys{};   // what stood for the {parts} of the route
  SharePtr share{};                  // kept by whoever keeps something of it; null: nobody counts

  std::string_view header(std::string_view name) const;  // "" if absent
};
using RequestPtr = std::shared_ptr<const Request>;

struct Response {
  int status{200};
  std::string content_type{};  // empty: no body
  std::string body{};
  std::vector<Header> headers{};  // besides content-type and content-length
  // Called if the response could not be sent whole.
  std::function<void()> lost{};
};

using Answer = std::function<void(Response)>;

// ASCII only, as the names of headers, media types and parameters are.
bool same_word(std::string_view a, std::string_view b);
// "a%20b" as "a b"; what is no escape stays as it is.
std::string percent_decoded(std::string_view text);
// The value of a query parameter, decoded; "" if absent.
std::string query_value(const Request& request, std::string_view name);

Response json_response(const Value& value);
Response no_content();

}  // namespace pawl::server::rest
