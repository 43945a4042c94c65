// SPDX-License-Identifier: Apache-2.0
// Stream: one request over HTTP/2 and its answer. The connection tells it what came and takes what
// it has to say; what that means is gRPC's or REST's. All of it on the loop of the connection.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/ledger.hpp"
#include "server/loop.hpp"

namespace pawl::server::http2 {

class Connection;

struct Field {
  std::string name{};  // in small letters
  std::string value{};
};

// The header of a request.
struct Head {
  std::string method{};
  std::string path{};           // with the query
  std::string host{};           // :authority, or the header host
  std::vector<Field> fields{};  // only those that somebody here reads
  std::size_t bytes{0};         // of all that came, as HTTP/2 counts them
  bool too_large{false};        // then not all of it is here
  bool is_all{false};           // there is no body

  std::string_view field(std::string_view name) const;  // "" if absent
  std::size_t kept_bytes() const;
};
// Of a header: the others cost a client next to nothing, and would be kept for nobody.
bool is_read_here(std::string_view name);

enum class Refusal : std::uint8_t { late, no_room, shutting_down };

class Stream : public std::enable_shared_from_this<Stream> {
 public:
  virtual ~Stream() = default;
  Loop& loop() const { return *loop_; }
  std::string peer() const;   // "" when it has ended
  std::string local() const;  // the address that the client came to
  // Bytes that the client has not made room for yet.
  std::size_t unsent() const { return output_.size() - output_taken_; }

 protected:
  // --- what the connection tells
  virtual void head_came(Head head) = 0;
  virtual void data_came() = 0;     // at the end of `input_`
  virtual void request_came() = 0;  // all of it
  virtual void refuse(Refusal why) = 0;
  virtual void shutting_down() = 0;  // who only waits need not wait on
  virtual void all_taken() {}        // there is room for more
  virtual void ended(bool cut) = 0;  // the last word; cut: not all of the answer was taken

  // --- what it says to the connection
  bool attached() const { return connection_ != nullptr; }
  bool is_over() const { return !attached() || over_; }  // nothing more can be said
  // Counts so many bytes more for the request, which has grown; false: there is no room for them.
  bool hold_request(std::size_t bytes);
  // What the request holds. Who works for it keeps this as long as something of the request; null:
  // it has no body.
  const SharePtr& request_share() const { return request_held_; }
  // The request is done with here: what it held is free, unless somebody works for it.
  void drop_request();
  void say_head(const std::vector<Field>& fields, bool is_all);
  // Both go out when `say_more` or `say_end` is called. False: there is no room for so much more.
  bool put(std::string_view prefix, std::string_view bytes);
  void say_more();
  void say_end(std::vector<Field> trailers);  // without trailers the last byte is the end
  void reset(std::uint32_t code);             // of HTTP/2

  std::string input_{};

 private:
  friend class Connection;
  void drop_answer();  // nobody will take it

  using Time = std::chrono::steady_clock::time_point;

  Connection* connection_{nullptr};
  Loop* loop_{nullptr};
  std::int32_t id_{0};
  std::optional<Share> held_{};  // for itself and its answer; from its header on
  SharePtr request_held_{};      // for the body that came
  std::string output_{};
  std::size_t output_taken_{0};
  Time began_{};
  Time taken_{};          // when something was taken last
  bool complete_{false};  // the client has said all
  bool over_{false};      // the answer is complete
  std::vector<Field> trailers_{};
};

using StreamPtr = std::shared_ptr<Stream>;

}  // namespace pawl::server::http2
