"""Shows how far a build is, from the output of `swift build`.

    swift build … 2>&1 | build_progress.py

Modules count by their lines, since the package manager's own count, in which a module is as much as
a C file, stands still for minutes. On a terminal the progress is one line; elsewhere each tenth is
one. All other output, such as errors, is passed on. The exit status is 0; the shell's `pipefail`
gives that of the build.
"""

import re
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STEP = re.compile(r"\[\d+/\d+\] (?:Compiling|Emitting module) (\S+)")
#: Harmless lines: the build's own beginning, and a warning about the toolchain's own archive.
SILENT = re.compile(
    r"Building for |^\[\d+/\d+\]|warning: .*mktemp|^warning: .*prohibits|^Build (of|complete)"
)


def lines_of(places: list[str], ending: str = "") -> dict[str, int]:
    """The number of lines of each module; a module's name is its folder's, with this ending."""
    folders = [folder for place in places for folder in ROOT.glob(place) if folder.is_dir()]
    return {
        folder.name + ending: sum(
            file.read_bytes().count(b"\n") for file in folder.rglob("*.swift")
        )
        for folder in folders
    }


class Progress:
    """One line on a terminal, or a line for each tenth."""

    def __init__(self) -> None:
        self.begun = time.monotonic()
        self.is_terminal = sys.stdout.isatty()
        self.shown = -1

    def show(self, share: float, name: str) -> None:
        """Shows a share between 0 and 1, and the module that was built last."""
        percent = int(share * 100)
        seconds = int(time.monotonic() - self.begun)
        text = f"{percent:3} %  {seconds // 60}:{seconds % 60:02}  {name}"
        if self.is_terminal:
            bar = "█" * (percent // 4) + "░" * (25 - percent // 4)
            print(f"\r\033[K{bar} {text}", end="", flush=True)
        elif percent // 10 > self.shown // 10 or self.shown < 0:
            print(text, flush=True)
            self.shown = percent

    def clear(self) -> None:
        """Makes room for a line of its own."""
        if self.is_terminal:
            print("\r\033[K", end="")


def main() -> None:
    """The command line."""
    sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    sys.stdout.reconfigure(errors="replace")
    left = lines_of(["Sources/*/*"]) | lines_of(["Plugins/*"], "Backend")
    tests = lines_of(["Tests/*/*"])
    total, done = sum(left.values()), 0
    progress = Progress()
    for line in sys.stdin:
        line = line.rstrip("\n")
        step = STEP.match(line)
        if step:
            if step[1] in tests:
                # The tests are built, too.
                total += sum(tests.values())
                left |= tests
                tests = {}
            done += left.pop(step[1], 0)
            progress.show(min(done / total, 0.99), step[1])
        elif not SILENT.search(line) and line.strip():
            progress.clear()
            print(line, flush=True)
    progress.clear()


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
