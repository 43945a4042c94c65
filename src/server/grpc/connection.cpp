// SPDX-License-Identifier: Apache-2.0
#include "server/grpc/connection.hpp"

#include <fmt/format.h>
#include <nghttp2/nghttp2.h>

#include <utility>

#include "server/grpc/message.hpp"
#include "server/log.hpp"

namespace pawl::server::grpc {
namespace {

constexpr Millis watch_pause{5'000};
constexpr std::size_t write_bytes = 256u << 10;  // gathered for one write
constexpr std::size_t kept_bytes = 16u << 10;    // of a buffer between writes

nghttp2_nv header(std::string_view name, std::string_view value) {
  const auto bytes = [](std::string_view text) {
    return reinterpret_cast<std::uint8_t*>(const_cast<char*>(text.data()));
  };
  return {bytes(name), bytes(value), name.size(), value.size(), NGHTTP2_NV_FLAG_NONE};
}

std::string_view view_of(const std::uint8_t* bytes, std::size_t count) {
  return {reinterpret_cast<const char*>(bytes), count};
}

}  // namespace

// --- what nghttp2 calls -------------------------------------------------------------------------

struct Connection::Callbacks {
  static Connection& of(void* user) { return *static_cast<Connection*>(user); }

  static int begin_headers(nghttp2_session*, const nghttp2_frame* frame, void* user) {
    if (frame->hd.type != NGHTTP2_HEADERS || frame->headers.cat != NGHTTP2_HCAT_REQUEST) return 0;
    Connection& self = of(user);
    auto call = std::make_shared<Call>(self, frame->hd.stream_id);
    call->loop_ = &self.transport_->loop();
    call->began_ = SteadyClock::now();
    self.calls_.emplace(frame->hd.stream_id, std::move(call));
    ++self.shared_->metrics->calls;
    return 0;
  }

  static int header_came(nghttp2_session*, const nghttp2_frame* frame, const std::uint8_t* name,
                         std::size_t name_length, const std::uint8_t* value,
                         std::size_t value_length, std::uint8_t, void* user) {
    if (Call* call = of(user).find(frame->hd.stream_id)) {
      of(user).on_header(*call, view_of(name, name_length), view_of(value, value_length));
    }
    return 0;
  }

  static int frame_came(nghttp2_session*, const nghttp2_frame* frame, void* user) {
    Connection& self = of(user);
    self.greeted_ = true;  // the first frame is checked by nghttp2
    const auto found = self.calls_.find(frame->hd.stream_id);
    if (found == self.calls_.end()) return 0;
    const CallPtr call = found->second;
    const bool headers = frame->hd.type == NGHTTP2_HEADERS;
    if (headers && frame->headers.cat == NGHTTP2_HCAT_REQUEST) self.on_headers_complete(*call);
    if ((headers || frame->hd.type == NGHTTP2_DATA) && frame->hd.flags & NGHTTP2_FLAG_END_STREAM) {
      self.on_request_complete(call);
    }
    return 0;
  }

  static int data_came(nghttp2_session*, std::uint8_t, std::int32_t stream,
                       const std::uint8_t* bytes, std::size_t count, void* user) {
    if (Call* call = of(user).find(stream)) of(user).on_data(*call, view_of(bytes, count));
    return 0;
  }

  static int stream_closed(nghttp2_session*, std::int32_t stream, std::uint32_t, void* user) {
    of(user).forget(stream);
    return 0;
  }

  // The answer is complete, but the client is still sending: it need not go on.
  static int frame_sent(nghttp2_session* session, const nghttp2_frame* frame, void* user) {
    const bool last =
        frame->hd.type == NGHTTP2_HEADERS && frame->hd.flags & NGHTTP2_FLAG_END_STREAM;
    const Call* call = last ? of(user).find(frame->hd.stream_id) : nullptr;
    if (call && !call->complete_) {
      nghttp2_submit_rst_stream(session, NGHTTP2_FLAG_NONE, frame->hd.stream_id, NGHTTP2_NO_ERROR);
    }
    return 0;
  }

  static ssize_t take_output(nghttp2_session*, std::int32_t stream, std::uint8_t* into,
                             std::size_t most, std::uint32_t* flags, nghttp2_data_source*,
                             void* user) {
    Call* call = of(user).find(stream);
    if (!call) return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
    return of(user).take_output(*call, into, most, *flags);
  }

  static nghttp2_session_callbacks* table() {
    static nghttp2_session_callbacks* const callbacks = [] {
      nghttp2_session_callbacks* made = nullptr;
      nghttp2_session_callbacks_new(&made);
      nghttp2_session_callbacks_set_on_begin_headers_callback(made, begin_headers);
      nghttp2_session_callbacks_set_on_header_callback(made, header_came);
      nghttp2_session_callbacks_set_on_frame_recv_callback(made, frame_came);
      nghttp2_session_callbacks_set_on_data_chunk_recv_callback(made, data_came);
      nghttp2_session_callbacks_set_on_stream_close_callback(made, stream_closed);
      nghttp2_session_callbacks_set_on_frame_send_callback(made, frame_sent);
      return made;
    }();
    return callbacks;
  }
};

// --- life ---------------------------------------------------------------------------------------

Connection::Connection(TransportPtr transport, std::shared_ptr<Shared> shared)
    : transport_(std::move(transport)), shared_(std::move(shared)) {
  nghttp2_option* option = nullptr;
  nghttp2_option_new(&option);
  nghttp2_option_set_no_http_messaging(option, 0);
  nghttp2_session_server_new2(&session_, Callbacks::table(), this, option);
  nghttp2_option_del(option);
  ++shared_->metrics->connections;
}

Connection::~Connection() {
  --shared_->metrics->connections;
  nghttp2_session_del(session_);
}

void Connection::begin(std::string_view first_bytes) {
  const nghttp2_settings_entry settings[] = {
      {NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, shared_->limits.calls},
      {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, 256u << 10},
      {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE,
       static_cast<std::uint32_t>(shared_->limits.header_bytes)}};
  nghttp2_submit_settings(session_, NGHTTP2_FLAG_NONE, settings, std::size(settings));
  nghttp2_session_set_local_window_size(session_, NGHTTP2_FLAG_NONE, 0, 1 << 20);
  heard_ = began_ = SteadyClock::now();
  watch_ = transport_->loop().after(watch_pause, [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->look_after();
  });
  received(first_bytes);
}

void Connection::close() {
  if (std::exchange(closed_, true)) return;
  transport_->loop().cancel(watch_);
  transport_->close();
  while (!calls_.empty()) forget(calls_.begin()->first);
}

void Connection::drain() {
  if (closed_ || std::exchange(draining_, true)) return;
  const std::map<std::int32_t, CallPtr> open = calls_;
  for (const auto& [stream, call] : open) {
    if (call->on_gone && !call->finished_) {
      const auto gone = std::exchange(call->on_gone, {});
      call->fail({Status::unavailable, "the server is shutting down; connect again"});
      gone();
    }
  }
  // Not nghttp2_session_terminate_session: that sends no answers any more.
  nghttp2_submit_goaway(session_, NGHTTP2_FLAG_NONE,
                        nghttp2_session_get_last_proc_stream_id(session_), NGHTTP2_NO_ERROR,
                        nullptr, 0);
  touch();
}

void Connection::look_after() {
  if (closed_) return;
  const auto self = shared_from_this();
  const auto now = SteadyClock::now();
  const Limits& limits = shared_->limits;
  if (!greeted_ && now - began_ > limits.greeted_within) return close();
  if (writing_ && now - write_began_ > limits.sent_within) return close();
  if (now - heard_ > limits.silence) {
    if (pinged_) return close();
    pinged_ = true;
    nghttp2_submit_ping(session_, NGHTTP2_FLAG_NONE, nullptr);
  }
  const std::map<std::int32_t, CallPtr> open = shared_->received > 0 ? calls_ : decltype(calls_){};
  for (const auto& [stream, call] : open) {
    if (call->complete_ || now - call->began_ <= limits.request_within) continue;
    call->fail({Status::deadline_exceeded, "the request was not complete in time"});
  }
  touch();
  watch_ = transport_->loop().after(watch_pause, [weak = weak_from_this()] {
    if (const auto later = weak.lock()) later->look_after();
  });
}

// --- bytes --------------------------------------------------------------------------------------

void Connection::read() {
  transport_->read([self = shared_from_this()](std::string_view bytes) {
    if (bytes.empty()) return self->close();
    self->received(bytes);
  });
}

void Connection::received(std::string_view bytes) {
  if (closed_) return;
  const auto self = shared_from_this();
  heard_ = SteadyClock::now();
  pinged_ = false;
  const ssize_t taken = nghttp2_session_mem_recv(
      session_, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  if (taken < 0) {
    log::write(
        Level::warning, "a client broke the rules of HTTP/2 and was disconnected",
        {{"peer", transport_->peer()}, {"reason", nghttp2_strerror(static_cast<int>(taken))}});
    flush();
    return close();
  }
  flush();
  if (!closed_) read();
}

void Connection::touch() {
  if (closed_ || std::exchange(touched_, true)) return;
  transport_->loop().at_end([self = shared_from_this()] {
    self->touched_ = false;
    self->flush();
  });
}

void Connection::flush() {
  if (writing_ || closed_) return;
  outgoing_.clear();
  while (outgoing_.size() < write_bytes) {
    const std::uint8_t* bytes = nullptr;
    const ssize_t count = nghttp2_session_mem_send(session_, &bytes);
    if (count < 0) return close();
    if (count == 0) break;
    outgoing_.append(view_of(bytes, static_cast<std::size_t>(count)));
  }
  if (outgoing_.empty()) {
    const bool all_answered = draining_ && calls_.empty();
    const bool over = (all_answered || nghttp2_session_want_read(session_) == 0) &&
                      nghttp2_session_want_write(session_) == 0;
    if (outgoing_.capacity() > kept_bytes) outgoing_.shrink_to_fit();
    if (over) close();
    return;
  }
  writing_ = true;
  write_began_ = SteadyClock::now();
  transport_->write(outgoing_, [self = shared_from_this()](bool sent) {
    self->writing_ = false;
    if (!sent) return self->close();
    self->flush();
  });
}

Call* Connection::find(std::int32_t stream) {
  const auto found = calls_.find(stream);
  return found == calls_.end() ? nullptr : found->second.get();
}

void Connection::forget(std::int32_t stream) {
  const auto found = calls_.find(stream);
  if (found == calls_.end()) return;
  const CallPtr call = std::move(found->second);
  calls_.erase(found);
  --shared_->metrics->calls;
  drop_input(*call);
  unsent_ -= call->unsent();
  call->connection_ = nullptr;
  transport_->loop().cancel(call->deadline_);
  transport_->loop().cancel(call->timer_);
  const bool cut = !call->finished_ || call->unsent() > 0;
  const auto gone = std::exchange(call->on_gone, {});
  call->on_drained = {};
  if (cut && gone) gone();
}

// --- a request comes in -------------------------------------------------------------------------

void Connection::on_header(Call& call, std::string_view name, std::string_view value) {
  call.header_bytes_ += name.size() + value.size() + 32;
  if (call.header_bytes_ > shared_->limits.header_bytes) return;
  if (name == ":path") call.path_ = value;
  if (name == "content-type") call.content_type_ = value;
  if (name == "authorization") call.authorization_ = value;
  if (name == "grpc-encoding") call.encoding_ = value;
  if (name == "grpc-timeout") call.timeout_ = parse_timeout(value).value_or(Millis(0));
}

void Connection::on_headers_complete(Call& call) {
  if (call.header_bytes_ > shared_->limits.header_bytes) {
    return call.fail(
        {Status::resource_exhausted,
         fmt::format("the headers are larger than {} bytes", shared_->limits.header_bytes)});
  }
  if (!call.content_type_.starts_with("application/grpc")) {
    return call.fail(
        {Status::internal, "expected content-type application/grpc; REST is served over HTTP/1.1"});
  }
  if (shared_->allows && !shared_->allows(call.authorization_)) {
    return call.fail({Status::unauthenticated,
                      "sign in: send the header authorization with a token or user and password "
                      "that this server knows"});
  }
  call.authorization_.clear();
  if (call.timeout_ > Millis(0)) {
    call.deadline_ = transport_->loop().after(call.timeout_, [weak = call.weak_from_this()] {
      const CallPtr late = weak.lock();
      if (!late || late->gone()) return;
      const auto gone = std::exchange(late->on_gone, {});
      late->fail({Status::deadline_exceeded, "the deadline of the call has passed"});
      if (gone) gone();
    });
  }
}

void Connection::on_data(Call& call, std::string_view bytes) {
  if (call.finished_ || call.complete_) return;
  const Limits& limits = shared_->limits;
  if (shared_->received.fetch_add(bytes.size()) + bytes.size() > limits.received_bytes) {
    shared_->received -= bytes.size();
    return call.fail({Status::resource_exhausted, "too many large requests at once; try later"});
  }
  call.input_.append(bytes);
  if (announces_more_than(call.input_, limits.message_bytes)) {
    drop_input(call);
    call.fail({Status::resource_exhausted,
               fmt::format("the message is larger than {} bytes, the most this server takes",
                           limits.message_bytes)});
  }
}

void Connection::drop_input(Call& call) {
  shared_->received -= call.input_.size();
  call.input_ = {};
}

void Connection::on_request_complete(const CallPtr& call) {
  if (call->complete_) return;
  call->complete_ = true;
  if (call->finished_) return drop_input(*call);
  Unpacked unpacked = unpack(call->input_, call->encoding_, shared_->limits.message_bytes);
  drop_input(*call);
  if (unpacked.rejection.status != Status::ok) return call->fail(unpacked.rejection);
  call->message_ = std::move(unpacked.message);
  if (draining_) return call->fail({Status::unavailable, "the server is shutting down"});
  shared_->handle(call);
}

// --- an answer goes out -------------------------------------------------------------------------

void Connection::submit_headers(Call& call, bool only_trailers) {
  const std::string status = std::to_string(static_cast<int>(call.status_));
  const std::string text = percent_encoded(call.text_);
  std::vector<nghttp2_nv> headers{header(":status", "200"),
                                  header("content-type", "application/grpc")};
  if (only_trailers) {
    headers.push_back(header("grpc-status", status));
    if (!text.empty()) headers.push_back(header("grpc-message", text));
    nghttp2_submit_response(session_, call.stream_, headers.data(), headers.size(), nullptr);
    return;
  }
  headers.push_back(header("grpc-accept-encoding", "identity,deflate,gzip"));
  const nghttp2_data_provider source{.source = {}, .read_callback = Callbacks::take_output};
  nghttp2_submit_response(session_, call.stream_, headers.data(), headers.size(), &source);
}

void Connection::submit_trailers(Call& call) {
  const std::string status = std::to_string(static_cast<int>(call.status_));
  const std::string text = percent_encoded(call.text_);
  std::vector<nghttp2_nv> trailers{header("grpc-status", status)};
  if (!text.empty()) trailers.push_back(header("grpc-message", text));
  nghttp2_submit_trailer(session_, call.stream_, trailers.data(), trailers.size());
}

std::ptrdiff_t Connection::take_output(Call& call, std::uint8_t* into, std::size_t most,
                                       std::uint32_t& flags) {
  const std::size_t count = std::min(most, call.unsent());
  std::copy_n(call.output_.data() + call.output_taken_, count, into);
  call.output_taken_ += count;
  unsent_ -= count;
  if (call.unsent() == 0) {
    call.output_.clear();
    call.output_taken_ = 0;
    if (call.finished_) {
      flags |= NGHTTP2_DATA_FLAG_EOF | NGHTTP2_DATA_FLAG_NO_END_STREAM;
      submit_trailers(call);
      return static_cast<std::ptrdiff_t>(count);
    }
    if (call.on_drained) {
      transport_->loop().at_end([weak = call.weak_from_this()] {
        const CallPtr drained = weak.lock();
        if (drained && !drained->gone() && drained->on_drained) drained->on_drained();
      });
    }
    if (count == 0) return NGHTTP2_ERR_DEFERRED;
  }
  return static_cast<std::ptrdiff_t>(count);
}

void Connection::resume(Call& call) {
  nghttp2_session_resume_data(session_, call.stream_);
  touch();
}

void Connection::end_call(Call& call) {
  if (!call.complete_) drop_input(call);
  transport_->loop().cancel(call.deadline_);
  transport_->loop().cancel(call.timer_);
  touch();
}

// --- call ---------------------------------------------------------------------------------------

std::string Call::peer() const { return connection_ ? connection_->transport_->peer() : ""; }

void Call::after(Millis pause, Loop::Task task) {
  if (!gone()) timer_ = loop_->after(pause, std::move(task));
}

void Call::begin_output() {
  if (std::exchange(answering_, true)) return connection_->resume(*this);
  connection_->submit_headers(*this, false);
  connection_->touch();
}

void Call::send(std::string_view message) {
  if (gone()) return;
  const std::size_t before = output_.size();
  append_message(output_, message);
  connection_->unsent_ += output_.size() - before;
  if (connection_->unsent_ > connection_->shared_->limits.unsent_bytes) {
    log::write(Level::warning, "a client does not read its answers and was disconnected",
               {{"peer", peer()}});
    Connection& connection = *connection_;
    return loop_->at_end([self = connection.shared_from_this()] { self->close(); });
  }
  begin_output();
}

void Call::reply(std::string_view message) {
  if (gone()) return;
  const std::size_t before = output_.size();
  append_message(output_, message);
  connection_->unsent_ += output_.size() - before;
  end(Status::ok, {});
}

void Call::begin() {
  if (!gone() && !answering_) begin_output();
}

void Call::finish() {
  if (!gone()) end(Status::ok, {});
}

void Call::fail(const Rejection& rejection) {
  if (!gone()) end(rejection.status, rejection.text);
}

void Call::end(Status status, std::string_view text) {
  finished_ = true;
  status_ = status;
  text_ = text;
  if (unsent() == 0 && !answering_) {
    answering_ = true;
    connection_->submit_headers(*this, true);
  } else {
    begin_output();
  }
  connection_->end_call(*this);
}

}  // namespace pawl::server::grpc
