# SPDX-License-Identifier: Apache-2.0
"""A real program with the engine inside is killed again and again, at any moment, and loses nothing.

PAWL_LOAD names the program (load.cpp), PAWL the command line; PAWL_KILLS how often it is killed, PAWL_SEED the dice."""
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest

LOAD = os.environ.get("PAWL_LOAD", os.path.join("build", "release", "crash_load"))
PAWL = os.environ.get("PAWL", os.path.join("build", "release", "pawl"))
KILLS = int(os.environ.get("PAWL_KILLS", "200"))
SEED = int(os.environ.get("PAWL_SEED", str(time.time_ns() % 1_000_000)))


class KillLoop(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.data = os.path.join(folder.name, "data")
        self.ledger = os.path.join(folder.name, "ledger")

    def live_and_die(self, seconds):
        """One life: from the first output it has so long, then it is killed."""
        with subprocess.Popen([LOAD, "run", self.data, self.ledger], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as life:
            first = life.stdout.readline()
            if first != "ready\n":
                life.kill()
                self.fail(f"the program did not start: {first}{life.stdout.read()}{life.stderr.read()}")
            time.sleep(seconds)
            self.assertIsNone(life.poll(), "the program ended by itself")
            life.send_signal(signal.SIGKILL)
            life.wait()

    def test_nothing_is_lost_and_nothing_happens_twice(self):
        dice = random.Random(SEED)
        begin = time.monotonic()
        for _ in range(KILLS):
            self.live_and_die(dice.uniform(0.020, 0.150))
        killing = time.monotonic() - begin
        done = subprocess.run([LOAD, "finish", self.data, self.ledger], capture_output=True, text=True,
                              timeout=300, check=False)
        self.assertEqual(done.returncode, 0, f"PAWL_SEED={SEED}\n{done.stdout[-5000:]}\n{done.stderr[-5000:]}")
        verified = subprocess.run([PAWL, "verify", self.data], capture_output=True, text=True, timeout=300,
                                  check=False)
        self.assertEqual(verified.returncode, 0, f"PAWL_SEED={SEED}\n{verified.stdout}\n{verified.stderr[-5000:]}")
        print(f"{KILLS} kills in {killing:.0f} s; {done.stdout.strip()}; {verified.stdout.strip()}", file=sys.stderr)
        # The load must have been one, or the test says nothing.
        acknowledged = pathlib.Path(self.ledger).read_text(encoding="utf-8").count("start ")
        self.assertGreater(acknowledged, KILLS)

    def test_the_check_sees_what_is_lost_or_doubled(self):
        self.live_and_die(0.3)
        told = pathlib.Path(self.ledger).read_text(encoding="utf-8")
        done = [line for line in told.splitlines() if line.startswith("done ")][0]
        rows = [("try 999 0\nstart 999 5\n", "start 999 was acknowledged, but is not there"),
                ("done 5 0\n", "job 5 was told to be done, but is not"),
                (done + "\n", "more than once")]
        for lines, problem in rows:
            with self.subTest(problem=problem):
                with open(self.ledger, "a", encoding="utf-8") as ledger:
                    ledger.write(lines)
                checked = subprocess.run([LOAD, "finish", self.data, self.ledger], capture_output=True, text=True,
                                         timeout=300, check=False)
                self.assertEqual(checked.returncode, 1, checked)
                self.assertIn(problem, checked.stdout)


if __name__ == "__main__":
    unittest.main()
