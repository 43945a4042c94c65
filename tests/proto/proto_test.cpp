// SPDX-License-Identifier: Apache-2.0
// What we store can be read with code that protoc made from proto/journal.proto, and the other way
// round. A stored field or event without its line in that file fails here.
#include <gtest/gtest.h>
#include <journal.pb.h>

#include "filler.hpp"
#include "reflection.hpp"
#include "schema.hpp"
#include "store/snapshot.hpp"
#include "store/snapshot_fields.hpp"
#include "testkit/play.hpp"

namespace pawl::proto {
namespace {

store::Record full_record() {
  store::Record record;
  Filler().fill(record);
  return record;
}

std::string full_snapshot() {
  store::StoredInstance head;
  std::vector<store::StoredElement> elements(2);
  Filler filler;
  filler.fill(head);
  for (auto& element : elements) filler.fill(element);
  std::string bytes;
  store::Encoder out{bytes};
  fields(out, head);
  out(store::stored_elements, elements);
  return bytes;
}

template <class M>
void expect_read_whole(const std::string& bytes) {
  M message;
  ASSERT_TRUE(message.ParseFromString(bytes));
  EXPECT_EQ(unknown_in(message), "");
  EXPECT_EQ(message.SerializeAsString(), bytes);
}

TEST(Proto, has_every_field_of_a_record_with_its_type) {
  std::vector<std::string> differences;
  Schema(differences).compare<store::Record>(journal::Record::descriptor());
  EXPECT_EQ(differences, std::vector<std::string>{});
}

TEST(Proto, has_every_field_of_a_snapshot_with_its_type) {
  std::vector<std::string> differences;
  Schema schema(differences);
  const int elements = 1;
  schema.compare<store::StoredInstance>(journal::StoredInstance::descriptor(), elements);
  schema.compare<store::StoredElement>(journal::StoredElement::descriptor());
  EXPECT_EQ(differences, std::vector<std::string>{});
}

TEST(Proto, reads_a_record_with_everything_in_it) {
  const store::Record record = full_record();
  ASSERT_EQ(record.events.size(), std::variant_size_v<engine::Event>);
  ASSERT_EQ(record.notices.size(), std::variant_size_v<store::Notice>);
  expect_read_whole<journal::Record>(*encode(record));
}

TEST(Proto, reads_a_snapshot_with_everything_in_it) {
  expect_read_whole<journal::StoredInstance>(full_snapshot());
}

TEST(Proto, gives_numbers_and_texts_as_they_are_meant) {
  journal::Record message;
  ASSERT_TRUE(message.ParseFromString(*store::encode(
      {.at = Instant(Millis(-5)),
       .events = {
           engine::JobFailed{.key = key_from(7), .retries = -1, .message = "no"},
           engine::ElementActivating{.element = ElementIndex{0}},
           engine::VariableCreated{.name = "x", .value = Value(List{Value(-3), Value(true)})}}})));
  EXPECT_EQ(message.at(), -5);
  EXPECT_EQ(message.events(0).job_failed().retries(), -1);
  EXPECT_EQ(message.events(0).job_failed().message(), "no");
  EXPECT_EQ(message.events(1).element_activating().element_place(), 1u);
  EXPECT_EQ(message.events(1).element_activating().flow_place(), 0u);
  const auto& items = message.events(2).variable_created().value().list().items();
  EXPECT_EQ(items.at(0).integer(), -3);
  EXPECT_EQ(items.at(1).truth(), 2u);
}

TEST(Proto, writes_records_that_we_read) {
  journal::Record message;
  fill(message);
  ASSERT_EQ(static_cast<std::size_t>(message.events_size()), std::variant_size_v<engine::Event>);
  const std::string bytes = message.SerializeAsString();
  const auto record = store::decode_record(bytes);
  ASSERT_TRUE(record.has_value()) << message.DebugString();
  EXPECT_EQ(*encode(*record), bytes) << message.DebugString();
}

TEST(Proto, writes_snapshots_that_we_read) {
  testkit::Play play(R"(
    start  ->  and split
    split  ->  job a     type t    times 3   at once 2
    split  ->  job b     type t    in x = 1
    b      ~>  end late  after 2d
    split  ->  catch c   on message m   key "k"
    a      ->  and join
    b      ->  join
    c      ->  join
    join   ->  end
  )",
                     R"({"n": 1.5})");
  play.complete("a").fail("b", 0);
  const engine::Instance& instance = play.driver().instance();
  const std::string bytes = *store::encode_snapshot(instance);
  expect_read_whole<journal::StoredInstance>(bytes);
  journal::StoredInstance message;
  message.ParseFromString(bytes);
  const auto back = store::decode_snapshot(play.process(), message.SerializeAsString());
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(describe(*back), describe(instance));
}

TEST(Proto, notices_what_it_does_not_know) {
  journal::Record message;
  ASSERT_TRUE(
      message.ParseFromString(std::string("\x3a\x04\xf2\x07\x01x", 6)));  // events: field 126
  EXPECT_EQ(unknown_in(message), "pawl.journal.Event: field 126");
}

TEST(Proto, notices_a_field_of_another_type) {
  std::vector<std::string> differences;
  Schema(differences).compare<engine::JobFailed>(journal::JobCreated::descriptor());
  ASSERT_EQ(differences.size(), 1u);
  EXPECT_EQ(differences[0], "there is no pawl.journal.JobFailed where the code has one");
}

}  // namespace
}  // namespace pawl::proto
