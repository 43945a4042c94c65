// SPDX-License-Identifier: Apache-2.0
#include "server/http2/stream.hpp"

#include <algorithm>

#include "server/http2/connection.hpp"
#include "server/http2/frames.hpp"

namespace pawl::server::http2 {

std::string_view Head::field(std::string_view name) const {
  for (const Field& one : fields) {
    if (one.name == name) return one.value;
  }
  return {};
}

std::size_t Head::kept_bytes() const {
  std::size_t out = path.size() + host.size();
  for (const Field& one : fields) out += sizeof(Field) + one.name.size() + one.value.size();
  return out;
}

bool is_read_here(std::string_view name) {
  constexpr std::string_view names[] = {"authorization", "content-encoding", "content-length",
                                        "content-type",  "expect",           "grpc-encoding",
                                        "grpc-timeout",  "origin",           "sec-fetch-site"};
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

std::string Stream::peer() const { return attached() ? connection_->transport_->peer() : ""; }
std::string Stream::local() const { return attached() ? connection_->transport_->local() : ""; }

bool Stream::hold_request(std::size_t bytes) {
  if (!attached()) return false;
  if (!request_held_) request_held_ = std::make_shared<Share>(connection_->account_);
  return request_held_->add_request(bytes);
}

void Stream::drop_request() {
  std::string().swap(input_);
  request_held_ = nullptr;
}

void Stream::drop_answer() {
  held_->give_back(unsent());
  std::string().swap(output_);
  output_taken_ = 0;
}

void Stream::say_head(const std::vector<Field>& fields, bool is_all) {
  if (is_over()) return;
  over_ = is_all;
  std::vector<nghttp2_nv> lines;
  for (const Field& field : fields) lines.push_back(line_of(field.name, field.value));
  const nghttp2_data_provider source = Connection::source();
  nghttp2_submit_response(connection_->session_, id_, lines.data(), lines.size(),
                          is_all ? nullptr : &source);
  connection_->touch();
}

bool Stream::put(std::string_view prefix, std::string_view bytes) {
  const std::size_t count = prefix.size() + bytes.size();
  if (is_over() || !held_->add(count)) return false;
  output_.append(prefix).append(bytes);
  connection_->more_to_take(*this, count);
  return true;
}

void Stream::say_more() {
  if (!attached()) return;
  nghttp2_session_resume_data(connection_->session_, id_);
  connection_->touch();
}

void Stream::say_end(std::vector<Field> trailers) {
  if (is_over()) return;
  over_ = true;
  trailers_ = std::move(trailers);
  say_more();
}

void Stream::reset(std::uint32_t code) {
  if (!attached()) return;
  nghttp2_submit_rst_stream(connection_->session_, NGHTTP2_FLAG_NONE, id_, code);
  connection_->touch();
}

}  // namespace pawl::server::http2
