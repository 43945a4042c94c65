# SPDX-License-Identifier: Apache-2.0
"""`make hostile`: every hostile input against the program that is shipped. Prints one line for each, and ends with
1 if one of them does not hold. Words after it choose inputs whose names contain them."""
import sys
import time

sys.dont_write_bytecode = True
from harness import MEGABYTES, P99, measure  # noqa: E402
from inputs_expressions import EXPRESSIONS  # noqa: E402
from inputs_frames import FRAMES  # noqa: E402
from inputs_leaving import LEAVING  # noqa: E402
from inputs_models import MODELS  # noqa: E402
from inputs_requests import REQUESTS  # noqa: E402
from inputs_restarts import RESTARTS  # noqa: E402
from inputs_scripts import SCRIPTS  # noqa: E402

INPUTS = [*MODELS, *EXPRESSIONS, *SCRIPTS, *REQUESTS, *FRAMES, *LEAVING, *RESTARTS]


def main(words):
    chosen = [one for one in INPUTS if not words or any(word in one.name for word in words)]
    print(f"{len(chosen)} inputs; each: the server lives, below {MEGABYTES} MB, p99 of another client's start "
          f"below {P99:.0f} ms, and it ends when it is told to")
    print(f"{'input':<46} {'MB':>5} {'p99':>6} {'worst':>7}  outcome")
    began = time.monotonic()
    broken = 0
    for one in chosen:
        verdict = measure(one)
        if verdict.failures:  # the machine may have been busy with something else; twice is no accident
            print(f"{one.name:<46} again: {'; '.join(verdict.failures)}"[:240], flush=True)
            verdict = measure(one)
        short = " ".join(verdict.outcome.split())
        print(f"{one.name:<46} {verdict.megabytes:5.0f} {verdict.p99:6.1f} {verdict.worst:7.1f}  {short[:90]}", flush=True)
        for failure in verdict.failures:
            print(f"    does not hold: {failure}", flush=True)
        broken += bool(verdict.failures)
    print(f"{len(chosen) - broken} of {len(chosen)} hold, in {time.monotonic() - began:.0f} s")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
