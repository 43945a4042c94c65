# SPDX-License-Identifier: Apache-2.0
"""The commands that ask a server, against a real one. PAWL names the program."""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.request

sys.dont_write_bytecode = True
from models import CIRCLE, EMPTY, script_process  # noqa: E402

PAWL = os.environ.get("PAWL", os.path.join("build", "release", "pawl"))
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
ORDER = str(EXAMPLES / "order" / "order.bpmn")
ORDER_VARIABLES = "@" + str(EXAMPLES / "order" / "order.json")


class Server:
    """`pawl serve` on ports of its own."""

    def __init__(self, data, *options, grpc="127.0.0.1:0", env=None):
        self.log = tempfile.TemporaryFile(mode="w+")
        self.process = subprocess.Popen(
            [PAWL, "serve", "--data", data, "--grpc", grpc, "--http", "127.0.0.1:0", *options],
            stdout=subprocess.PIPE, stderr=self.log, text=True, env={**os.environ, **(env or {})})
        line = self.process.stdout.readline()
        found = re.match(r"pawl is ready: gRPC on (127\.0\.0\.1:\d+), HTTP on (127\.0\.0\.1:\d+)", line)
        if not found:
            self.process.wait()
            self.log.seek(0)
            raise AssertionError(f"no server: {line}{self.log.read()}")
        self.grpc, self.http = found.groups()

    def stop(self, sign=signal.SIGTERM):
        """Its exit code and log; nothing if it was stopped before."""
        if self.log.closed:
            return None
        if self.process.poll() is None:
            self.process.send_signal(sign)
        code = self.process.wait(timeout=30)
        self.process.stdout.close()
        self.log.seek(0)
        text = self.log.read()
        self.log.close()
        return code, text


class ServerCommands(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.data = os.path.join(self.folder, "data")
        self.serve()

    def serve(self, *options, **more):
        self.server = Server(self.data, *options, **more)
        self.addCleanup(self.server.stop, signal.SIGKILL)

    def pawl(self, *words, code=0, env=None):
        environment = {**os.environ, "PAWL_SERVER": self.server.grpc, **(env or {})}
        environment.pop("PAWL_DATA", None)
        done = subprocess.run([PAWL, *words], capture_output=True, text=True, timeout=120, env=environment)
        self.assertEqual(done.returncode, code, f"{words}: {done.stdout}{done.stderr}")
        return done.stdout if code == 0 else done.stderr

    def json(self, *words):
        return json.loads(self.pawl(*words, "--json"))

    def start_order(self):
        self.pawl("deploy", ORDER)
        return self.json("start", "order", "--vars", ORDER_VARIABLES)["processInstanceKey"]

    def test_a_deployed_process_runs_to_its_end_with_workers_in_shell(self):
        self.assertIn("order", self.pawl("deploy", ORDER))
        answers = {"charge": '{"receipt": "R-1"}', "reserve": '{"reserved": 2}', "pack": '{"packed": true}',
                   "ship": '{"sent": true}'}
        environment = {**os.environ, "PAWL_SERVER": self.server.grpc}
        workers = [subprocess.Popen([PAWL, "worker", kind, "--", f"cat >/dev/null; echo '{text}'"], env=environment,
                                    stdout=subprocess.DEVNULL) for kind, text in answers.items()]
        try:
            told = self.json("start", "order", "--vars", ORDER_VARIABLES, "--wait", "--timeout", "30s")
        finally:
            for worker in workers:
                worker.send_signal(signal.SIGTERM)
            codes = [worker.wait(timeout=20) for worker in workers]
        self.assertEqual(told["variables"]["receipt"], "R-1")
        self.assertEqual(told["variables"]["sent"], True)
        self.assertEqual(codes, [0, 0, 0, 0])
        rows = self.json("instances", "--state", "completed", "--process", "order")
        self.assertEqual([row["state"] for row in rows], ["completed"])
        self.assertEqual(self.json("instances", "--state", "active"), [])

    def test_show_tells_what_each_element_waits_for_as_it_does_from_the_directory(self):
        key = self.start_order()
        text = self.pawl("show", key)
        self.assertIn('waits for job "charge"', text)
        self.assertIn("fulfil  sub-process", text)
        beside = subprocess.run([PAWL, "show", key, "--data", self.data], capture_output=True, text=True, timeout=60)
        self.assertEqual(beside.stdout, text)
        self.assertEqual({job["type"] for job in self.json("jobs")}, {"charge", "reserve"})
        self.assertEqual([job["type"] for job in self.json("jobs", "--type", "charge")], ["charge"])
        self.assertIn("no jobs", self.pawl("jobs", "--type", "nothing"))

    def test_start_and_wait_says_what_an_instance_waits_for_that_was_not_in_time(self):
        self.pawl("deploy", ORDER)
        words = ("start", "order", "--vars", ORDER_VARIABLES, "--business-id", "A-1", "--if-exists", "give", "--wait",
                 "--timeout", "300ms")
        said = self.pawl(*words, code=4)
        (row,) = self.json("instances")
        self.assertIn(f"instance {row['key']} of order v1 has not completed within 300 ms and runs on", said)
        self.assertIn('waits for job "charge"', said)
        self.assertIn(f"instance {row['key']} of order v1, which was there before, has not", self.pawl(*words, code=4))
        told = self.unfinished(*words, code=4)
        self.assertEqual((told["processInstanceKey"], told["state"], told["existing"]), (row["key"], "waiting", True))
        self.assertIn({"element": "charge", "for": 'job "charge"'}, told["waiting"])
        self.pawl("cancel", row["key"])
        self.assertIn("it was cancelled", self.pawl(*words, code=3))

    def unfinished(self, *words, code):
        done = subprocess.run([PAWL, *words, "--json", "--server", self.server.grpc], capture_output=True, text=True,
                              timeout=60)
        self.assertEqual(done.returncode, code, done.stderr)
        return json.loads(done.stdout)

    def test_start_and_wait_tells_the_incident_that_an_instance_stands_at(self):
        file = os.path.join(self.folder, "model.bpmn")
        pathlib.Path(file).write_text(script_process("throw new Error('no luck')"))
        self.pawl("deploy", file)
        words = ("start", "p", "--wait", "--timeout", "300ms")
        said = self.pawl(*words, code=3)
        for text in ("instance ", 'incident at "work"', "no luck", "pawl show "):
            self.assertIn(text, said)
        told = self.unfinished(*words, code=3)
        self.assertEqual((told["state"], told["incidents"][0]["element"]), ("incident", "work"))

    def test_start_and_wait_gives_all_variables_also_large_ones(self):
        file = os.path.join(self.folder, "model.bpmn")
        pathlib.Path(file).write_text(EMPTY)
        self.pawl("deploy", file)
        big = os.path.join(self.folder, "big.json")
        pathlib.Path(big).write_text(json.dumps({"a": "x" * 900_000, "b": "y" * 900_000, "c": {"d": [1, None]}}))
        told = self.json("start", "p", "--vars", "@" + big, "--wait")
        self.assertEqual(told["variables"], json.loads(pathlib.Path(big).read_text()))
        self.assertEqual(told["state"], "completed")

    def test_an_incident_is_found_repaired_and_resolved(self):
        self.start_order()
        environment = {**os.environ, "PAWL_SERVER": self.server.grpc}
        subprocess.run([PAWL, "worker", "charge", "--jobs", "3", "--", "echo no card >&2; exit 1"], timeout=60,
                       env=environment, stdout=subprocess.DEVNULL, check=True)
        (incident,) = self.json("incidents")
        self.assertEqual(incident["type"], "JOB_NO_RETRIES")
        self.assertIn("no card", self.pawl("incidents"))
        self.pawl("resolve", str(incident["key"]))
        self.assertEqual(self.json("incidents"), [])
        (job,) = self.json("jobs", "--type", "charge")
        self.assertEqual(job["retries"], 1)
        self.assertIn("no incidents", self.pawl("incidents"))

    def test_incidents_have_the_same_words_everywhere(self):
        self.server.stop()
        self.serve("--max-steps", "1000")
        circle = os.path.join(self.folder, "circle.bpmn")
        pathlib.Path(circle).write_text(CIRCLE)
        self.pawl("deploy", circle)
        key = self.json("start", "p")["processInstanceKey"]
        shown = self.json("show", key)
        self.assertEqual([one["type"] for one in shown["incidents"]], ["ENDLESS_LOOP"])
        self.assertEqual(self.json("incidents"), shown["incidents"])
        beside = subprocess.run([PAWL, "incidents", "--data", self.data], capture_output=True, text=True, timeout=60)
        self.assertEqual(self.pawl("incidents"), beside.stdout)

    def test_variables_are_set_and_an_instance_is_cancelled_once(self):
        key = self.start_order()
        self.assertIn("set needs --vars", self.pawl("set", key, code=2))
        self.assertIn("1 variable is set", self.pawl("set", key, "--vars", '{"note": "gift"}'))
        self.assertEqual(self.json("show", key)["variables"]["note"], "gift")
        self.pawl("cancel", key)
        self.assertIn("NOT_FOUND", self.pawl("cancel", key, code=1))

    def test_a_wrong_value_is_refused_with_the_name_of_its_option(self):
        self.pawl("deploy", ORDER)
        for version in ("x", "0", "1.5"):
            self.assertIn("--version: expected a number", self.pawl("start", "order", "--version", version, code=1))
        self.assertIn("--timeout 0s", self.pawl("worker", "charge", "--timeout", "0s", "--", "cat", code=1))

    def test_a_running_loop_gets_more_iterations_and_ends_early_M14(self):
        self.pawl("deploy", str(EXAMPLES / "multi-instance" / "collection.bpmn"))
        key = str(self.json("start", "collection", "--vars", '{"lines": ["A", "B"]}')["processInstanceKey"])
        body = next(str(one["key"]) for one in self.json("show", key)["elements"] if one["body"])
        self.assertIn("1 iteration is added", self.pawl("loop", body, "--items", '["C"]'))
        self.assertEqual(next(one for one in self.json("show", key)["elements"] if one["body"])["total"], 3)
        self.assertIn("give a list of items", self.pawl("loop", body, "--add", "2", code=1))
        self.assertIn("needs one of", self.pawl("loop", body, code=2))
        removed, skipped = [str(one["key"]) for one in self.json("show", key)["elements"] if one.get("iteration")][:2]
        self.assertIn("removed: iteration " + removed, self.pawl("loop", removed, "--remove"))
        self.assertIn("removed: iteration " + skipped, self.pawl("loop", skipped, "--skip"))
        loop = next(one for one in self.json("show", key)["elements"] if one["body"])
        self.assertEqual([loop[name] for name in ("done", "active", "failed", "cancelled", "total")], [1, 1, 0, 0, 2])
        self.assertIn("loop, 1 of 2 iterations done, 1 active", self.pawl("show", key))
        self.assertIn("NOT_FOUND", self.pawl("loop", removed, "--remove", code=1))
        self.assertIn("completed", self.pawl("loop", body, "--complete"))
        self.assertIn("NOT_FOUND", self.pawl("loop", body, "--cancel", code=1))

    def test_elements_are_started_in_an_ad_hoc_sub_process_Z452(self):
        self.pawl("deploy", str(EXAMPLES / "ad-hoc" / "support.bpmn"))
        key = str(self.json("start", "support", "--vars", '{"first": [], "solved": true}')["processInstanceKey"])
        case = next(str(one["key"]) for one in self.json("show", key)["elements"] if one["element"] == "solve")
        self.assertIn('waits for somebody to start "search" or "call" or "visit"', self.pawl("show", key))
        self.assertIn("1 element is started", self.pawl("activate", case, "call", "--vars", '{"by": "ada"}'))
        self.assertIn("2 elements are started", self.pawl("activate", case, "visit", "search", "--cancel"))
        self.assertEqual({job["type"] for job in self.json("jobs")}, {"visit", "search"})
        self.assertEqual([one["element"] for one in self.json("show", key)["elements"] if one["path"]], ["solve"] * 2)
        self.assertIn("is not where a path", self.pawl("activate", case, "note", code=1))
        self.assertIn("something is active in it", self.pawl("activate", case, "--complete", code=1))
        self.assertIn("needs elements to start", self.pawl("activate", case, code=2))
        self.assertIn("NOT_FOUND", self.pawl("activate", key, "visit", code=1))

    def test_an_ad_hoc_sub_process_in_which_nothing_runs_is_completed_C175(self):
        self.pawl("deploy", str(EXAMPLES / "ad-hoc" / "support.bpmn"))
        key = str(self.json("start", "support", "--vars", '{"first": [], "solved": false}')["processInstanceKey"])
        case = next(str(one["key"]) for one in self.json("show", key)["elements"] if one["element"] == "solve")
        self.assertIn("completed", self.pawl("activate", case, "--complete"))
        self.assertEqual(self.json("show", key)["state"], "completed")

    def test_a_running_instance_is_migrated_to_the_next_version_Z469(self):
        key = self.start_order()
        with open(ORDER, encoding="utf-8") as file:
            model = file.read()
        changed = os.path.join(self.folder, "order.bpmn")
        with open(changed, "w", encoding="utf-8") as file:
            file.write(model.replace('"charge"', '"collect"'))
        self.pawl("deploy", changed)
        self.assertIn("needs --to", self.pawl("migrate", key, code=2))
        self.assertIn("expected SOURCE=TARGET", self.pawl("migrate", key, "--to", "order", "--map", "charge", code=1))
        self.assertIn("expected PROCESS", self.pawl("migrate", key, "--to", "order:x", code=1))
        self.assertIn("has no version 9", self.pawl("migrate", key, "--to", "order:9", code=1))
        self.assertIn("is not mapped", self.pawl("migrate", key, "--to", "order", code=1))
        self.assertIn("follows process order:2", self.pawl("migrate", key, "--to", "order:2", "--map", "charge=collect"))
        shown = self.json("show", key)
        self.assertEqual(shown["version"], 2)
        self.assertIn("collect", [one["element"] for one in shown["elements"]])

    def test_messages_and_signals_are_published(self):
        first = self.json("publish", "paid", "--key", "A-1", "--ttl", "1h", "--id", "m-1", "--vars", '{"x": 1}')
        self.assertTrue(int(first["messageKey"]) > 0)
        self.assertIn("ALREADY_EXISTS", self.pawl("publish", "paid", "--key", "A-1", "--ttl", "1h", "--id", "m-1", code=1))
        self.assertIn("broadcast", self.pawl("signal", "closing"))

    def work(self, kind, command, *options, jobs=1, code=0, env=None):
        environment = {**os.environ, "PAWL_SERVER": self.server.grpc, **(env or {})}
        done = subprocess.run([PAWL, "worker", kind, "--jobs", str(jobs), *options, "--", command], capture_output=True,
                              text=True, timeout=60, env=environment)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def test_e5_a_worker_says_what_became_of_each_job(self):
        for command, said in [("echo no card >&2; exit 1", "failed, 2 retries left, again in 1000 ms: the command ended "
                               "with exit code 1: no card"),
                              ("echo hello", "failed, 2 retries left, again in 1000 ms: the output is not a JSON object"),
                              ("no-such-program", "exit code 127 (there is no such program)"),
                              ("echo broken >&2; exit 42", 'threw the BPMN error "broken"'),
                              ("echo a warning >&2; echo '{}'", "a warning"),
                              ("echo '{}'", "completed")]:
            self.start_order()
            with self.subTest(command):
                self.assertIn(said, self.work("charge", command))

    def test_an_answer_that_the_server_refuses_fails_the_job_until_there_is_an_incident(self):
        self.server.stop()
        self.serve("--max-value", "10K", "--max-message", "100K")
        for size, reason in [(20_000, "--max-value"), (200_000, "--max-message"), (40_000_000, "--max-message")]:
            with self.subTest(size):
                key = self.start_order()
                said = self.work("charge", f"""printf '{{"x": "'; head -c {size} /dev/zero | tr '\\0' x; printf '"}}'""",
                                 "--backoff", "10ms", jobs=3)
                for text in ("2 retries left, again in 10 ms", "1 retry left, again in 20 ms", "no retries left", reason):
                    self.assertIn(text, said[:10_000])
                (incident,) = self.json("incidents")
                self.assertEqual(incident["type"], "JOB_NO_RETRIES")
                self.assertIn("the server refuses the answer of the command", incident["message"])
                self.pawl("cancel", key)

    def test_a_command_that_throws_no_code_fails_its_job(self):
        self.start_order()
        said = self.work("charge", "exit 42")
        self.assertIn("failed, 2 retries left, again in 1000 ms: the command ended with exit code 42, which throws a BPMN "
                      "error, but the first line of its standard error is empty", said)

    def test_a_job_that_is_gone_is_not_failed(self):
        key = self.start_order()
        done = self.work("charge", f"{PAWL} cancel {key} >/dev/null; echo '{{}}'")
        self.assertIn("gone, nothing is answered", done)

    def test_e5_a_failed_job_waits_longer_each_time(self):
        self.start_order()
        said = self.work("charge", "exit 1", "--backoff", "10ms", jobs=3)
        for text in ("2 retries left, again in 10 ms", "1 retry left, again in 20 ms", "no retries left"):
            self.assertIn(text, said)

    def test_c14_a_worker_command_does_not_see_the_token(self):
        self.start_order()
        said = self.work("charge", "env >&2; echo '{}'", env={"PAWL_TOKEN": "t0ken", "PAWL_PASSWORD": "pass-w0rd"})
        self.assertIn("PATH=", said)
        self.assertNotIn("t0ken", said)
        self.assertNotIn("pass-w0rd", said)

    def test_c14_control_characters_of_workers_are_written_out(self):
        self.start_order()
        self.work("charge", r"printf '\033]0;gotcha\007' >&2; exit 1")
        for words in (("jobs",), ("show", self.json("jobs")[0]["instance"])):
            self.assertNotIn("\033", self.pawl(*words))
        self.assertIn(r"\x1B]0;gotcha\x07", self.pawl("jobs"))

    def test_c18_a_refused_worker_says_why_and_fails(self):
        secrets = os.path.join(self.folder, "secrets")
        with open(secrets, "w") as file:
            file.write("token right\n")
        self.server.stop()
        self.serve("--auth", secrets)
        self.assertIn("PAWL_TOKEN", self.work("charge", "cat", code=1, env={"PAWL_TOKEN": "wrong"}))

    def test_c18_instances_are_the_same_from_a_server_and_from_its_directory(self):
        self.start_order()
        self.json("start", "order", "--vars", ORDER_VARIABLES, "--business-id", "B-1")
        asked = self.json("instances")
        beside = subprocess.run([PAWL, "instances", "--data", self.data, "--json"], capture_output=True, text=True,
                                timeout=60)
        self.assertEqual(asked, json.loads(beside.stdout))
        self.assertTrue(all(isinstance(one["key"], str) for one in asked))
        self.assertEqual(self.json("instances", "--state", "completed"), [])
        self.assertEqual(self.json("instances", "--process", "a b"), [])

    def test_c18_a_directory_that_the_environment_names_is_said(self):
        self.start_order()
        done = subprocess.run([PAWL, "instances"], capture_output=True, text=True, timeout=60,
                              env={**os.environ, "PAWL_DATA": self.data})
        self.assertEqual(done.returncode, 0)
        self.assertIn("PAWL_DATA", done.stderr)

    def test_b2_a_business_id_belongs_to_one_active_instance(self):
        self.pawl("deploy", ORDER)
        words = ("start", "order", "--vars", ORDER_VARIABLES, "--business-id", "A-1")
        key = self.json(*words)["processInstanceKey"]
        self.assertIn(key, self.pawl(*words, code=1))
        self.assertIn(f"instance {key} of order v1 was there before", self.pawl(*words, "--if-exists", "give"))
        self.pawl("cancel", key)
        self.assertIn(key, self.pawl(*words, "--if-exists", "refuse", code=1))
        self.assertNotEqual(self.json(*words, "--if-exists", "anew")["processInstanceKey"], key)
        self.assertIn("--if-exists: expected anew, refuse, give or share", self.pawl(*words, "--if-exists", "take", code=1))
        shared = self.json(*words, "--if-exists", "share")["processInstanceKey"]
        self.assertEqual(len(self.json("instances", "--state", "active")), 2)
        self.server.stop()
        self.serve("--business-ids", "shared")
        self.assertNotEqual(self.json(*words)["processInstanceKey"], shared)

    def test_c8_the_server_stops_in_time_whatever_is_searched(self):
        self.pawl("deploy", ORDER)
        big = os.path.join(self.folder, "big.json")
        with open(big, "w") as file:
            json.dump({"t": "a" * 3_000_000}, file)
        self.json("start", "order", "--vars", "@" + big)
        pattern = "*" + "a" * 300 + "?" + "a" * 300 + "b"
        body = json.dumps({"filter": {"value": {"$like": pattern}}}).encode()
        request = urllib.request.Request(f"http://{self.server.http}/v2/variables/search", data=body,
                                         headers={"Content-Type": "application/json"})
        slow = [threading.Thread(target=lambda: self.assertRaises(Exception, urllib.request.urlopen, request, timeout=60))
                for _ in range(4)]
        for thread in slow:
            thread.start()
        time.sleep(0.5)
        began = time.monotonic()
        with urllib.request.urlopen(f"http://{self.server.http}/metrics", timeout=60) as answer:
            self.assertEqual(answer.status, 200)
        self.assertLess(time.monotonic() - began, 4)
        began = time.monotonic()
        code, _ = self.server.stop()
        self.assertEqual(code, 0)
        self.assertLess(time.monotonic() - began, 15)
        for thread in slow:
            thread.join()

    def test_a_worker_that_is_stopped_when_its_command_has_ended_still_answers_with_the_result(self):
        self.start_order()
        said = self.work("charge", """cat >/dev/null; echo '{"receipt": "R-1"}'; kill -TERM $PPID; sleep 0.05""", jobs=5)
        self.assertIn("completed", said)
        self.assertEqual(self.json("jobs", "--type", "charge"), [])

    def test_a_job_whose_command_is_stopped_with_the_worker_keeps_all_retries(self):
        self.start_order()
        said = self.work("charge", "kill -TERM $PPID; sleep 0.1; kill -TERM $$", jobs=5)
        self.assertIn("given back", said)
        (job,) = self.json("jobs", "--type", "charge")
        self.assertEqual(job["retries"], 3, said)

    def test_a_worker_does_no_more_jobs_than_it_was_told_however_many_it_does_at_once(self):
        for _ in range(6):
            self.start_order()
        said = self.work("charge", "cat >/dev/null; sleep 1; echo '{}'", "--parallel", "4", jobs=1)
        self.assertEqual(said.count("completed"), 1, said)
        said = self.work("charge", "cat >/dev/null; sleep 1; echo '{}'", "--parallel", "2", jobs=3)
        self.assertEqual(said.count("completed"), 3, said)
        self.assertEqual(len(self.json("jobs", "--type", "charge")), 2)

    def test_a_stopped_worker_gives_its_job_back_with_all_retries(self):
        self.start_order()
        environment = {**os.environ, "PAWL_SERVER": self.server.grpc}
        worker = subprocess.Popen([PAWL, "worker", "charge", "--", "sleep 60"], env=environment, stdout=subprocess.PIPE,
                                  text=True)
        worker.stdout.readline()
        time.sleep(1.5)
        worker.send_signal(signal.SIGTERM)
        self.assertEqual(worker.wait(timeout=20), 0)
        worker.stdout.close()
        (job,) = self.json("jobs", "--type", "charge")
        self.assertEqual(job["retries"], 3)

    def test_a_worker_says_once_that_its_server_is_gone_and_that_it_is_back(self):
        address = self.server.grpc
        worker = subprocess.Popen([PAWL, "worker", "nothing", "--parallel", "3", "--server", address, "--", "cat"],
                                  stdout=subprocess.PIPE, text=True)
        worker.stdout.readline()
        time.sleep(0.3)
        self.server.stop(signal.SIGKILL)
        self.assertIn("cannot be reached", worker.stdout.readline())
        self.serve(grpc=address)
        self.assertEqual(worker.stdout.readline(), f"the server at {address} is back\n")
        worker.send_signal(signal.SIGTERM)
        self.assertEqual(worker.communicate(timeout=20)[0], "")

    def test_a_backup_is_made_while_it_works_and_goes_on_by_itself(self):
        key = self.start_order()
        self.assertIn("--backups DIR", self.pawl("backup", "copy", code=1))
        self.server.stop()
        backups = os.path.join(self.folder, "backups")
        os.mkdir(backups)
        self.serve("--backups", backups)
        copy = os.path.join(backups, "copy")
        self.assertIn("record", self.pawl("backup", "copy"))
        self.assertIn("already", self.pawl("backup", "copy", code=1))
        self.assertIn("not a path", self.pawl("backup", os.path.join(self.folder, "x"), code=1))
        self.server.stop(signal.SIGKILL)
        subprocess.run([PAWL, "verify", copy], check=True, capture_output=True, timeout=60)
        self.data = copy
        self.serve()
        self.assertIn('waits for job "charge"', self.pawl("show", key))

    def test_everything_survives_kill_9(self):
        key = self.start_order()
        self.server.stop(signal.SIGKILL)
        self.serve()
        self.assertIn('waits for job "charge"', self.pawl("show", key))

    def test_a_second_server_on_the_same_data_is_refused(self):
        done = subprocess.run([PAWL, "serve", "--data", self.data, "--grpc", "127.0.0.1:0", "--http", "127.0.0.1:0"],
                              capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 5, done.stderr)
        self.assertIn(self.data, done.stderr)

    def test_a_server_whose_address_is_in_use_leaves_no_data(self):
        fresh = os.path.join(self.folder, "fresh")
        for flag, other in (("--grpc", "--http"), ("--http", "--grpc")):
            done = subprocess.run([PAWL, "serve", "--data", fresh, flag, self.server.grpc, other, "127.0.0.1:0"],
                                  capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 5, done.stderr)
            self.assertIn(f"give another one with {flag}", done.stderr)
            self.assertFalse(os.path.exists(fresh))

    def test_sigterm_ends_it_well_also_while_polls_wait(self):
        environment = {**os.environ, "PAWL_SERVER": self.server.grpc}
        worker = subprocess.Popen([PAWL, "worker", "nothing", "--parallel", "4", "--", "cat"], env=environment,
                                  stdout=subprocess.PIPE, text=True)
        worker.stdout.readline()
        time.sleep(0.5)
        began = time.monotonic()
        code, log = self.server.stop()
        self.assertEqual(code, 0, log)
        self.assertLess(time.monotonic() - began, 10)
        worker.send_signal(signal.SIGTERM)
        worker.wait(timeout=20)
        worker.stdout.close()

    def test_top_and_metrics_show_what_happens(self):
        self.start_order()
        self.assertIn("deploy", self.pawl("top", "--once", "--every", "100ms"))
        text = ""
        for _ in range(50):  # the index may be a moment behind
            with urllib.request.urlopen(f"http://{self.server.http}/metrics") as answer:
                text = answer.read().decode()
            if 'pawl_jobs_open{type="charge"} 1' in text:
                break
            time.sleep(0.1)
        self.assertIn('pawl_jobs_open{type="charge"} 1', text)
        self.assertIn('pawl_requests_total{operation="start",outcome="OK"} 1', text)
        self.assertRegex(text, r"pawl_commits_total [1-9]")
        self.assertIn("pawl_incidents_open 0", text)
        with urllib.request.urlopen(f"http://{self.server.http}/health/ready") as answer:
            self.assertEqual(answer.status, 200)

    def test_nobody_there_is_said_with_what_to_do(self):
        said = self.pawl("instances", "--server", "127.0.0.1:1", code=5)
        self.assertIn("is `pawl serve` running there?", said)

    def test_what_is_wrong_with_tls_is_said_with_what_to_do(self):
        plain = self.server.grpc
        key, certificate = (os.path.join(self.folder, name) for name in ("key.pem", "cert.pem"))
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate,
                        "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"], check=True,
                       capture_output=True, timeout=60)
        self.assertIn(f"write http://{plain}", self.pawl("instances", "--server", f"https://{plain}", code=5))
        self.server.stop()
        self.serve("--tls-cert", certificate, "--tls-key", key)
        address = self.server.grpc
        named = "https://" + address.replace("127.0.0.1", "localhost")
        self.assertIn(f"write https://{address}", self.pawl("instances", code=5))
        self.assertIn("set PAWL_CA", self.pawl("instances", "--server", named, code=5))
        missing = os.path.join(self.folder, "missing.pem")
        for file in (missing, key):
            said = self.pawl("instances", "--server", named, code=1, env={"PAWL_CA": file})
            self.assertIn(f'PAWL_CA names the file "{file}", which cannot be used', said)
        said = self.pawl("instances", "--server", "https://" + address, code=5, env={"PAWL_CA": certificate})
        self.assertIn('for another name than "127.0.0.1"', said)
        self.pawl("instances", "--server", named, env={"PAWL_CA": certificate})

    def test_secrets_are_asked_for_and_never_logged(self):
        self.server.stop()
        secrets = os.path.join(self.folder, "secrets")
        pathlib.Path(secrets).write_text("token very-secret  # for tests\nuser ada lovelace\n")
        self.serve("--auth", secrets)
        self.assertIn("sign in", self.pawl("instances", code=1))
        self.pawl("instances", env={"PAWL_TOKEN": "very-secret"})
        self.pawl("instances", env={"PAWL_USER": "ada", "PAWL_PASSWORD": "lovelace"})
        self.assertIn("does not know the token in PAWL_TOKEN", self.pawl("instances", code=1, env={"PAWL_TOKEN": "wrong"}))
        self.assertIn('does not know the user "ada"', self.pawl("instances", code=1, env={"PAWL_USER": "ada"}))
        _, log = self.server.stop()
        self.assertNotIn("very-secret", log)
        self.assertNotIn("lovelace", log)

    def test_settings_come_from_flags_then_the_environment_then_the_file(self):
        self.server.stop()
        config = os.path.join(self.folder, "pawl.conf")
        pathlib.Path(config).write_text("# settings\nshards = 3\nlog-json = true\nmemory = 1M\n")
        self.serve("--config", config)
        with urllib.request.urlopen(f"http://{self.server.http}/v2/topology") as answer:
            topology = json.load(answer)
        self.assertEqual(topology["partitionsCount"], 3)
        _, log = self.server.stop()
        self.assertTrue(all(json.loads(line) for line in log.splitlines()), log)
        pathlib.Path(config).write_text("colour = blue\n")
        done = subprocess.run([PAWL, "serve", "--config", config], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 1)
        self.assertIn("line 1", done.stderr)


if __name__ == "__main__":
    unittest.main()
