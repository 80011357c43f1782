"""Prints the tests that were started and have not ended, from a log of the test program."""

import re
import sys

NAME = r"(?:Test|Suite) (\".*?\"|\S+)"
ENDED = re.compile(rf"[✔✘➜] {NAME}(?: with .*)? (?:passed|failed|skipped|was cancelled)")
running: dict[str, None] = {}
for line in open(sys.argv[1], encoding="utf-8", errors="replace"):
    if (started := re.match(rf"◇ {NAME} started\.", line)) and started[1] != "run":
        running[started[1]] = None
    # An argument with a zero byte ends its line early, and the next entry follows in the same line.
    elif ended := ENDED.search(line):
        running.pop(ended[1], None)
print("\n".join(running) or "none")
