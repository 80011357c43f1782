"""Measures the cost of sharing a scanner: fifty feeder pages by eSCL against a local scan, status
answers during a scan, the host's memory.
"""

import http.client
import os
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from measure import median, resident_megabytes, run

PORT = 8971
PAGES = 50
# The number of sheets in the feeder of SANE's test device.
TEST_PAGES = 10
PAGE = ["--mode", "Gray", "--resolution", "300", "-x", "210", "-y", "297"]


def ask(what: str, port: int = PORT) -> int:
    """The status of an answer to a request over a separate connection."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", f"/eSCL/{what}")
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status


class SharingHost:
    """A host that shares the virtual feeder."""

    def __init__(self, program: str, folder: Path):
        self.folder = folder
        panel = folder / "panel"
        panel.mkdir()
        self.paper = panel / "paper"
        self.environment = {
            "HOME": str(folder),
            "COPYSTAND_SPOOL": str(folder / "spool"),
            "COPYSTAND_VIRTUAL_PANEL": str(panel),
            "SANE_CONFIG_DIR": str(folder / "sane"),
            "SANE_AIRSCAN_DEVICE": f"escl:Desk:http://127.0.0.1:{PORT}/eSCL/",
        }
        for variable in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
            os.environ.pop(variable, None)
        sane = folder / "sane"
        sane.mkdir()
        (sane / "dll.conf").write_text("airscan\n")
        (sane / "airscan.conf").write_text("[options]\ndiscovery = disable\n")
        everything = {**os.environ, **self.environment}
        subprocess.run(
            [program, "share", "virtual:feeder"], env=everything, check=True, capture_output=True
        )
        self.process = subprocess.Popen(
            [program, "serve", "--share", "--share-port", str(PORT), "--listen", "127.0.0.1:0"],
            env=everything,
            stderr=subprocess.DEVNULL,
        )
        wait_for(PORT)

    def end(self) -> None:
        self.process.terminate()
        self.process.wait()


def far(*more: str) -> list[str]:
    return ["scanimage", "-d", f"airscan:escl:Desk:http://127.0.0.1:{PORT}/eSCL/", *more]


def feeder(program: str, host: SharingHost, runs: int, work: Path) -> list[str]:
    walls: dict[str, list[float]] = {"near": [], "far": []}
    # The client's handling of half a gigabyte of pixels is not measured: they are written to
    # memory.
    client = Path(tempfile.mkdtemp(dir="/dev/shm"))
    for number in range(runs):
        out = work / f"near-{number}.pdf"
        walls["near"].append(
            run(
                [
                    program,
                    "scan",
                    "--device",
                    "virtual:feeder",
                    "--source",
                    "feeder",
                    "--mode",
                    "gray",
                    "--resolution",
                    "300",
                    "--paper",
                    "a4",
                    "--set",
                    f"pages={PAGES}",
                    "-p",
                    "none",
                    "-o",
                    str(out),
                ],
                {**host.environment, "COPYSTAND_SPOOL": str(work / "near-spool")},
            ).seconds
        )
        pages = client / "pages"
        pages.mkdir()
        host.paper.write_text(f"{PAGES}\n")
        command = " ".join(
            f"'{word}'"
            for word in far("--source", "ADF", *PAGE, "--format=pnm", f"--batch={pages}/%d.pnm")
        )
        # scanimage reports the end of the feeder as a failure.
        walls["far"].append(run(["sh", "-c", command + "; true"], host.environment).seconds)
        made = len(list(pages.iterdir()))
        assert made == PAGES, f"{made} pages came, not {PAGES}"
        shutil.rmtree(pages)
    client.rmdir()
    near, distant = median(walls["near"]), median(walls["far"])
    return [
        (
            f"{PAGES} pages of A4 in gray at 300 dpi from the virtual feeder, median of {runs} runs"
            " in turn."
        ),
        "",
        "| Command | wall s | |",
        "|---|---|---|",
        f"| copystand scan -p none -o PDF, on the same machine | {near:.2f} | |",
        (
            f"| scanimage by sane-airscan, from the shared feeder | {distant:.2f} |"
            f" {distant / near:.2f} × (target: at most 1.3) |"
        ),
        "",
    ]


def status_seconds() -> float:
    """The time until a client has an answer, without the time of Python's own client."""
    start = time.monotonic()
    with socket.create_connection(("127.0.0.1", PORT), timeout=30) as connection:
        connection.sendall(
            b"GET /eSCL/ScannerStatus HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        )
        answer = b""
        while part := connection.recv(65536):
            answer += part
    seconds = time.monotonic() - start
    assert answer.startswith(b"HTTP/1.1 200 ") and b"<pwg:State>" in answer
    return seconds


def status(host: SharingHost) -> list[str]:
    host.paper.write_text(f"{PAGES}\n")
    pages = host.folder / "status-pages"
    pages.mkdir()
    scan = subprocess.Popen(
        far("--source", "ADF", *PAGE, "--format=pnm", f"--batch={pages}/%d.pnm"),
        env={**os.environ, **host.environment},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    walls = []
    while scan.poll() is None:
        walls.append(1000 * status_seconds())
        time.sleep(0.002)
    shutil.rmtree(pages)
    walls.sort()
    return [
        f"ScannerStatus during that scan: {len(walls)} answers, median {median(walls):.1f} ms, 99"
        f" of 100 within {walls[int(len(walls) * 0.99)]:.1f} ms (target: 20), the slowest"
        f" {walls[-1]:.1f} ms."
    ]


def memory(host: SharingHost) -> list[str]:
    peak, done = [0.0], threading.Event()

    def watch() -> None:
        while not done.wait(0.02):
            peak[0] = max(peak[0], resident_megabytes([host.process.pid]))

    before = resident_megabytes([host.process.pid])
    watcher = threading.Thread(target=watch)
    watcher.start()
    out = host.folder / "large.pnm"
    run(
        far(
            "--source",
            "Flatbed",
            "--mode",
            "Color",
            "--resolution",
            "600",
            "-x",
            "210",
            "-y",
            "297",
            "--format=pnm",
            "-o",
            str(out),
        ),
        host.environment,
    )
    done.set()
    watcher.join()
    return [
        "The host's memory (proportional set size) while A4 in color at 600 dpi,"
        f" {out.stat().st_size / 1e6:.0f} MB of pixels, is scanned and encoded: {peak[0]:.0f} MB at"
        f" most, {before:.0f} MB before (target: under 150)."
    ]


def beside_airsane(program: str, runs: int, work: Path) -> list[str]:
    """SANE's test device with its feeder of ten, served by Copystand and, if it is installed, by
    AirSane.

    AirSane needs an Avahi daemon. If none is running, it gets one in a separate network, which
    needs root.
    """
    if not shutil.which("airsaned"):
        return ["", "AirSane, the peer, is not installed (no airsaned on the PATH)."]
    command = [sys.executable, __file__, program, str(runs), str(work)]
    if not Path("/run/avahi-daemon/socket").exists():
        missing = [name for name in ("avahi-daemon", "dbus-daemon") if not shutil.which(name)]
        if missing or os.geteuid() != 0:
            why = f"{missing[0]} is not installed" if missing else "this is not run as root"
            return ["", f"AirSane, the peer, was left out: no Avahi daemon runs, and {why}."]
        network = str(Path(__file__).with_name("own_network.sh"))
        command = ["unshare", "--net", "--mount", "bash", network, str(work / "network")] + command
    told = subprocess.run(command, check=True, capture_output=True, text=True)
    return told.stdout.splitlines()


def side_by_side(program: str, runs: int, work: Path) -> list[str]:
    """The measurement itself, in a network with an Avahi daemon."""
    served = work / "served"
    served.mkdir()
    (served / "dll.conf").write_text("test\n")
    (served / "test.conf").write_text(
        "number_of_devices 1\nmode Gray\ndepth 8\nresolution 50\ngeometry_max 300\nbr_x 210\nbr_y"
        " 297\n"
    )
    home = work / "test-home"
    home.mkdir()
    environment = {
        **os.environ,
        "HOME": str(home),
        "SANE_CONFIG_DIR": str(served),
        "COPYSTAND_SPOOL": str(home / "spool"),
    }
    subprocess.run(
        [program, "share", "sane:test:0"], env=environment, check=True, capture_output=True
    )
    servers = {
        "Copystand": (
            PORT + 2,
            [program, "serve", "--share", "--share-port", str(PORT + 2), "--listen", "127.0.0.1:0"],
        ),
        "AirSane": (
            PORT + 4,
            [
                "airsaned",
                f"--listen-port={PORT + 4}",
                "--hotplug=false",
                "--network-hotplug=false",
                "--options-file=/dev/null",
            ],
        ),
    }
    running = [
        subprocess.Popen(
            command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        for _, command in servers.values()
    ]
    client = work / "client"
    client.mkdir()
    (client / "dll.conf").write_text("airscan\n")
    (client / "airscan.conf").write_text("[options]\ndiscovery = disable\n")
    walls: dict[str, list[float]] = {name: [] for name in servers}
    try:
        for port, _ in servers.values():
            wait_for(port)
        for _ in range(runs):
            for name, (port, _) in servers.items():
                walls[name].append(test_pages(name, port, client, work))
    finally:
        for process in running:
            process.terminate()
            process.wait()
    ours = median(walls["Copystand"])
    return [
        "",
        (
            f"SANE's test device, {TEST_PAGES} pages in gray at 300 dpi from its feeder, by"
            f" sane-airscan, median of {runs} runs in turn."
        ),
        "",
        "| Served by | wall s | |",
        "|---|---|---|",
        *(
            f"| {name} | {median(found):.2f} | {median(found) / ours:.2f} × |"
            for name, found in walls.items()
        ),
    ]


def wait_for(port: int) -> None:
    """Waits until a server reports the capabilities of its scanner."""
    for _ in range(200):
        try:
            if ask("ScannerCapabilities", port) == 200:
                return
        except OSError:
            pass
        time.sleep(0.1)
    raise RuntimeError(f"nothing is shared on port {port}")


def test_pages(name: str, port: int, client: Path, work: Path) -> float:
    """The seconds that the feeder's pages take. Raises if some are missing."""
    pages = Path(tempfile.mkdtemp(dir="/dev/shm"))
    device = f"escl:Desk:http://127.0.0.1:{port}/eSCL/"
    words = ["scanimage", "-d", "airscan:" + device, "--source", "ADF", *PAGE, "--format=pnm"]
    # scanimage reports the end of the feeder as a failure.
    command = f"timeout 300 {shlex.join([*words, f'--batch={pages}/%d.pnm'])}; true"
    took = run(
        ["sh", "-c", command],
        {"SANE_CONFIG_DIR": str(client), "SANE_AIRSCAN_DEVICE": device},
    ).seconds
    made = len(list(pages.iterdir()))
    shutil.rmtree(pages)
    assert made == TEST_PAGES, f"{made} pages came from {name}, not {TEST_PAGES}"
    return took


def sharing(arguments) -> str:
    if not shutil.which("scanimage") or not Path("/etc/sane.d/airscan.conf").exists():
        return "skipped: scanimage or sane-airscan is not installed\n"
    program = f"{arguments.bin}/copystand"
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        home = work / "home"
        home.mkdir()
        host = SharingHost(program, home)
        try:
            lines = feeder(program, host, arguments.runs, work) + status(host) + memory(host)
        finally:
            host.end()
        lines += beside_airsane(program, arguments.runs, work)
    lines += ["", f"The machine's load was {os.getloadavg()[0]:.1f} by then."]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print("\n".join(side_by_side(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]))))
