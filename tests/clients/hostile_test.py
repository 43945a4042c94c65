# SPDX-License-Identifier: Apache-2.0
"""Connections that say nothing, or the wrong things: they end, others are served, and memory stays bounded."""
import os
import socket
import sys
import unittest

sys.dont_write_bytecode = True
from wire import (CONTINUATION, DATA, END_HEADERS, END_STREAM, GOAWAY, HEADERS, HEALTH, NO_MESSAGE, PADDED,  # noqa: E402
                  PING, PREFACE, PRIORITY, PUSH, RST, SANITIZED, SERVING, SETTINGS, WINDOW, Server, answer, call, frame,
                  greet, header, is_serving, number, read_to_end)

BROKEN = {
    "garbage": os.urandom(4096),
    "zeros": bytes(4096),
    "a preface cut short": PREFACE[:10],
    "a preface with a mistake": PREFACE[:16] + b"XX" + PREFACE[18:],
    "no settings": PREFACE + frame(PING, 0, 0, bytes(8)),
    "settings of a wrong length": PREFACE + frame(SETTINGS, 0, 0, bytes(5)),
    "settings on a stream": PREFACE + frame(SETTINGS, 0, 3, bytes(6)),
    "a frame that is too large": greet(frame(DATA, 0, 1, bytes(10), length=0xFFFFFF)),
    "data without a call": greet(frame(DATA, END_STREAM, 1, NO_MESSAGE)),
    "headers on stream 0": greet(frame(HEADERS, END_HEADERS, 0, HEALTH)),
    "headers on an even stream": greet(frame(HEADERS, END_HEADERS, 2, HEALTH)),
    "headers that are no HPACK": greet(frame(HEADERS, END_HEADERS, 1, b"\xff" * 40)),
    "an index that is not there": greet(frame(HEADERS, END_HEADERS, 1, b"\xfe\xff\xff\xff\x0f")),
    "a number without end": greet(frame(HEADERS, END_HEADERS, 1, b"\x7f" + b"\xff" * 30)),
    "padding beyond the frame": greet(frame(HEADERS, END_HEADERS | PADDED, 1, b"\xf0" + HEALTH)),
    "continuation without headers": greet(frame(CONTINUATION, END_HEADERS, 1, HEALTH)),
    "another frame between headers": greet(frame(HEADERS, 0, 1, HEALTH), frame(PING, 0, 0, bytes(8))),
    "a push from a client": greet(frame(PUSH, END_HEADERS, 1, b"\0\0\0\2" + HEALTH)),
    "a window of nothing": greet(frame(WINDOW, 0, 0, bytes(4))),
    "a window that overflows": greet(frame(WINDOW, 0, 0, b"\x7f\xff\xff\xff")),
    "a ping of a wrong length": greet(frame(PING, 0, 0, bytes(7))),
    "a stream that depends on itself": greet(frame(PRIORITY, 0, 1, b"\0\0\0\1\0")),
    "a reset of an idle stream": greet(frame(RST, 0, 9, bytes(4))),
    "unknown frames": greet(frame(0xAB, 0xFF, 7, bytes(100))),
    "goaway, then a call": greet(frame(GOAWAY, 0, 0, bytes(8)), frame(HEADERS, END_HEADERS, 1, HEALTH)),
}

MESSAGES = {
    "no message": b"",
    "a prefix cut short": b"\0\0\0",
    "a message cut short": b"\0\0\0\0\x10abc",
    "two messages": NO_MESSAGE * 2,
    "a flag that means nothing": b"\x07\0\0\0\0",
    "no protobuf": b"\0\0\0\0\4\xff\xff\xff\xff",
    "compressed, but not said how": b"\1\0\0\0\4abcd",
}


class Hostile(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()

    @classmethod
    def tearDownClass(cls):
        code, said = cls.server.stop()
        assert code == 0, said[-5000:]
        for sign in ("Sanitizer", "runtime error", "terminate called"):
            assert sign not in said, said[-5000:]

    def assert_bounded(self, before, megabytes):
        if not SANITIZED:
            self.assertLess(self.server.megabytes() - before, megabytes)

    def test_broken_frames_end_their_connection_only(self):
        for name, sent in BROKEN.items():
            for port in (self.server.grpc, self.server.http):
                with self.subTest(name, port=port), self.server.connect(sent, port=port) as connection:
                    connection.shutdown(socket.SHUT_WR)
                    read_to_end(connection)
                    self.assertTrue(is_serving(self.server))

    def test_bytes_may_come_one_at_a_time(self):
        sent = greet(frame(HEADERS, END_HEADERS, 1, HEALTH), frame(DATA, END_STREAM, 1, NO_MESSAGE))
        with self.server.connect(*[bytes([byte]) for byte in sent]) as connection:
            self.assertEqual(answer(connection), ("answered", SERVING))

    def test_a_message_that_is_none_is_refused(self):
        path = call("/gateway_protocol.Gateway/CompleteJob")
        for name, sent in MESSAGES.items():
            with self.subTest(name), self.server.connect(
                    greet(frame(HEADERS, END_HEADERS, 1, path), frame(DATA, END_STREAM, 1, sent))) as connection:
                self.assertEqual(answer(connection), ("answered", b""))
                self.assertTrue(is_serving(self.server))

    def test_headers_have_a_limit(self):
        large = call("/grpc.health.v1.Health/Check", *[(f"x-{i}", "y" * 1000) for i in range(15)])
        more = header("z", "y" * 9000)
        with self.server.connect(greet(frame(HEADERS, 0, 1, large),
                                       frame(CONTINUATION, END_HEADERS, 1, more),
                                       frame(DATA, END_STREAM, 1, NO_MESSAGE))) as connection:
            self.assertEqual(answer(connection)[1], b"")
        self.assertTrue(is_serving(self.server))

    def test_headers_without_end_cost_nothing(self):
        before = self.server.megabytes()
        piece = frame(CONTINUATION, 0, 1, header("x", "y" * 8000))
        with self.server.connect(greet(frame(HEADERS, 0, 1, HEALTH)), *[piece * 16] * 64) as connection:
            self.assertNotEqual(answer(connection)[0], "answered")
        self.assert_bounded(before, 10)
        self.assertTrue(is_serving(self.server))

    def test_a_small_header_cannot_be_repeated_into_a_large_one(self):
        before = self.server.megabytes()
        indexed = b"\x40" + number(1, 7) + b"a" + number(3000, 7) + b"b" * 3000  # goes into the table
        bomb = HEALTH + indexed + b"\xbe" * 8000                                  # 8000 times 3 kB
        with self.server.connect(greet(frame(HEADERS, END_HEADERS, 1, bomb),
                                       frame(DATA, END_STREAM, 1, NO_MESSAGE))) as connection:
            self.assertEqual(answer(connection)[1], b"")
        self.assert_bounded(before, 10)
        self.assertTrue(is_serving(self.server))

    def test_floods_end(self):
        before = self.server.megabytes()
        opened = b"".join(frame(HEADERS, END_HEADERS, i, HEALTH) + frame(RST, 0, i, b"\0\0\0\x08")
                          for i in range(1, 20_001, 2))
        floods = {"pings": frame(PING, 0, 0, bytes(8)) * 100_000, "settings": frame(SETTINGS) * 100_000,
                  "calls that are cancelled": opened, "empty data": frame(HEADERS, END_HEADERS, 1, HEALTH) +
                  frame(DATA, 0, 1) * 100_000}
        for name, flood in floods.items():
            with self.subTest(name), self.server.connect(greet()) as connection:
                connection.settimeout(5)  # it never reads: the server must not gather answers
                try:
                    connection.sendall(flood)
                except OSError:
                    pass
                self.assertTrue(is_serving(self.server))
        self.assert_bounded(before, 30)

    def test_C4b_answers_that_nobody_takes_are_bounded(self):
        before = self.server.megabytes()
        get = b"".join(header(*pair) for pair in [(":method", "GET"), (":scheme", "http"), (":path", "/v2/openapi.json"),
                                                  (":authority", "localhost")])
        asked = b"".join(frame(HEADERS, END_HEADERS | END_STREAM, 2 * i + 1, get) for i in range(947))
        held = [self.server.connect(greet(frame(SETTINGS, 0, 0, b"\0\4\0\0\0\0"), asked)) for _ in range(5)]
        self.assertTrue(is_serving(self.server))
        self.assert_bounded(before, 400)
        for connection in held:
            connection.close()
        self.assertTrue(is_serving(self.server))

    def test_C7_bodies_for_health_are_not_kept(self):
        before = self.server.megabytes()
        begin = b"POST /health/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4000000\r\n\r\n"
        held = [self.server.connect(begin, bytes(1_000_000), port=self.server.http) for _ in range(100)]
        self.assertTrue(is_serving(self.server))
        self.assert_bounded(before, 50)
        for connection in held:
            connection.close()

    def test_silent_connections_keep_nobody_away(self):
        before = self.server.megabytes()
        begun = [b"", PREFACE[:5], PREFACE, greet(), greet(frame(HEADERS, END_HEADERS, 1, HEALTH)),
                 greet(frame(HEADERS, END_HEADERS, 1, HEALTH), frame(DATA, 0, 1, b"\0\0\x3f\0\0" + b"x" * 1000)),
                 b"GET / HTTP/1.1\r\n"]
        silent = [self.server.connect(*([begun[i % len(begun)]] if begun[i % len(begun)] else []),
                                      port=(self.server.grpc, self.server.http)[i % 2]) for i in range(700)]
        self.assertTrue(is_serving(self.server))
        self.assert_bounded(before, 40)
        for connection in silent:
            connection.close()
        self.assertTrue(is_serving(self.server))

    def test_large_messages_that_never_end_are_bounded_together(self):
        before = self.server.megabytes()
        begin = greet(frame(WINDOW, 0, 0, b"\x10\0\0\0"), frame(HEADERS, END_HEADERS, 1, HEALTH),
                      frame(DATA, 0, 1, b"\0\0\x3f\xff\xff"))
        held = [self.server.connect(begin, *[frame(DATA, 0, 1, bytes(16_000))] * 15) for _ in range(400)]
        self.assertTrue(is_serving(self.server))
        self.assert_bounded(before, 250)  # 400 times 240 kB at most
        for connection in held:
            connection.close()
        self.assertTrue(is_serving(self.server))


class FirstWords(unittest.TestCase):
    def test_a_connection_that_says_nothing_is_closed(self):
        server = Server()
        self.addCleanup(server.process.kill)
        with server.connect() as silent, server.connect(PREFACE[:7]) as half:
            for connection in (silent, half):
                connection.settimeout(25)
                self.assertEqual(read_to_end(connection), b"")
        self.assertEqual(server.stop()[0], 0)


if __name__ == "__main__":
    unittest.main()
