// SPDX-License-Identifier: Apache-2.0
#include "server/rest/session.hpp"

#include <algorithm>
#include <utility>

#include "server/rest/encode.hpp"
#include "server/rest/problem.hpp"

namespace pawl::server::rest {
namespace {

constexpr std::size_t write_piece = 64u << 10;
constexpr std::size_t most_ahead = 32u << 10;     // bytes of later requests that are kept
constexpr std::size_t most_lingered = 16u << 20;  // of a refused body that are thrown away
constexpr std::string_view go_on = "HTTP/1.1 100 Continue\r\n\r\n";

}  // namespace

// The client as a handler sees it. Lives as long as somebody may still answer.
class Session::Exchange final : public Client {
 public:
  Exchange(std::shared_ptr<Wire> wire, SharePtr share)
      : wire_(std::move(wire)), share_(std::move(share)) {}
  ~Exchange() override = default;

  void on_gone(std::function<void()> gone) override { gone_ = std::move(gone); }
  void on_left(std::function<void()> left) override { left_ = std::move(left); }
  void after(Millis pause, std::function<void()> then) override {
    if (!over_) timer_ = wire_->after(pause, std::move(then));
  }

  bool wants_to_know() const { return gone_ != nullptr; }
  void may_leave() { share_->leave(); }
  void leave() {
    may_leave();
    if (const auto call = std::exchange(left_, nullptr)) call();
  }
  void end(bool gone) {
    if (over_) return;
    over_ = true;
    wire_->cancel(timer_);
    const auto call = std::exchange(gone_, nullptr);
    if (gone && call) call();
    if (gone) leave();
    left_ = nullptr;
  }

 private:
  std::shared_ptr<Wire> wire_;
  SharePtr share_;
  std::function<void()> gone_;
  std::function<void()> left_;
  Wire::Timer timer_{0};
  bool over_{false};
};

Session::Session(Parts parts)
    : parts_(std::move(parts)),
      decoder_(parts_.options->limits),
      account_(std::make_shared<Account>(parts_.options->ledger)),
      share_(std::make_shared<Share>(account_)),
      answer_share_(account_) {}
Session::~Session() { set_busy(false); }

std::shared_ptr<Session> Session::make(Parts parts) {
  return std::shared_ptr<Session>(new Session(std::move(parts)));
}

void Session::begin(std::string_view first_bytes) {
  input_ = first_bytes;
  time_reading();
  decode();
  want_bytes();
}

// --- timers -------------------------------------------------------------------------------------

void Session::set_timer(Millis pause, std::function<void()> then) {
  parts_.wire->cancel(timer_);
  timer_ = parts_.wire->after(pause, [self = weak_from_this(), then = std::move(then)] {
    if (const auto alive = self.lock()) {
      alive->timer_ = 0;
      then();
    }
  });
}

// A header has its time from its first byte on; a body from its last, but not for ever.
void Session::time_reading() {
  const Decoder::State now = decoder_.state();
  const SessionOptions& options = *parts_.options;
  if (now == Decoder::State::idle) {
    if (timed_ != now) set_timer(options.idle, [this] { close(); });
  } else if (now == Decoder::State::header) {
    if (timed_ != now) {
      set_timer(options.header_within,
                [this] { refuse(408, "the header of the request did not come in time"); });
    }
  } else {
    const auto clock = std::chrono::steady_clock::now();
    if (timed_ != now) body_end_ = clock + options.body_within;
    const auto left = std::chrono::duration_cast<Millis>(body_end_ - clock);
    set_timer(std::clamp(left, Millis(0), options.body_pause),
              [this] { refuse(408, "the body of the request did not come in time"); });
  }
  timed_ = now;
}

// --- reading ------------------------------------------------------------------------------------

void Session::want_bytes() {
  if (read_pending_ || over_ || state_ == State::closed) return;
  if (state_ != State::reading && state_ != State::lingering && input_.size() >= most_ahead) return;
  read_pending_ = true;
  parts_.wire->read();
}

void Session::received(std::string_view bytes) {
  const auto self = shared_from_this();
  read_pending_ = false;
  if (state_ == State::closed) return;
  if (bytes.empty()) {
    over_ = true;
    // Some clients close their side and still read; who waits for long does not want to wait on.
    const bool answering =
        state_ == State::writing || (state_ == State::handling && !exchange_->wants_to_know());
    if (!answering) return close();
    if (state_ == State::handling) {
      exchange_->may_leave();
      set_timer(parts_.options->half_closed, [this] {
        if (exchange_) exchange_->leave();
      });
    }
    return;
  }
  if (state_ == State::lingering) {
    lingered_ += bytes.size();
    return lingered_ > most_lingered ? close() : want_bytes();
  }
  input_ += bytes;
  if (state_ == State::reading) {
    decode();
  } else if (!share_->set(input_.size())) {
    return close();
  }
  want_bytes();
}

void Session::decode() {
  if (decoding_) return;  // a wire may answer at once
  decoding_ = true;
  while (state_ == State::reading && !input_.empty()) {
    const std::size_t used = decoder_.feed(input_);
    input_.erase(0, used);
    const Decoder::State now = decoder_.state();
    if (now == Decoder::State::refused) {
      refuse(decoder_.status(), decoder_.why());
    } else if (now == Decoder::State::done) {
      handle();
    } else if (input_.size() >= most_ahead) {
      refuse(400, "a line of the request is too long");
    } else {
      if (now == Decoder::State::body && !header_seen_) header_came();
      if (state_ == State::reading && !share_->set_request(decoder_.bytes() + input_.size())) {
        refuse(503, "too many large requests at once; try later");
      }
      if (used == 0) break;
    }
  }
  decoding_ = false;
  if (state_ == State::reading) time_reading();
}

// The body is still to come: a client that may not ask need not send it.
void Session::header_came() {
  header_seen_ = true;
  if (turned_away(decoder_.has_body(), false) || !decoder_.wants_continue()) return;
  interim_ = true;
  parts_.wire->write(go_on);
}

// --- answering ----------------------------------------------------------------------------------

bool Session::turned_away(bool has_body, bool keep) {
  auto response = parts_.options->door.refuse(decoder_.request(), has_body, parts_.local);
  if (!response) return false;
  refused_ = !keep;
  if (keep) decoder_.take();
  respond(std::move(*response), keep);
  return true;
}

// Whoever stops the server waits for those that are.
void Session::set_busy(bool busy) {
  if (busy == std::exchange(busy_, busy) || !parts_.options->under_way) return;
  *parts_.options->under_way += busy ? 1 : -1;
}

void Session::handle() {
  keep_ = decoder_.keeps_alive();
  only_header_ = decoder_.request().method == "HEAD";
  header_seen_ = false;
  timed_ = Decoder::State::refused;
  if (turned_away(!decoder_.request().body.empty(), keep_)) return;
  if (!share_->set_request(decoder_.bytes())) {
    decoder_.take();
    return respond(response_of({.status = 503,
                                .title = std::string(reason_of(503)),
                                .detail = "too many large requests at once; try later"},
                               ""),
                   keep_);
  }
  set_busy(true);
  auto request = std::make_shared<Request>(decoder_.take());
  request->share = std::exchange(share_, std::make_shared<Share>(account_));
  exchange_ = std::make_shared<Exchange>(parts_.wire, request->share);
  request->client = exchange_;
  request->caller = parts_.caller;
  state_ = State::handling;
  parts_.wire->cancel(timer_);
  timer_ = 0;
  parts_.handle(request, [self = shared_from_this(), exchange = exchange_, wire = parts_.wire,
                          share = request->share](Response response) {
    wire->post([self, exchange, share, response = std::move(response)]() mutable {
      share->set(0);  // it is done
      self->answered(exchange, std::move(response));
    });
  });
}

void Session::answered(const std::shared_ptr<Exchange>& exchange, Response response) {
  exchange->end(false);
  if (state_ != State::handling || exchange != exchange_) {
    if (response.lost) response.lost();
    return;
  }
  exchange_ = nullptr;
  respond(std::move(response), keep_);
}

// The connection cannot go on: where the next request begins is not known.
void Session::refuse(int status, std::string detail) {
  refused_ = true;
  const std::string path = decoder_.request().path;
  decoder_ = Decoder(parts_.options->limits);  // what came is for nobody
  std::string().swap(input_);
  respond(
      response_of(
          {.status = status, .title = std::string(reason_of(status)), .detail = std::move(detail)},
          path),
      false);
}

void Session::respond(Response response, bool keep) {
  keep_ = keep && !over_;
  if (share_->set(input_.size()); !answer_share_.set(response.body.size())) {
    if (response.lost) response.lost();
    response = {.status = 503};
  }
  output_ = encode(response, {.keeps_alive = keep_, .only_header = only_header_});
  lost_ = std::move(response.lost);
  written_ = 0;
  state_ = State::writing;
  if (!interim_) write_next();
}

void Session::write_next() {
  set_timer(parts_.options->write_pause, [this] { close(); });
  parts_.wire->write(std::string_view(output_).substr(written_, write_piece));
}

void Session::sent(bool whole) {
  const auto self = shared_from_this();
  if (state_ == State::closed) return;
  if (!whole) return close();
  if (interim_) {  // it was "100 Continue"; perhaps there is an answer meanwhile
    interim_ = false;
    return state_ == State::writing ? write_next() : void();
  }
  written_ = std::min(written_ + write_piece, output_.size());
  if (written_ < output_.size()) return write_next();
  lost_ = nullptr;
  std::string().swap(output_);
  answer_share_.set(0);
  set_busy(false);
  if (keep_) return next_request();
  refused_ ? begin_linger() : close();
}

void Session::next_request() {
  state_ = State::reading;
  only_header_ = false;
  time_reading();
  decode();
  want_bytes();
}

// If it were closed while the client still sends, the client might never see the answer.
void Session::begin_linger() {
  if (over_) return close();
  std::string().swap(input_);
  state_ = State::lingering;
  set_timer(parts_.options->linger, [this] { close(); });
  want_bytes();
}

// --- ending -------------------------------------------------------------------------------------

void Session::finish() {
  over_ = true;
  if (state_ == State::reading || state_ == State::lingering) return close();
  // Who waits for long need not wait on.
  if (state_ != State::handling || !exchange_->wants_to_know()) return;
  const auto exchange = std::move(exchange_);
  exchange->end(true);
  respond(response_of({.status = 503,
                       .title = std::string(reason_of(503)),
                       .detail = "the server is shutting down; connect again"},
                      ""),
          false);
}

void Session::close() {
  if (state_ == State::closed) return;
  const auto self = shared_from_this();
  state_ = State::closed;
  parts_.wire->cancel(timer_);
  timer_ = 0;
  parts_.wire->close();
  std::string().swap(input_);
  share_->set(0);
  answer_share_.set(0);
  set_busy(false);
  if (const auto exchange = std::move(exchange_)) exchange->end(true);
  if (const auto lost = std::move(lost_)) lost();
}

}  // namespace pawl::server::rest
