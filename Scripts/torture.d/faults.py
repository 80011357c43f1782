"""Servers that fail in the middle of deliveries: each document arrives once, or is reported as
possibly twice, and other people's files stay unchanged.
"""

import json
import random
import re
import subprocess
import sys
import time

from deliveries import add_sink, check_arrived, fill, waiting
from servers import ALL
from setup import ROOT, check

PROXY = ROOT / "Tests/Delivery/DeliveryTests/Support/fault_proxy.py"
# The faults of connections to a server; "hang" takes minutes.
CONNECTIONS = ("refuse", "cut", "lost", "hang")
FAULTS = (*CONNECTIONS, "password", "taken", "quota")
# The number of tries within which everything must arrive after the faults have ended.
TRIES = 10


def rounds(kinds, short):
    """Each fault that a kind's server can have."""
    return [
        (kind, fault)
        for kind in kinds
        for fault in FAULTS
        if (fault != "hang" or not short)
        and (fault != "cut" or not ALL[kind].takes_parts)
        and (fault != "password" or ALL[kind].has_password)
        and (fault != "taken" or ALL[kind].has_names)
        and (fault != "quota" or ALL[kind].has_quota)
    ]


class Proxy:
    """A proxy before a server. The words of the sink lead to the proxy."""

    def __init__(self, folder, words):
        self.list = folder / "proxy-faults"
        self.meet([])
        port = next(re.search(r"127\.0\.0\.1:(\d+)", word) for word in words if "://" in word)[1]
        self.process = subprocess.Popen(
            [sys.executable, PROXY, port, self.list],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        own = self.process.stdout.readline().strip()
        self.words = [word.replace(f"127.0.0.1:{port}", f"127.0.0.1:{own}") for word in words]

    def meet(self, faults):
        self.list.write_text(json.dumps(faults))

    def unmet(self):
        return len(json.loads(self.list.read_text()))

    def stop(self):
        self.process.kill()
        self.process.wait()


def faults_of(name, chance, length):
    """The faults of the next connections, if the documents have `length` bytes in total."""
    if name in ("refuse", "hang"):
        return [name] * (8 if name == "refuse" else 1)
    # Most faults happen within the first document, and some later, since a connection carries many
    # documents.
    spread = [chance.choice((2_000, 20_000, length)) for _ in range(12)]
    return [[name, chance.randrange(most)] for most in spread]


def retry(setup):
    return setup.run("outbox", "retry", limit=900)


def deliver(setup):
    """Tries until no document waits."""
    for _ in range(TRIES):
        done = retry(setup)
        if waiting(setup) == 0:
            return
        time.sleep(0.2)
    check(False, f"{waiting(setup)} documents still wait: {done.stderr}")


def secretless(done):
    check("s3cret" not in done.stdout + done.stderr, "the password is shown")


def one(setup, kind, fault, seed, count):
    chance = random.Random(f"{seed}/{kind}/{fault}")
    receiver = ALL[kind](setup.folder / "receiver")
    proxy = Proxy(setup.folder, receiver.words)
    try:
        receiver.words = proxy.words
        hashes = fill(setup, receiver, count)
        meet = {"password": wrong_password, "taken": taken_names, "quota": full_server}.get(fault)
        if meet:
            words, after = meet(setup, receiver, hashes)
        else:
            length = sum(path.stat().st_size for path in setup.outbox.glob("2*/*.*"))
            proxy.meet(faults := faults_of(fault, chance, length))
            for _ in range(3 * len(faults)):
                if not proxy.unmet() or not waiting(setup):
                    break
                secretless(retry(setup))
            met = len(faults) - proxy.unmet()
            check(met > 0, "no connection met a fault")
            words, after = f"{met} connections", None
        left = waiting(setup)
        proxy.meet([])
        if after:
            after()
        deliver(setup)
        twice = check_arrived(setup, receiver, hashes)
        version = receiver.version() or "its server"
        return f"{kind} ({version}), {fault}: {words}, {left} of {count} waited, {twice} twice"
    finally:
        proxy.stop()
        receiver.stop()


def wrong_password(setup, receiver, hashes):
    """Checks that everything waits until the password is right, and that no message contains the
    password."""
    path = receiver.folder / "password"
    right = path.read_text()
    path.write_text("s3cret-but-wrong\n")
    add_sink(setup, receiver)
    done = retry(setup)
    secretless(done)
    check(waiting(setup) == len(hashes), f"{len(hashes) - waiting(setup)} went with a wrong password")
    told = done.stdout + done.stderr + setup.run("outbox", "list").stdout
    check(re.search("password|log in|access|sign", told, re.I), f"the password is not named: {told}")

    def after():
        path.write_text(right)
        add_sink(setup, receiver)

    return "told", after


def taken_names(setup, receiver, hashes):
    """Checks that other people's files, which have the names of half of the documents, stay
    unchanged."""
    receiver.words += ["--template", "{title}"]
    add_sink(setup, receiver)
    other = {f"{title}.pdf": f"not {title}\n".encode() for title in sorted(hashes)[::2]}
    for name, content in other.items():
        receiver.put(name, content)
    retry(setup)

    def after():
        for name, content in other.items():
            check(receiver.take(name) == content, f"'{name}' was replaced")

    return f"{len(other)} names", after


def full_server(setup, receiver, hashes):
    """Lets the server run out of space after some of the documents, and get more later."""
    receiver.end_room()
    done = retry(setup)
    secretless(done)
    check(waiting(setup) > 0, f"nothing waits: {done.stderr}")
    return "told", receiver.make_room
