#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Installs the clients that package-lock.json names into node_modules beside it: once, and again when it changes."""
import fcntl
import hashlib
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
COMMAND = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]


def main():
    if not shutil.which("node") or not shutil.which("npm"):
        sys.exit("tests/clients: node and npm are needed; tools/setup installs them")
    wanted = hashlib.sha256((HERE / "package-lock.json").read_bytes()).hexdigest()
    stamp = HERE / "node_modules" / ".installed"
    with open(HERE / "package-lock.json", encoding="utf-8") as lock:  # two builds may test at once
        fcntl.flock(lock, fcntl.LOCK_EX)
        if stamp.exists() and stamp.read_text(encoding="ascii") == wanted:
            return
        for attempt in (1, 2):
            if subprocess.run(COMMAND, cwd=HERE, check=False).returncode == 0:
                break
            if attempt == 2:
                sys.exit("tests/clients: npm could not install the clients; is registry.npmjs.org reachable?")
        stamp.write_text(wanted, encoding="ascii")


if __name__ == "__main__":
    main()
