"""The viewers, in a separate process: `viewers.py HOST PORT JOB VIEWERS STREAMS SECONDS` prints the
times of the live pictures as JSON.

STREAMS connections listen to the host's events and do nothing else; VIEWERS connections receive the
pictures of the job. For every picture they record its age when its last byte arrives, and the time
since the previous one.
"""

import json
import socket
import struct
import sys
import threading
import time

host, port, job, viewers, streams, seconds = sys.argv[1], *sys.argv[2:]
port, viewers, streams, seconds = int(port), int(viewers), int(streams), float(seconds)
end = time.monotonic() + seconds
lags: list[float] = []
rates: list[float] = []
lock = threading.Lock()


def ask(path: str) -> socket.socket:
    connection = socket.create_connection((host, port))
    connection.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
    return connection


def take(stream, count: int) -> bytes:
    data = stream.read(count)
    if len(data) < count:
        raise EOFError
    return data


def chunks(stream):
    """The parts of a body without a length (RFC 9112, 7.1)."""
    while (size := int(stream.readline().split(b";")[0], 16)) > 0:
        yield take(stream, size)
        stream.readline()


def look() -> None:
    stream = ask(f"/api/v1/jobs/{job}/live").makefile("rb", 1 << 20)
    while stream.readline().strip():
        pass
    mine: list[float] = []
    start, data, wanted = None, bytearray(), None
    for chunk in chunks(stream):
        data += chunk
        while True:
            if wanted is None:
                head, found, rest = bytes(data[:400]).partition(b"\r\n\r\n")
                if not found or b"Content-Length: " not in head:
                    break
                wanted = (len(head) + 4, int(head.split(b"Content-Length: ")[1].split(b"\r\n")[0]))
            begin, size = wanted
            if len(data) < begin + size:
                break
            now = time.monotonic()
            if bytes(data[begin + 2 : begin + 14]) == b"\xff\xfe\x00\x12taken at":
                mine.append(now - struct.unpack(">d", bytes(data[begin + 14 : begin + 22]))[0])
            start = start or now
            del data[: begin + size + 2]
            wanted = None
        if time.monotonic() > end:
            break
    with lock:
        lags.extend(mine)
        rates.append(len(mine) / (time.monotonic() - start) if start else 0)


idle = [ask("/api/v1/events") for _ in range(streams)]
threads = [threading.Thread(target=look) for _ in range(viewers)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
time.sleep(max(0, end - time.monotonic()))
lags.sort()
print(
    json.dumps(
        {
            "pictures": len(lags),
            "rate": sum(rates) / len(rates) if rates else 0,
            "median": 1000 * lags[len(lags) // 2] if lags else None,
            "late": 1000 * lags[int(len(lags) * 0.99)] if lags else None,
            "streams": len(idle),
        }
    )
)
