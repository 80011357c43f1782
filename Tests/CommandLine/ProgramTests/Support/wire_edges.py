"""Puts edge cases into every number of a backend's messages, and of the host's: wire_edges.py
PROGRAM HOME.
"""

import functools
import json
import os
import shutil
import socket
import subprocess
import sys

from edges import EDGES, NUMBER, Trials

trials = Trials(sys.argv[1], sys.argv[2])
here = os.path.dirname(os.path.abspath(__file__))
folder = trials.home + "/backends"
os.makedirs(folder)
shutil.copy(here + "/edge_backend.py", folder + "/edge_backend.py")
os.chmod(folder + "/edge_backend.py", 0o755)
with open(folder + "/edge.json", "w") as file:
    json.dump(
        {"id": "edge", "name": "Edge", "version": "1", "protocol": 1, "program": "edge_backend.py"},
        file,
    )

DEVICE = (
    '{"id":"one","name":"One","kind":"scanner","sources":["flatbed"],'
    '"maximumArea":{"width":216.5,"height":300.5}}'
)
OPTIONS = ",".join(
    [
        '{"name":"resolution","type":{"kind":"integer","minimum":75,"maximum":600,"step":25},"unit":"dpi","value":300,"defaultValue":300}',
        '{"name":"brightness","type":{"kind":"number","minimum":-100,"maximum":100,"step":0.5},"unit":"percent","value":10.5,"defaultValue":0}',
        '{"name":"contrast","type":{"kind":"integerChoice","choices":[10,20,30]},"value":10}',
        '{"name":"name","type":{"kind":"text","maximumLength":20},"value":"x"}',
        '{"name":"area-left","type":{"kind":"number","minimum":0,"maximum":216},"unit":"millimetres","value":1}',
        '{"name":"area-top","type":{"kind":"number","minimum":0,"maximum":300},"unit":"millimetres","value":1}',
        '{"name":"area-width","type":{"kind":"number","minimum":1,"maximum":216},"unit":"millimetres","value":200}',
        '{"name":"area-height","type":{"kind":"number","minimum":1,"maximum":300},"unit":"millimetres","value":200}',
    ]
)
PLAIN = {
    "hello": ['{"answer":$REQUEST,"protocol":1,"name":"Edge","version":"1"}'],
    "devices": ['{"answer":$REQUEST,"devices":[%s]}' % DEVICE],
    "open": ['{"answer":$REQUEST,"handle":7,"device":%s}' % DEVICE],
    "options": ['{"answer":$REQUEST,"options":[%s]}' % OPTIONS],
    "set": ['{"answer":$REQUEST,"value":200}'],
    "capture": [
        (
            '{"event":"frame","capture":$REQUEST,"frame":1,"format":"gray8","width":40,"height":30,"stride":40,'
            '"resolution":{"x":75.5,"y":75.5},"expected":1,"time":1.5}'
        ),
        '{"event":"pixels","capture":$REQUEST,"frame":1,"bytes":600}#600',
        '{"event":"progress","capture":$REQUEST,"frame":1,"rows":15}',
        '{"event":"pixels","capture":$REQUEST,"frame":1,"bytes":600}#600',
        '{"event":"done","capture":$REQUEST,"frame":1,"rows":30}',
        '{"event":"skipped","capture":$REQUEST,"frame":2,"error":{"code":"damagedData","message":"bad"}}',
        '{"answer":$REQUEST}',
    ],
}
SCAN = ["scan", "-q", "-d", "edge:one", "-p", "none"]
COMMANDS = {
    "hello": [["devices", "-b", "edge"]],
    "devices": [["devices", "-b", "edge"], ["devices", "-b", "edge", "--json"]],
    "open": [["options", "edge:one"]],
    "options": [
        ["options", "edge:one"],
        [*SCAN, "-r", "310", "--brightness", "3.2", "--contrast", "12", "--area", "1,1,50,50"],
    ],
    "set": [[*SCAN, "-r", "310"]],
    "capture": [[*SCAN], [*SCAN, "-o", "{new}.pdf"]],
}
number = 0


def ask(messages, words, what):
    global number
    number += 1
    with open(folder + "/messages.json", "w") as file:
        json.dump(messages, file)
    trials.run(
        *[word.format(new=f"{trials.home}/new-{number}") for word in words],
        what=what,
        more={"COPYSTAND_BACKENDS": folder},
        patience=120,
    )


def from_backend():
    for verb, texts in PLAIN.items():
        for index, text in enumerate(texts):
            line, mark, size = text.partition("#")
            for place in list(NUMBER.finditer(line)):
                for edge in EDGES:
                    changed = line[: place.start()] + edge + line[place.end() :] + mark + size
                    told = {**PLAIN, verb: texts[:index] + [changed] + texts[index + 1 :]}
                    for words in COMMANDS[verb]:
                        yield functools.partial(ask, told, words, f"{verb}: {changed[:300]}")


# The host's messages to the program of a backend.
TALK = [
    '{"request":1,"verb":"hello","protocol":1,"host":"edge"}',
    '{"request":2,"verb":"open","device":"feeder"}',
    '{"request":3,"verb":"options","handle":1}',
    '{"request":4,"verb":"set","handle":1,"option":"resolution","value":75}',
    '{"request":5,"verb":"set","handle":1,"option":"area-left","value":1.5}',
    '{"request":6,"verb":"set","handle":1,"option":"fault-page","value":1}',
    '{"request":7,"verb":"capture","handle":1,"mode":"pages","limit":1}',
    '{"event":"buffer","capture":7,"frame":1,"way":"inline","size":600000,"most":600000,"offset":0}',
    '{"request":8,"verb":"cancel","capture":7}',
    '{"request":9,"verb":"close","handle":1}',
]
program = os.path.dirname(trials.program) + "/copystand-backend-virtual"


def tell(lines, what):
    """Sends the lines to a backend's program, and checks that the program ends when the host is
    gone.
    """
    trials.runs += 1
    ours, theirs = socket.socketpair()

    def third():
        os.dup2(theirs.fileno(), 3)

    backend = subprocess.Popen(
        [program],
        preexec_fn=third,
        close_fds=False,
        env=trials.environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    theirs.close()
    ours.settimeout(20)
    try:
        ours.sendall("\n".join(lines).encode() + b"\n")
        ours.shutdown(socket.SHUT_WR)
        while ours.recv(1 << 20):
            pass
    except OSError:
        pass
    ours.close()
    try:
        _, said = backend.communicate(timeout=30)
    except subprocess.TimeoutExpired:
        backend.kill()
        said = backend.communicate()[1]
        trials.failures.append(f"{what}: the backend does not end")
        return
    if backend.returncode < 0:
        trials.failures.append(
            f"{what}: the backend ends with signal {-backend.returncode} {said[-300:]!r}"
        )


def from_host():
    for index, line in enumerate(TALK):
        for place in list(NUMBER.finditer(line)):
            for edge in EDGES:
                changed = line[: place.start()] + edge + line[place.end() :]
                yield functools.partial(
                    tell, TALK[:index] + [changed] + TALK[index + 1 :], "host: " + changed[:300]
                )


ask(PLAIN, [*SCAN, "-o", "{new}.pdf"], "as it should be")
if not os.path.exists(f"{trials.home}/new-1.pdf"):
    trials.failures.append("The backend delivers nothing as it is.")
trials.all([*from_backend(), *from_host()])
sys.exit(trials.report())
