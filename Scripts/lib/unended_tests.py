"""Prints the tests that were started and have not ended, from a log of `swift test`."""

import re
import sys

NAME = r"(?:Test|Suite) (\".*?\"|\S+)"
running: dict[str, None] = {}
for line in open(sys.argv[1], encoding="utf-8", errors="replace"):
    if (started := re.match(rf"◇ {NAME} started\.", line)) and started[1] != "run":
        running[started[1]] = None
    # An argument with a zero byte ends its line early, and the next entry follows in the same line.
    elif ended := re.search(rf"[✔✘➜] {NAME}(?: with .*)? (?:passed|failed|skipped)", line):
        running.pop(ended[1], None)
print("\n".join(running) or "none")
