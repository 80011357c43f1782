"""Measures requests a second, with wrk on the same machine."""

import re
import subprocess
from pathlib import Path
from statistics import median

SECONDS, RUNS = 5, 3
CONNECTIONS = 16
UNITS = {"us": 0.001, "ms": 1, "s": 1000}


def ask(address: str, paths: list[str], folder: Path) -> tuple[float, float, float]:
    """The requests a second, and the median and 99th percentile in milliseconds, with keep-alive
    and the paths in turn; raises if an answer fails.

    Each is the median of some runs: other work on the machine can delay a single one by a second.
    """
    script = folder / "paths.lua"
    listed = ",".join(f'"{path}"' for path in paths)
    script.write_text(
        f"local paths, n = {{{listed}}}, 0\n"
        "function request() n = n % #paths + 1; return wrk.format('GET', paths[n]) end\n"
    )
    rates, middles, lates = zip(*(measured(address, script) for _ in range(RUNS)))
    return median(rates), median(middles), median(lates)


def measured(address: str, script: Path) -> tuple[float, float, float]:
    """One run of the requests."""
    said = subprocess.run(
        ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{SECONDS}s", "--latency", "-s", script, address],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    if "Non-2xx" in said or "Socket errors" in said:
        raise RuntimeError(said)

    def percentile(name: str) -> float:
        number, unit = re.search(rf"{name}%\s+([\d.]+)(us|ms|s)", said).groups()
        return float(number) * UNITS[unit]

    return (
        float(re.search(r"Requests/sec:\s+([\d.]+)", said).group(1)),
        percentile("50"),
        percentile("99"),
    )
