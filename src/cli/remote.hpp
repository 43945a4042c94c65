// SPDX-License-Identifier: Apache-2.0
// Remote: a server that the commands ask, over its REST API. --server and PAWL_SERVER say where;
// PAWL_TOKEN, or PAWL_USER and PAWL_PASSWORD, sign in.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/time.hpp"
#include "cli/command.hpp"
#include "value/value.hpp"

namespace pawl::cli {

inline constexpr Option server_option{
    .name = "--server",
    .value = "ADDR",
    .help = "the server; default 127.0.0.1:26500 or $PAWL_SERVER; https://… for TLS"};

class Remote {
 public:
  // Error invalid_argument: no address. It connects when first asked.
  static Result<Remote> of(const Arguments& arguments);
  ~Remote();
  Remote(Remote&&) noexcept;
  Remote& operator=(Remote&&) noexcept;

  // The JSON of the answer, null if it has none. An error has the server's sentence; error
  // store_unavailable if nobody answers.
  Result<Value> get(const std::string& path);
  Result<Value> post(const std::string& path, const Value& body);
  Result<Value> put(const std::string& path, const Value& body);
  Result<Value> patch(const std::string& path, const Value& body);
  Result<Value> send(std::string_view method, const std::string& path, const std::string& body,
                     const std::string& content_type);
  Result<std::string> get_text(const std::string& path);
  const std::string& address() const;
  int status() const;  // of the last answer, as HTTP has it; 0: there was none
  // How long an answer may take; 30 s if it is not set.
  void wait_for(Millis most);

 private:
  struct Inside;
  explicit Remote(std::unique_ptr<Inside> inside);
  std::unique_ptr<Inside> inside_;
};

// The member as text, a number as its digits; empty if it is absent or null.
std::string text_of(const Value& object, std::string_view name);

// As a part of a path or query.
std::string percent_encoded(std::string_view text);

// All items of a search, page by page.
Result<void> search_all(Remote& remote, const std::string& path, const Value& filter,
                        const std::function<void(const Value& item)>& each);

// All rows of one of our own lists, page by page. `path` ends where the next part of its query can
// stand.
Result<void> list_all(Remote& remote, const std::string& path,
                      const std::function<void(const Value& row)>& each);

// Prints nothing, or the answer with --json, and gives the exit code.
Exit finish(const Arguments& arguments, const Result<Value>& answer, const std::string& done);

}  // namespace pawl::cli
