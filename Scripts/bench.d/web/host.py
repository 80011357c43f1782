"""`copystand serve` in a separate home, with documents and a camera."""

import http.client
import json
import os
import re
import shutil
import subprocess
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parents[2] / "Examples/python"


class Host:
    """A running host to measure."""

    def __init__(self, program: str, folder: Path):
        self.program, self.folder = program, folder
        backends = folder / "backends"
        backends.mkdir()
        shutil.copy(HERE / "camera.py", backends)
        shutil.copy(EXAMPLES / "copystand_backend.py", backends)
        (backends / "camera.py").chmod(0o755)
        (backends / "backend.json").write_text(
            json.dumps(
                {
                    "id": "benchmark",
                    "name": "Camera of the benchmark",
                    "version": "1.0",
                    "protocol": 1,
                    "program": "camera.py",
                    "serves": "one camera",
                }
            )
        )
        self.environment = {
            **os.environ,
            "HOME": str(folder),
            "COPYSTAND_SPOOL": str(folder / "spool"),
            "COPYSTAND_BACKENDS": str(backends),
            **{
                name: str(folder / name)
                for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")
            },
        }

    def run(self, *arguments: str) -> None:
        subprocess.run(
            [self.program, *arguments], env=self.environment, check=True, capture_output=True
        )

    def __enter__(self) -> "Host":
        with open(self.folder / "log", "w") as log:
            self.process = subprocess.Popen(
                [self.program, "serve", "--listen", "127.0.0.1:0"],
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=log,
            )
        while not (
            found := re.search(r"http://127.0.0.1:(\d+)", (self.folder / "log").read_text())
        ):
            assert self.process.poll() is None, (self.folder / "log").read_text()
            time.sleep(0.05)
        self.port = int(found.group(1))
        self.address = f"http://127.0.0.1:{self.port}"
        return self

    def __exit__(self, *_) -> None:
        self.process.terminate()
        self.process.wait()

    def ask(self, method: str, path: str, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        headers = {"Content-Type": "application/json"} if body is not None else {}
        connection.request(
            method, "/api/v1/" + path, json.dumps(body) if body is not None else None, headers
        )
        answer = connection.getresponse()
        text = answer.read()
        assert answer.status < 300, (path, answer.status, text[:500])
        return json.loads(text) if text else None

    def shown(self, job: str, seconds: float) -> int:
        """The number of frames that the host looked at in that time, by the job's live events."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("GET", f"/api/v1/jobs/{job}/live/events")
        stream, looked = connection.getresponse(), 0
        # The first event reports the state, not the present view.
        while b'"state"' not in stream.readline():
            pass
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            looked += b'"confidence"' in stream.readline()
        connection.close()
        return looked
