# SPDX-License-Identifier: Apache-2.0
"""The commands on a data directory: what a run leaves there, how it goes on, and how it is looked at."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import time
import unittest

sys.dont_write_bytecode = True
import models  # noqa: E402
from program import PAWL, Contract, run  # noqa: E402


class Data(Contract):
    def setUp(self):
        super().setUp()
        self.data = os.path.join(self.folder, "data")
        self.model = self.file("m.bpmn", models.JOB)

    def run_json(self, *words):
        outcome = run("run", self.model, "--data", self.data, "--json", *words)
        return outcome.code, json.loads(outcome.out) if outcome.out else outcome.err

    def ask(self, *words):
        """What a command with --json prints."""
        outcome = run(*words, "--data", self.data, "--json")
        self.assertEqual(outcome.code, 0, outcome)
        return json.loads(outcome.out)

    def assert_right(self):
        outcome = run("verify", self.data)
        self.assertEqual((outcome.code, outcome.err), (0, ""), outcome)

    def test_a_run_goes_on_where_the_last_one_stopped(self):
        code, first = self.run_json("--vars", '{"amount": 5}')
        self.assertEqual((code, first["state"]), (4, "waiting"))
        code, second = self.run_json("--resume", "--job", 'charge={"paid": true}')
        self.assertEqual((code, second["state"]), (0, "completed"))
        self.assertEqual(second["instance"], first["instance"])
        self.assertEqual(second["variables"], {"amount": 5, "paid": True})
        self.assertEqual(second["path"][0], "start")  # also what happened before
        self.assert_right()

    def test_a_killed_run_is_seen_and_resumed(self):
        words = [PAWL, "run", self.model, "--data", self.data, "--vars", '{"amount": 5}', "--worker", "charge=sleep 60"]
        with subprocess.Popen(words, stdout=subprocess.DEVNULL, start_new_session=True) as child:
            self.addCleanup(self.end_group, child.pid)
            for _ in range(600):  # beside the process that runs
                outcome = run("instances", "--data", self.data, "--json")
                if outcome.code == 0 and len(json.loads(outcome.out)) == 1:
                    break
                time.sleep(0.05)
            self.assert_complains(run("run", self.model, "--data", self.data), 5, "works with this directory")
            self.assert_complains(run("verify", self.data), 5, "works with this directory")
            child.kill()
        self.assertEqual(self.ask("instances")[0]["state"], "active")
        code, answer = self.run_json("--resume", "--job", "charge={}")
        self.assertEqual((code, answer["state"], answer["variables"]), (0, "completed", {"amount": 5}))
        self.assert_right()

    @staticmethod
    def end_group(group):
        """The worker's shell outlives the killed run."""
        try:
            os.killpg(group, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def test_a_run_on_data_ends_as_one_in_memory(self):
        rows = [
            (models.EMPTY, []),
            (models.JOB, ["--job", 'charge={"paid": true}']),
            (models.JOB, ["--job", "charge=fail:no money"]),
            (models.JOB, ["--job", "charge=error:declined"]),
            (models.script_process("_context.b = 1;"), []),
            (models.WAITING, []),
            (models.WAITING, ["--message", 'paid={"sum": 3}']),
            (models.timed(models.boundary(models.AFTER_2H)), []),  # virtual time passes
            (models.timed(models.boundary(models.EVERY_HOUR, False)), []),
            (models.timed(models.boundary(models.ON_SIGNAL)), ["--signal", 'stop={"why": 1}']),
        ]
        for number, (model, words) in enumerate(rows):
            with self.subTest(words=words):
                file = self.file("same.bpmn", model)
                memory = run("run", file, "--json", *words)
                durable = run("run", file, "--json", *words, "--data", f"{self.data}{number}")
                self.assertEqual(memory.code, durable.code, durable)
                expected, seen = json.loads(memory.out), json.loads(durable.out)
                for answer in (expected, seen):
                    del answer["instance"], answer["waiting"][:]  # timers name the hour
                self.assertEqual(seen, expected)

    def test_the_examples_end_on_data_as_in_memory(self):
        order = pathlib.Path(__file__).resolve().parents[2] / "examples" / "order"
        words = [str(order / "order.bpmn"), "--vars", f"@{order / 'order.json'}", "--job", "charge={}", "--json"]
        memory, durable = json.loads(run("run", *words).out), json.loads(run("run", *words, "--data", self.data).out)
        self.assertEqual((durable["state"], durable["path"], durable["events"]),
                         (memory["state"], memory["path"], memory["events"]))

    def test_resume_needs_one_unfinished_instance(self):
        self.assert_complains(run("run", self.model, "--data", self.data, "--resume"), 1, "no unfinished instance")
        self.run_json()
        self.run_json()
        self.assert_complains(run("run", self.model, "--data", self.data, "--resume"), 1, "2 unfinished instances")
        self.assert_complains(run("run", self.model, "--resume"), 1, "--data DIR")

    def test_instances_are_listed_by_state_and_process(self):
        self.run_json()
        self.run_json("--job", "charge={}")
        rows = [([], 2), (["--state", "active"], 1), (["--state", "completed"], 1), (["--process", "other"], 0)]
        for words, count in rows:
            with self.subTest(words=words):
                self.assertEqual(len(self.ask("instances", *words)), count)
        self.assert_complains(run("instances", "--data", self.data, "--state", "odd"), 1, "none of")
        self.assertIn("active", run("instances", "--data", self.data).out)

    def test_an_instance_is_shown_with_what_it_waits_for(self):
        _, waiting = self.run_json("--vars", '{"amount": 5}')
        shown = self.ask("show", str(waiting["instance"]))
        self.assertEqual((shown["state"], shown["variables"]), ("active", {"amount": 5}))
        work = [one for one in shown["elements"] if one["element"] == "work"][0]
        self.assertEqual(work["waiting"], ['job "charge"'])
        self.assertEqual(self.ask("show", str(work["job"]))["instance"], waiting["instance"])
        text = run("show", str(waiting["instance"]), "--data", self.data).out
        self.assertIn('waits for job "charge"', text)
        self.assertIn("amount = 5", text)

    def test_incidents_say_where_and_why(self):
        self.run_json("--job", "charge=error:declined")
        incidents = self.ask("incidents")
        self.assertEqual([one["element"] for one in incidents], ["work"])
        self.assertIn("declined", incidents[0]["message"])
        self.assertIn("declined", run("incidents", "--data", self.data).out)
        self.assertIn("declined", run("show", str(incidents[0]["key"]), "--data", self.data).out)

    def test_a_damaged_index_is_named_and_made_anew(self):
        self.run_json()
        index = os.path.join(self.data, "index.db")
        with open(index, "r+b") as file:
            file.write(b"no database" * 100)
        self.assert_complains(run("instances", "--data", self.data), 5, "pawl reindex")
        self.assert_complains(run("run", self.model, "--data", self.data), 5, "pawl reindex")
        self.assert_complains(run("verify", self.data), 1, "damaged")
        self.assertEqual(run("reindex", self.data).code, 0)
        self.assertEqual(len(self.ask("instances")), 1)
        self.assert_right()

    def test_a_damaged_journal_is_found(self):
        self.run_json("--job", "charge={}")
        folder = pathlib.Path(self.data) / "journal"
        segment = sorted(folder.glob("journal-*"))[0]
        with open(segment, "r+b") as file:
            file.seek(600)
            file.write(b"\xff" * 8)
        self.assert_complains(run("verify", self.data), 1, segment.name)

    def test_where_there_is_no_data_nothing_is_made(self):
        nowhere = os.path.join(self.folder, "nowhere")
        rows = [["instances", "--data", nowhere], ["incidents", "--data", nowhere], ["show", "1", "--data", nowhere],
                ["verify", nowhere], ["reindex", nowhere]]
        for words in rows:
            with self.subTest(words=words):
                self.assert_complains(run(*words), 5, "no data")
        self.assertFalse(os.path.exists(nowhere))
        self.assert_complains(run("instances", environment={"PAWL_DATA": ""}), 1, "--data DIR")
        self.assert_complains(run("show", "order", "--data", nowhere), 1, "no key")


if __name__ == "__main__":
    unittest.main()
