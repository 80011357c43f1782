"""Approximates a power loss: checks the order in which a run writes, syncs and names its files,
from a trace of its system calls.

The rules, for every file of the spool, the outputs, the archive's images and the outbox:

- A file gets its final name only when all that was written to it is synced.
- A page's note gets its name before the page does, and the folder of both is synced before the next
  step.
- When the archive commits (syncs its log), every image is synced, and so is every folder that leads
  to one.
- Before a file of the job's result gets its name, the job's record that says so is synced.
- Pages leave the spool only when every result has its name, and the folder of each is synced.
"""

import re
import subprocess
from pathlib import Path

from setup import PAGES, Lost, check

CALLS = (
    "openat,open,creat,write,writev,pwrite64,pwritev,ftruncate,fallocate,copy_file_range,sendfile,fsync,fdatasync,"
    "rename,renameat,renameat2,link,linkat,unlink,unlinkat,mkdir,mkdirat,rmdir,mmap"
)
LINE = re.compile(r"^(\d+) +(\w+)\((.*)\) += (-?\d+|0x[0-9a-f]+|\?)")
DESCRIPTOR = re.compile(r"^-?\w+<(.*?)>(?:\(deleted\))?$")


def may_trace():
    """The reason why this machine does not allow tracing; None if it does."""
    try:
        done = subprocess.run(
            ["strace", "-f", "-o", "/dev/null", "true"], capture_output=True, text=True
        )
    except FileNotFoundError:
        return "strace is not installed"
    return None if done.returncode == 0 else done.stderr.strip().splitlines()[-1]


def arguments(text):
    """The arguments of a call, split at commas outside of quotes, brackets and
    descriptors' paths.
    """
    found, depth, quoted, word, index = [], 0, False, "", 0
    while index < len(text):
        sign = text[index]
        if quoted:
            word += sign
            if sign == "\\":
                index += 1
                word += text[index] if index < len(text) else ""
            elif sign == '"':
                quoted = False
        elif sign == '"':
            quoted, word = True, word + sign
        elif sign in "[{<(":
            depth, word = depth + 1, word + sign
        elif sign in "]}>)":
            depth, word = depth - 1, word + sign
        elif sign == "," and depth <= 0:
            found.append(word.strip())
            word = ""
        else:
            word += sign
        index += 1
    return [*found, word.strip()]


def calls(trace: Path):
    """The calls that succeeded, in the order in which they returned: name and arguments."""
    begun = {}
    for line in trace.read_text(errors="replace").splitlines():
        process, _, rest = line.partition(" ")
        rest = rest.strip()
        if rest.endswith("<unfinished ...>"):
            begun[process] = rest.removesuffix("<unfinished ...>")
            continue
        resumed = re.match(r"<\.\.\. \w+ resumed>(.*)", rest)
        if resumed:
            rest = begun.pop(process, "") + resumed[1].lstrip()
        match = LINE.match(f"{process} {rest}")
        if match and not match[4].startswith("-") and match[4] != "?":
            yield match[2], arguments(match[3])


class Watch:
    """The files that would exist after a power cut, according to the order of the calls."""

    def __init__(self, setup):
        self.setup = setup
        self.cwd = str(setup.folder)
        self.roots = [
            str(place)
            for place in (
                setup.spool,
                setup.outbox,
                setup.out,
                setup.shelf,
                setup.home / ".local/share/copystand",
            )
        ]
        self.unsynced, self.unsynced_folders = set(), set()
        self.named, self.commits, self.broken = [], 0, []

    def is_ours(self, path):
        return (
            any(path == root or path.startswith(root + "/") for root in self.roots)
            and ".sqlite" not in path
        )

    def path(self, folder, name):
        name = name.strip('"').encode().decode("unicode_escape")
        if name.startswith("/"):
            return name
        match = DESCRIPTOR.match(folder) if folder else None
        return f"{match[1] if match else self.cwd}/{name}"

    @staticmethod
    def parent(path):
        return path.rpartition("/")[0]

    def rule(self, holds, words):
        if not holds:
            self.broken.append(words)

    def take(self, call, words):
        if call in (
            "write",
            "writev",
            "pwrite64",
            "pwritev",
            "ftruncate",
            "fallocate",
            "copy_file_range",
            "sendfile",
        ):
            target = words[2] if call == "copy_file_range" else words[0]
            match = DESCRIPTOR.match(target)
            if match and self.is_ours(match[1]):
                self.unsynced.add(match[1])
        elif call == "mmap":
            match = DESCRIPTOR.match(words[4]) if len(words) > 4 else None
            if (
                match
                and "PROT_WRITE" in words[2]
                and "MAP_SHARED" in words[3]
                and self.is_ours(match[1])
            ):
                self.unsynced.add(match[1])
        elif call in ("fsync", "fdatasync"):
            match = DESCRIPTOR.match(words[0])
            if match:
                self.sync(match[1])
        elif call in ("mkdir", "mkdirat"):
            path = self.path(words[0] if call == "mkdirat" else "", words[-2])
            # The folder of claims has nothing but locks, which mean nothing after a power loss.
            is_claims = path.endswith("/copystand/claims")
            if not is_claims and (path.startswith(str(self.setup.home)) or self.is_ours(path)):
                self.unsynced_folders.add(self.parent(path))
        elif call in ("rename", "link"):
            self.name(self.path("", words[0]), self.path("", words[1]), call == "rename")
        elif call in ("renameat", "renameat2", "linkat"):
            self.name(
                self.path(words[0], words[1]), self.path(words[2], words[3]), call != "linkat"
            )
        elif call in ("unlink", "unlinkat"):
            path = self.path(
                words[0] if call == "unlinkat" else "", words[-1] if call == "unlink" else words[1]
            )
            self.unsynced.discard(path)
            if re.search(r"/spool/[^/]+/page-\d+\.(raw|tiff?)$", path):
                self.leave(path)

    def sync(self, path):
        self.unsynced.discard(path)
        self.unsynced_folders.discard(path)
        if path.endswith("/archive.sqlite-wal"):
            self.commits += 1
            for folder in self.unsynced_folders:
                self.rule(
                    "/images" not in folder,
                    f"the archive commits while the names in {folder} are not synced",
                )
            for file in self.unsynced:
                self.rule("/images/" not in file, f"the archive commits while {file} is not synced")

    def name(self, old, new, is_moved):
        if not self.is_ours(new):
            return
        base = new.rpartition("/")[2]
        is_folder = new.startswith(str(self.setup.outbox)) and self.parent(new) == str(
            self.setup.outbox
        )
        if base.startswith("."):
            self.unsynced = {new if path == old else path for path in self.unsynced}
            return
        for path in self.unsynced:
            is_source = path == old or (
                is_folder and path.startswith(old + "/") and not path.endswith("/lock")
            )
            self.rule(not is_source, f"{path} gets the name {new} before it is synced")
        if is_folder:
            self.rule(
                old not in self.unsynced_folders,
                f"{old} is placed before the names in it are synced",
            )
        match = re.fullmatch(r"(.*)/page-(\d+)\.(raw|tiff?)", new)
        if match:
            self.rule(
                f"{match[1]}/page-{match[2]}.json" in self.named,
                f"{new} has its name before its note has",
            )
            self.rule(
                f"{match[1]}/job.json" in self.named,
                f"{new} has its name before the job's record has",
            )
            for folder in self.unsynced_folders:
                self.rule(
                    not match[1].startswith(folder + "/"),
                    f"{new} has its name while the names in {folder}, which lead to it, are not"
                    " synced",
                )
        if self.parent(new) == str(self.setup.out):
            for folder in self.unsynced_folders:
                self.rule(
                    "/spool/" not in folder, f"{new} gets its name while {folder} is not synced"
                )
        self.named.append(new)
        self.unsynced_folders.add(self.parent(new))

    def leave(self, path):
        for folder in self.unsynced_folders:
            self.rule(
                folder.startswith(str(self.setup.spool)) or "/delivered" in folder,
                f"{path} leaves the spool while {folder} is not synced",
            )
        names = {Path(name).name for name in self.named}
        for wanted in ("document.json", "document.pdf", "Document.json"):
            self.rule(wanted in names, f"{path} leaves the spool before {wanted} has its name")
        self.rule(self.commits > 0, f"{path} leaves the spool before the archive has committed")


def one(setup):
    setup.sheets = 3
    setup.add_shelf()
    trace = setup.folder / "trace"
    words = [
        "strace",
        "-f",
        "-y",
        "-qq",
        "-s",
        "0",
        "-e",
        f"trace={CALLS}",
        "-e",
        "signal=none",
        "-o",
        trace,
    ]
    done = subprocess.run(
        [*words, setup.programs / "copystand", *setup.scan_words("plain")],
        cwd=setup.folder,
        env=setup.environment,
        capture_output=True,
        text=True,
    )
    check(done.returncode == 0, f"the traced run ends with {done.returncode}: {done.stderr}")
    watch = Watch(setup)
    count = 0
    for call, rest in calls(trace):
        watch.take(call, rest)
        count += 1
    setup.check_delivered([f"sheet {number}" for number in range(1, 4)])
    check(not watch.broken, "\n  ".join(["the order is wrong:", *dict.fromkeys(watch.broken)]))
    pages = [name for name in watch.named if re.search(r"/page-\d+\.(raw|tiff?)$", name)]
    images = [name for name in watch.named if "/images/" in name]
    check(
        len(pages) == 3 and len(images) >= 3 and watch.commits > 0 and count > 100,
        f"the trace shows {len(pages)} pages, {len(images)} images and {watch.commits} commits: it"
        " was not read right",
    )
    return f"{count} calls, {len(watch.named)} names: in order"
