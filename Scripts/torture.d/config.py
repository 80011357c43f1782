"""Settings that 8 processes change at the same time, while each of them may be killed at
any moment.
"""

import json
import random
import threading
import time

from setup import check

WRITERS = 8
KINDS = {
    "token": (["token", "add", "{name}"], ["token", "remove", "{name}"]),
    "sink": (
        ["sinks", "add", "{name}", "-k", "file", "--template", "/nowhere/{{title}}.pdf"],
        ["sinks", "remove", "{name}"],
    ),
    "device name": (
        ["device", "alias", "{name}", "virtual:flatbed"],
        ["device", "unalias", "{name}"],
    ),
}


class Writer:
    """Makes changes under its own names, and remembers the acknowledged ones."""

    def __init__(self, setup, seed, number, changes):
        self.setup, self.number, self.changes = setup, number, changes
        self.random = random.Random(f"{seed}/config/{number}")
        # The expected items by kind and name: True if the item must exist, False if it must not,
        # None if its change was killed.
        self.known = {}
        self.acknowledged = self.killed = 0
        self.failure = None

    def run(self):
        try:
            for step in range(self.changes):
                self.change(step)
        except Exception as error:  # set by the main thread, which waits for all of them
            self.failure = error

    def change(self, step):
        kind = self.random.choice(list(KINDS))
        there = [name for (other, name), state in self.known.items() if other == kind and state]
        removes = bool(there) and self.random.random() < 0.4
        name = self.random.choice(there) if removes else f"w{self.number}-{step}"
        words = [word.format(name=name) for word in KINDS[kind][removes]]
        process = self.setup.start(*words)
        if self.random.random() < 0.3:
            time.sleep(self.random.uniform(0, 0.05 if kind != "device name" else 0.3))
            process.kill()
        code = process.wait(120)
        if code == -9:
            self.known[kind, name] = None
            self.killed += 1
            return
        check(code == 0, f"copystand {' '.join(words)} ends with {code}")
        self.known[kind, name] = not removes
        self.acknowledged += 1


def one(setup, seed, number, changes):
    """Runs one round, and returns its result in words."""
    writers = [Writer(setup, f"{seed}/{number}", index, changes) for index in range(WRITERS)]
    threads = [threading.Thread(target=writer.run) for writer in writers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for writer in writers:
        if writer.failure:
            raise writer.failure
    # Makes one more change: no lock of a killed process may block it, and it removes that process's
    # leftovers.
    for kind, (add, _) in KINDS.items():
        done = setup.run(*[word.format(name="last") for word in add])
        check(
            done.returncode == 0,
            f"{kind}: a change afterward ends with {done.returncode}: {done.stderr}",
        )
    known = {key: state for writer in writers for key, state in writer.known.items()}
    known.update({(kind, "last"): True for kind in KINDS})
    found = present(setup)
    for kind in KINDS:
        wanted = {name for (other, name), state in known.items() if other == kind and state}
        allowed = wanted | {
            name for (other, name), state in known.items() if other == kind and state is None
        }
        lost, strange = sorted(wanted - found[kind]), sorted(found[kind] - allowed)
        check(not lost, f"acknowledged and lost, of kind {kind}: {lost}")
        check(not strange, f"there, though removed or never added, of kind {kind}: {strange}")
    folder = setup.home / ".config/copystand"
    left = sorted(path.name for path in folder.iterdir() if ".part" in path.name)
    check(not left, f"temporary files are left: {left}")
    acknowledged, killed = (
        sum(getattr(one, name) for one in writers) for name in ("acknowledged", "killed")
    )
    counts = ", ".join(f"{len(found[kind])} {kind}s" for kind in KINDS)
    return f"{acknowledged} changes acknowledged, {killed} killed; {counts}, all as they must be"


def present(setup):
    """The contents of the files. Each must be whole, and the program must read the same."""
    folder = setup.home / ".config/copystand"
    tokens = json.loads((folder / "tokens.json").read_text())["tokens"]
    sinks = json.loads((folder / "sinks.json").read_text())["sinks"]
    names = json.loads((folder / "devices.json").read_text())["aliases"]
    told = {one["name"] for one in setup.json("token", "list")["tokens"]}
    check(
        told == {one["name"] for one in tokens}, "the program reads other tokens than the file has"
    )
    check(
        {one["name"] for one in setup.json("sinks", "list")["sinks"]} == set(sinks),
        "the program reads other sinks than the file has",
    )
    return {"token": told, "sink": set(sinks), "device name": set(names)}
