# SPDX-License-Identifier: Apache-2.0
"""Where JavaScript runs: --scripts off|process|inline of `pawl run` and `pawl serve`, with the real helper process."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True
import models  # noqa: E402
import server_test  # noqa: E402
from program import PAWL, Contract, run  # noqa: E402
from server_test import Server  # noqa: E402

SUM = models.script_process("_context.sum = a + b")
ENDLESS = models.process('<startEvent id="start"/>\n<scriptTask id="work" scriptFormat="javascript">'
                         '<script>while (true) {}</script></scriptTask>\n<endEvent id="end"/>\n'
                         '<sequenceFlow id="f1" sourceRef="start" targetRef="work"/>\n'
                         '<sequenceFlow id="f2" sourceRef="work" targetRef="end"/>', "endless")


class Run(Contract):
    def test_results_are_the_same_in_a_process_and_inline(self):
        model = self.file("m.bpmn", SUM)
        for where in ("process", "inline"):
            with self.subTest(where):
                outcome = run("run", model, "--vars", '{"a": 1, "b": 2}', "--json", "--scripts", where)
                self.assertEqual(outcome.code, 0, outcome)
                self.assertEqual(json.loads(outcome.out)["variables"]["sum"], 3)

    def test_off_refuses_with_the_place_and_what_to_do(self):
        model = self.file("m.bpmn", SUM)
        outcome = run("run", model, "--scripts", "off")
        self.assertEqual(outcome.code, 1, outcome)
        for part in ("m.bpmn:5:", "scripts are switched off", "--scripts process", "FEEL"):
            self.assertIn(part, outcome.err)
        outcome = run("run", self.file("empty.bpmn", models.EMPTY), "--scripts", "off")
        self.assertEqual(outcome.code, 0, outcome)

    def test_another_word_is_a_sentence(self):
        outcome = run("run", self.file("m.bpmn", SUM), "--scripts", "on")
        self.assertEqual(outcome.code, 1, outcome)
        for part in ("--scripts", "off", "process", "inline", '"on"'):
            self.assertIn(part, outcome.err)

    def test_the_helper_without_a_parent_ends_at_once(self):
        self.assertNotEqual(run("--script-helper").code, -9)


class Serve(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.models = {}
        for name, text in [("sum", SUM), ("endless", ENDLESS)]:
            self.models[name] = str(self.folder / f"{name}.bpmn")
            pathlib.Path(self.models[name]).write_text(text, encoding="utf-8")

    def serve(self, *options):
        server = Server(str(self.folder / "data"), *options)
        self.addCleanup(server.stop, signal.SIGKILL)
        return server

    def pawl(self, server, *words, code=0):
        environment = {**os.environ, "PAWL_SERVER": server.grpc}
        done = subprocess.run([PAWL, *words], capture_output=True, text=True, timeout=120, env=environment)
        self.assertEqual(done.returncode, code, f"{words}: {done.stdout}{done.stderr}")
        return done.stdout if code == 0 else done.stderr

    def adds(self, server):
        said = self.pawl(server, "start", "p", "--vars", '{"a": 1, "b": 2}', "--wait", "--json")
        self.assertEqual(json.loads(said)["variables"]["sum"], 3, said)

    def incidents(self, server, count=1):
        found = []
        for _ in range(200):
            found = json.loads(self.pawl(server, "incidents", "--json"))
            if len(found) >= count:
                break
            time.sleep(0.05)
        self.assertEqual(len(found), count)
        return found

    def helpers(self, server):
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
                parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
            except (OSError, ValueError, IndexError):
                continue
            if parent == server.process.pid and b"--script-helper" in words:
                found.append(int(entry.name))
        return found

    def test_scripts_run_in_a_process_unless_told_otherwise(self):
        server = self.serve()
        self.pawl(server, "deploy", self.models["sum"])
        self.adds(server)
        self.assertGreaterEqual(len(self.helpers(server)), 1)
        server.stop()
        server = self.serve("--scripts", "inline")
        self.adds(server)
        self.assertEqual(self.helpers(server), [])

    def test_off_refuses_the_deployment_and_stops_what_was_deployed_before_with_an_incident(self):
        server = self.serve()
        self.pawl(server, "deploy", self.models["sum"])
        server.stop()
        server = self.serve("--scripts", "off")
        said = self.pawl(server, "deploy", self.models["endless"], code=1)
        for part in ("endless.bpmn:5:", "scripts are switched off", "--scripts process"):
            self.assertIn(part, said)
        self.pawl(server, "start", "p", "--vars", '{"a": 1, "b": 2}')
        (incident,) = self.incidents(server)
        self.assertIn("switched off", json.dumps(incident))
        server.stop()
        server = self.serve("--scripts", "process")
        self.pawl(server, "resolve", str(incident["key"]))
        self.assertEqual(json.loads(self.pawl(server, "incidents", "--json")), [])

    def test_a_helper_that_is_killed_is_an_incident_and_the_next_script_gets_another(self):
        server = self.serve()
        self.pawl(server, "deploy", self.models["sum"], self.models["endless"])
        for helper in self.helpers(server):
            os.kill(helper, signal.SIGKILL)
        self.adds(server)
        self.pawl(server, "start", "endless")
        (incident,) = self.incidents(server)
        self.assertIn("the script was stopped", json.dumps(incident))
        self.adds(server)

    def test_sigterm_does_not_wait_for_scripts_and_leaves_no_helper(self):
        server = self.serve()
        self.pawl(server, "deploy", self.models["endless"])
        environment = {**os.environ, "PAWL_SERVER": server.grpc}
        starts = [subprocess.Popen([PAWL, "start", "endless"], env=environment, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL) for _ in range(20)]
        time.sleep(1)
        helpers = self.helpers(server)
        began = time.monotonic()
        code, log = server.stop()
        self.assertEqual(code, 0, log)
        self.assertLess(time.monotonic() - began, 8)
        for start in starts:
            start.wait(timeout=30)
        time.sleep(0.2)
        for helper in helpers:
            state = pathlib.Path(f"/proc/{helper}/stat")
            self.assertTrue(not state.exists() or " Z " in state.read_text(), helper)

    def test_a_stripped_program_that_was_replaced_meanwhile_still_has_helpers(self):
        copy = str(self.folder / "pawl")
        shutil.copy(PAWL, copy)
        if shutil.which("strip"):
            subprocess.run(["strip", copy], check=True)
        server_test.PAWL, before = copy, server_test.PAWL
        try:
            server = self.serve()
        finally:
            server_test.PAWL = before
        os.remove(copy)
        for helper in self.helpers(server):
            os.kill(helper, signal.SIGKILL)
        self.pawl(server, "deploy", self.models["sum"])
        self.adds(server)


if __name__ == "__main__":
    unittest.main()
