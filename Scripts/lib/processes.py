"""The processes of this machine, as Linux lists them (proc(5))."""

from pathlib import Path


def children(parent: int) -> dict[int, str]:
    """The processes that `parent` has started or inherited, with their command lines.
    """
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            status = (folder / "stat").read_text().rpartition(")")[2].split()
            if int(status[1]) == parent and status[0] != "Z":
                found[int(folder.name)] = (
                    (folder / "cmdline")
                    .read_bytes()
                    .replace(b"\0", b" ")
                    .decode(errors="replace")
                    .strip()
                )
        except OSError:
            # The process has ended meanwhile.
            pass
    return found
