// SPDX-License-Identifier: Apache-2.0
#include "server/http2/connection.hpp"

#include <utility>

#include "server/http2/frames.hpp"
#include "server/log.hpp"

namespace pawl::server::http2 {
namespace {

constexpr std::size_t write_bytes = 256u << 10;     // gathered for one write
constexpr std::size_t kept_bytes = 16u << 10;       // of a buffer between writes
constexpr std::size_t most_meanwhile = 256u << 10;  // read while a write takes its time
constexpr std::size_t compacted_bytes = 64u << 10;  // of an answer that were taken
constexpr std::int32_t connection_window = 1 << 20;
constexpr std::uint32_t stream_window = 256u << 10;

}  // namespace

// --- what nghttp2 calls -------------------------------------------------------------------------

struct Connection::Callbacks {
  static Connection& of(void* user) { return *static_cast<Connection*>(user); }

  static bool is_request(const nghttp2_frame* frame) {
    return frame->hd.type == NGHTTP2_HEADERS && frame->headers.cat == NGHTTP2_HCAT_REQUEST;
  }

  static int frame_begins(nghttp2_session*, const nghttp2_frame_hd* frame, void* user) {
    of(user).weigh(*frame);
    return 0;
  }

  static int begin_headers(nghttp2_session*, const nghttp2_frame* frame, void* user) {
    if (is_request(frame)) of(user).head_ = {};
    return 0;
  }

  static int header_came(nghttp2_session*, const nghttp2_frame* frame, const std::uint8_t* name,
                         std::size_t name_length, const std::uint8_t* value,
                         std::size_t value_length, std::uint8_t, void* user) {
    Connection& self = of(user);
    self.weigh_header(name_length + value_length);
    if (is_request(frame)) {
      self.on_header(view_of(name, name_length), view_of(value, value_length));
    }
    // The rest of it is not unpacked: checking its letters is what takes the time.
    return self.deaf_ ? NGHTTP2_ERR_CALLBACK_FAILURE : 0;
  }

  static int frame_came(nghttp2_session*, const nghttp2_frame* frame, void* user) {
    Connection& self = of(user);
    self.greeted_ = true;  // the first frame is checked by nghttp2
    const bool last = frame->hd.flags & NGHTTP2_FLAG_END_STREAM;
    if (is_request(frame)) self.on_head(frame->hd.stream_id, last);
    const bool may_be_last = frame->hd.type == NGHTTP2_HEADERS || frame->hd.type == NGHTTP2_DATA;
    if (may_be_last && last) {
      if (const StreamPtr stream = self.find(frame->hd.stream_id)) self.on_request(stream);
    }
    return 0;
  }

  // A frame of a kind that nobody knows: it is nothing but weighed.
  static int unknown_came(nghttp2_session*, void**, const nghttp2_frame_hd*, void*) {
    return NGHTTP2_ERR_CANCEL;
  }

  static int data_came(nghttp2_session*, std::uint8_t, std::int32_t id, const std::uint8_t* bytes,
                       std::size_t count, void* user) {
    of(user).on_data(id, view_of(bytes, count));
    return 0;
  }

  static int stream_closed(nghttp2_session*, std::int32_t id, std::uint32_t, void* user) {
    of(user).forget(id);
    return 0;
  }

  // A reset that the client made necessary: as much work as one that it sends itself.
  static bool is_mistake(std::uint32_t code) {
    return code != NGHTTP2_NO_ERROR && code != NGHTTP2_CANCEL && code != NGHTTP2_ENHANCE_YOUR_CALM;
  }

  static int frame_sent(nghttp2_session* session, const nghttp2_frame* frame, void* user) {
    Connection& self = of(user);
    const auto type = frame->hd.type;
    if (type == NGHTTP2_GOAWAY && self.deaf_) self.has_left_ = true;
    if (type == NGHTTP2_DATA && frame->hd.length > 0) self.patience_.earn(flood::back_per_answer);
    if (type == NGHTTP2_RST_STREAM && is_mistake(frame->rst_stream.error_code)) {
      self.spend(self.patience_, flood::mistake, "mistakes");
    }
    // The answer is complete, but the client is still sending: it need not go on.
    const bool last = (type == NGHTTP2_HEADERS || type == NGHTTP2_DATA) &&
                      frame->hd.flags & NGHTTP2_FLAG_END_STREAM;
    const StreamPtr stream = last ? self.find(frame->hd.stream_id) : nullptr;
    if (stream && !stream->complete_) {
      nghttp2_submit_rst_stream(session, NGHTTP2_FLAG_NONE, frame->hd.stream_id, NGHTTP2_NO_ERROR);
    }
    return 0;
  }

  static ssize_t take_output(nghttp2_session*, std::int32_t id, std::uint8_t* into,
                             std::size_t most, std::uint32_t* flags, nghttp2_data_source*,
                             void* user) {
    const StreamPtr stream = of(user).find(id);
    if (!stream) return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
    return of(user).take(*stream, into, most, *flags);
  }

  static nghttp2_session_callbacks* table() {
    static nghttp2_session_callbacks* const callbacks = [] {
      nghttp2_session_callbacks* made = nullptr;
      nghttp2_session_callbacks_new(&made);
      nghttp2_session_callbacks_set_on_begin_frame_callback(made, frame_begins);
      nghttp2_session_callbacks_set_on_begin_headers_callback(made, begin_headers);
      nghttp2_session_callbacks_set_on_header_callback(made, header_came);
      nghttp2_session_callbacks_set_on_frame_recv_callback(made, frame_came);
      nghttp2_session_callbacks_set_unpack_extension_callback(made, unknown_came);
      nghttp2_session_callbacks_set_on_data_chunk_recv_callback(made, data_came);
      nghttp2_session_callbacks_set_on_stream_close_callback(made, stream_closed);
      nghttp2_session_callbacks_set_on_frame_send_callback(made, frame_sent);
      return made;
    }();
    return callbacks;
  }

  static nghttp2_option* options() {
    static nghttp2_option* const options = [] {
      nghttp2_option* made = nullptr;
      nghttp2_option_new(&made);
      nghttp2_option_set_no_http_messaging(made, 0);
      nghttp2_option_set_no_auto_window_update(made, 1);
      for (int type = NGHTTP2_CONTINUATION + 1; type < 256; ++type) {
        nghttp2_option_set_user_recv_extension_type(made, static_cast<std::uint8_t>(type));
      }
      nghttp2_option_set_max_outbound_ack(made, flood::answers_to_pings);
      nghttp2_option_set_max_continuations(made, flood::continuations);
      // Counted here, because nghttp2 would not say why.
      nghttp2_option_set_stream_reset_rate_limit(made, 10 * flood::resets, 10 * flood::resets);
      return made;
    }();
    return options;
  }
};

nghttp2_data_provider Connection::source() {
  return {.source = {}, .read_callback = Callbacks::take_output};
}

// --- life ---------------------------------------------------------------------------------------

Connection::Connection(TransportPtr transport, std::shared_ptr<Shared> shared)
    : transport_(std::move(transport)),
      shared_(std::move(shared)),
      account_(std::make_shared<Account>(&shared_->ledger, shared_->limits.connection_bytes)) {
  nghttp2_session_server_new2(&session_, Callbacks::table(), this, Callbacks::options());
  ++shared_->metrics.connections;
}

Connection::~Connection() {
  --shared_->metrics.connections;
  nghttp2_session_del(session_);
}

void Connection::begin(std::string_view first_bytes) {
  const nghttp2_settings_entry settings[] = {
      {NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, shared_->limits.calls},
      {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, stream_window},
      {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE,
       static_cast<std::uint32_t>(shared_->limits.header_bytes)},
      {NGHTTP2_SETTINGS_NO_RFC7540_PRIORITIES, 1}};
  nghttp2_submit_settings(session_, NGHTTP2_FLAG_NONE, settings, std::size(settings));
  nghttp2_session_set_local_window_size(session_, NGHTTP2_FLAG_NONE, 0, connection_window);
  heard_ = began_ = SteadyClock::now();
  watch_ = transport_->loop().after(shared_->limits.watch, [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->look_after();
  });
  received(first_bytes);
}

void Connection::close() {
  if (std::exchange(closed_, true)) return;
  transport_->loop().cancel(watch_);
  transport_->close();
  while (!streams_.empty()) forget(streams_.begin()->first);
}

void Connection::drain() {
  if (closed_ || std::exchange(draining_, true)) return;
  const std::map<std::int32_t, StreamPtr> open = streams_;
  for (const auto& [id, stream] : open) {
    stream->complete_ ? stream->shutting_down() : stream->refuse(Refusal::shutting_down);
  }
  for (const std::int32_t id : std::exchange(waiting_, {})) {
    if (const StreamPtr stream = find(id)) stream->refuse(Refusal::shutting_down);
  }
  // Not nghttp2_session_terminate_session: that sends no answers any more.
  nghttp2_submit_goaway(session_, NGHTTP2_FLAG_NONE,
                        nghttp2_session_get_last_proc_stream_id(session_), NGHTTP2_NO_ERROR,
                        nullptr, 0);
  touch();
}

void Connection::leave(std::uint32_t code, std::string_view why) {
  if (std::exchange(deaf_, true)) return;
  log::write(Level::warning, "a client was disconnected",
             {{"peer", transport_->peer()}, {"reason", std::string(why)}});
  // Not nghttp2_session_terminate_session: that does not say why, and some clients count on words.
  nghttp2_submit_goaway(session_, NGHTTP2_FLAG_NONE,
                        nghttp2_session_get_last_proc_stream_id(session_), code,
                        reinterpret_cast<const std::uint8_t*>(why.data()), why.size());
  touch();
}

// If it were closed while the client still sends, the client might never see why.
void Connection::linger() {
  if (std::exchange(lingering_, true)) return;
  deaf_ = true;
  while (!streams_.empty()) forget(streams_.begin()->first);
  transport_->loop().cancel(watch_);
  watch_ = transport_->loop().after(shared_->limits.linger, [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->close();
  });
  read();
}

// --- time ---------------------------------------------------------------------------------------

void Connection::look_after() {
  if (closed_ || lingering_) return;
  const auto self = shared_from_this();
  const auto now = SteadyClock::now();
  const Limits& limits = shared_->limits;
  if (!greeted_ && now - began_ > limits.greeted_within) return close();
  if (writing_ && now - write_began_ > limits.sent_within) return close();
  if (takes_nothing(now)) leave(NGHTTP2_ENHANCE_YOUR_CALM, "it does not take its answers");
  if (now - heard_ > limits.silence) {
    if (pinged_) return close();
    pinged_ = true;
    nghttp2_submit_ping(session_, NGHTTP2_FLAG_NONE, nullptr);
  }
  const std::map<std::int32_t, StreamPtr> open = streams_;
  for (const auto& [id, stream] : open) look_after(stream, now);
  touch();
  watch_ = transport_->loop().after(limits.watch, [weak = weak_from_this()] {
    if (const auto later = weak.lock()) later->look_after();
  });
}

void Connection::look_after(const StreamPtr& stream, SteadyClock::time_point now) {
  const Limits& limits = shared_->limits;
  if (!stream->complete_ && now - stream->began_ > limits.request_within) {
    // One that was told so before and does not listen is cut off.
    stream->over_ ? stream->reset(NGHTTP2_CANCEL) : stream->refuse(Refusal::late);
  }
  if (stream->unsent() > 0 && now - stream->taken_ > limits.taken_within) {
    stream->reset(NGHTTP2_CANCEL);
  }
}

bool Connection::takes_nothing(SteadyClock::time_point now) const {
  return unsent_ > 0 && now - taken_ > shared_->limits.taken_within;
}

// --- bytes --------------------------------------------------------------------------------------

void Connection::read() {
  if (closed_ || reading_) return;
  if (writing_ && read_meanwhile_ > most_meanwhile) return;  // until that is sent
  reading_ = true;
  transport_->read([self = shared_from_this()](std::string_view bytes) {
    self->reading_ = false;
    if (bytes.empty()) return self->close();
    self->received(bytes);
  });
}

void Connection::received(std::string_view bytes) {
  if (closed_) return;
  const auto self = shared_from_this();
  heard_ = SteadyClock::now();
  pinged_ = false;
  if (writing_) read_meanwhile_ += bytes.size();
  if (deaf_) return read();
  const ssize_t taken = nghttp2_session_mem_recv(
      session_, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  if (taken == NGHTTP2_ERR_FLOODED || taken == NGHTTP2_ERR_TOO_MANY_CONTINUATIONS) {
    leave(NGHTTP2_ENHANCE_YOUR_CALM, nghttp2_strerror(static_cast<int>(taken)));
  } else if (taken < 0) {
    leave(NGHTTP2_PROTOCOL_ERROR, nghttp2_strerror(static_cast<int>(taken)));
  }
  flush();
  read();
}

void Connection::touch() {
  if (closed_ || std::exchange(touched_, true)) return;
  transport_->loop().at_end([self = shared_from_this()] {
    self->touched_ = false;
    self->flush();
  });
}

void Connection::flush() {
  if (writing_ || closed_ || lingering_) return;
  outgoing_.clear();
  while (outgoing_.size() < write_bytes && !has_left_) {
    const std::uint8_t* bytes = nullptr;
    const ssize_t count = nghttp2_session_mem_send(session_, &bytes);
    if (count < 0) return close();
    if (count == 0) break;
    outgoing_.append(view_of(bytes, static_cast<std::size_t>(count)));
  }
  if (outgoing_.empty()) {
    if (outgoing_.capacity() > kept_bytes) outgoing_.shrink_to_fit();
    if (has_left_) return linger();
    if (nghttp2_session_want_write(session_) != 0) return;
    if (nghttp2_session_want_read(session_) == 0) return linger();
    if (draining_ && streams_.empty()) close();
    return;
  }
  writing_ = true;
  read_meanwhile_ = 0;
  write_began_ = SteadyClock::now();
  transport_->write(outgoing_, [self = shared_from_this()](bool sent) {
    self->writing_ = false;
    if (!sent) return self->close();
    self->flush();
    self->read();
  });
}

StreamPtr Connection::find(std::int32_t id) const {
  const auto found = streams_.find(id);
  return found == streams_.end() ? nullptr : found->second;
}

void Connection::forget(std::int32_t id) {
  const auto found = streams_.find(id);
  if (found == streams_.end()) return;
  const StreamPtr stream = std::move(found->second);
  streams_.erase(found);
  const bool cut = !stream->over_ || stream->unsent() > 0;
  const bool was_paused = is_paused();
  unsent_ -= stream->unsent();
  stream->connection_ = nullptr;
  stream->ended(cut);
  // What the work for it keeps still counts.
  if (stream->request_held_) stream->request_held_->leave();
  stream->drop_request();
  stream->drop_answer();
  if (was_paused && !is_paused()) go_on();
}

// --- a request comes in -------------------------------------------------------------------------

void Connection::weigh(const nghttp2_frame_hd& frame) {
  const bool last = frame.flags & NGHTTP2_FLAG_END_STREAM;
  switch (frame.type) {
    case NGHTTP2_HEADERS:
      return patience_.earn(flood::back_per_request);
    case NGHTTP2_DATA:
      if (frame.length == 0 && !last) return spend(patience_, flood::frame, "empty data");
      return patience_.earn(flood::back_per_request);
    case NGHTTP2_CONTINUATION:
      return;  // nghttp2 counts them
    case NGHTTP2_RST_STREAM:
      // Clients may also reset what was answered, if they have not seen its end yet.
      if (!find(frame.stream_id)) return spend(patience_, flood::frame, "resets");
      return spend(with_resets_, flood::frame, "requests that are taken back");
    case NGHTTP2_PRIORITY:
      // nghttp2 ignores them, as it should, and this with them.
      if (frame.stream_id == 0) return leave(NGHTTP2_PROTOCOL_ERROR, "a priority of no stream");
      return spend(patience_, flood::frame, "priorities");
    case NGHTTP2_SETTINGS:
      return spend(patience_, flood::settings, "settings");
    default:
      return spend(patience_, flood::frame, "frames that ask for nothing");
  }
}

void Connection::spend(Patience& patience, std::uint32_t cost, std::string_view on_what) {
  if (deaf_ || patience.spend(cost, SteadyClock::now())) return;
  leave(NGHTTP2_ENHANCE_YOUR_CALM, std::string("a flood of ").append(on_what));
}

// A byte of a header can stand for thousands that came before.
void Connection::weigh_header(std::size_t bytes) {
  constexpr std::size_t overhead = 32;  // as HTTP/2 counts it
  head_.bytes += bytes + overhead;
  if (head_.bytes > flood::header_times * shared_->limits.header_bytes) {
    spend(patience_, flood::patience, "headers");
  }
}

void Connection::on_header(std::string_view name, std::string_view value) {
  head_.too_large = head_.bytes > shared_->limits.header_bytes;
  if (name == ":method") {
    head_.method = value.substr(0, 100);  // the others are kept only while there is room
  } else if (head_.too_large) {
    return;
  } else if (name == ":path") {
    head_.path = value;
  } else if (name == ":authority" || (name == "host" && head_.host.empty())) {
    head_.host = value;
  } else if (is_read_here(name)) {
    head_.fields.push_back({std::string(name), std::string(value)});
  }
}

void Connection::on_head(std::int32_t id, bool is_all) {
  head_.is_all = is_all;
  const StreamPtr stream = shared_->open(head_);
  stream->connection_ = this;
  stream->loop_ = &transport_->loop();
  stream->id_ = id;
  stream->began_ = SteadyClock::now();
  streams_.emplace(id, stream);
  // A request may wait with its header for long, so that counts; an answer needs some room too.
  stream->held_.emplace(account_);
  if (!stream->held_->add(shared_->limits.call_bytes + head_.kept_bytes())) {
    return stream->refuse(Refusal::no_room);
  }
  stream->head_came(std::move(head_));
}

void Connection::on_data(std::int32_t id, std::string_view bytes) {
  // While answers are not taken there is no more room for requests.
  if (is_paused()) {
    owed_ += bytes.size();
  } else {
    nghttp2_session_consume_connection(session_, bytes.size());
  }
  nghttp2_session_consume_stream(session_, id, bytes.size());
  const StreamPtr stream = find(id);
  if (!stream || stream->over_ || stream->complete_) return;
  if (!stream->hold_request(bytes.size())) return stream->refuse(Refusal::no_room);
  stream->input_.append(bytes);
  stream->data_came();
}

void Connection::on_request(const StreamPtr& stream) {
  if (std::exchange(stream->complete_, true)) return;
  if (stream->over_) return stream->drop_request();
  if (draining_) return stream->refuse(Refusal::shutting_down);
  if (is_paused()) return waiting_.push_back(stream->id_);
  stream->request_came();
}

void Connection::go_on() {
  transport_->loop().at_end([self = shared_from_this()] {
    if (self->closed_ || self->is_paused()) return;
    nghttp2_session_consume_connection(self->session_, std::exchange(self->owed_, 0));
    while (!self->waiting_.empty() && !self->is_paused()) {
      const StreamPtr stream = self->find(self->waiting_.front());
      self->waiting_.pop_front();
      if (stream && !stream->over_) stream->request_came();
    }
    self->touch();
  });
}

// --- an answer goes out -------------------------------------------------------------------------

void Connection::more_to_take(Stream& stream, std::size_t bytes) {
  const auto now = SteadyClock::now();
  if (unsent_ == 0) taken_ = now;
  if (stream.unsent() == bytes) stream.taken_ = now;  // all of it is new
  unsent_ += bytes;
}

std::ptrdiff_t Connection::take(Stream& stream, std::uint8_t* into, std::size_t most,
                                std::uint32_t& flags) {
  const std::size_t count = std::min(most, stream.unsent());
  std::copy_n(stream.output_.data() + stream.output_taken_, count, into);
  stream.output_taken_ += count;
  if (count > 0) {
    const bool was_paused = is_paused();
    unsent_ -= count;
    stream.held_->give_back(count);
    stream.taken_ = taken_ = SteadyClock::now();
    if (was_paused && !is_paused()) go_on();
  }
  if (stream.output_taken_ > compacted_bytes && stream.output_taken_ >= stream.unsent()) {
    stream.output_.erase(0, std::exchange(stream.output_taken_, 0));
  }
  if (stream.unsent() > 0) return static_cast<std::ptrdiff_t>(count);
  stream.output_.clear();
  stream.output_taken_ = 0;
  if (stream.over_) {
    flags |= NGHTTP2_DATA_FLAG_EOF;
    if (stream.trailers_.empty()) return static_cast<std::ptrdiff_t>(count);
    flags |= NGHTTP2_DATA_FLAG_NO_END_STREAM;
    std::vector<nghttp2_nv> lines;
    for (const Field& field : stream.trailers_) lines.push_back(line_of(field.name, field.value));
    nghttp2_submit_trailer(session_, stream.id_, lines.data(), lines.size());
    return static_cast<std::ptrdiff_t>(count);
  }
  transport_->loop().at_end([weak = stream.weak_from_this()] {
    const StreamPtr taken = weak.lock();
    if (taken && !taken->is_over() && taken->unsent() == 0) taken->all_taken();
  });
  return count == 0 ? static_cast<std::ptrdiff_t>(NGHTTP2_ERR_DEFERRED)
                    : static_cast<std::ptrdiff_t>(count);
}

}  // namespace pawl::server::http2
