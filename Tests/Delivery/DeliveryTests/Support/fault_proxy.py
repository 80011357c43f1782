"""A proxy in front of a server on loopback. It fails on request.

Arguments: the server's port, a file with a list of faults. Prints its own port. Each connection
uses up a fault: "refuse" (ends immediately), "hang" (is accepted, and nothing follows), ["cut", n]
(ends after n bytes from the client), ["lost", n] (after n bytes from the client, everything arrives
but no answer comes back; ends shortly after the last byte), or "none".
"""

import json
import pathlib
import socket
import sys
import threading
import time

goal, faults_file = int(sys.argv[1]), pathlib.Path(sys.argv[2])
lock = threading.Lock()
SILENCE = 0.4


def next_fault():
    with lock:
        faults = json.loads(faults_file.read_text()) if faults_file.exists() else []
        faults_file.write_text(json.dumps(faults[1:]))
        return faults[0] if faults else "none"


def end(*sockets):
    for each in sockets:
        try:
            each.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def carry(source, target, allowed):
    """Forwards bytes until either side ends, or `allowed` stops it."""
    try:
        while data := source.recv(65536):
            part = allowed(len(data))
            if part:
                target.sendall(data[:part])
            if part < len(data):
                break
    except OSError:
        pass
    end(source, target)


def serve(client):
    fault = next_fault()
    if fault == "refuse":
        return client.close()
    if fault == "hang":
        return time.sleep(3600)
    kind, limit = (fault[0], fault[1]) if isinstance(fault, list) else (fault, 0)
    server = socket.create_connection(("127.0.0.1", goal))
    state = {"sent": 0, "last": time.monotonic()}

    def upward(count):
        if kind == "cut":
            count = min(count, max(0, limit - state["sent"]))
        state["sent"] += count
        state["last"] = time.monotonic()
        return count

    def downward(count):
        if kind == "lost" and state["sent"] >= limit:
            return 0
        return count

    def carry_down():
        try:
            while data := server.recv(65536):
                if downward(len(data)):
                    client.sendall(data)
        except OSError:
            pass
        end(client, server)

    threading.Thread(target=carry_down, daemon=True).start()
    if kind == "lost":

        def watch():
            while state["sent"] < limit or time.monotonic() - state["last"] < SILENCE:
                time.sleep(0.05)
            end(client, server)

        threading.Thread(target=watch, daemon=True).start()
    carry(client, server, upward)


listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)


def accept():
    while True:
        client, _ = listener.accept()
        threading.Thread(target=serve, args=(client,), daemon=True).start()


threading.Thread(target=accept, daemon=True).start()
sys.stdin.read()
