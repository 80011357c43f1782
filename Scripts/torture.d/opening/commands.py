"""What every command must do on a disk that takes nothing. A command that is missing here fails.

Each command has the words that are run, and what they do:

reads    reads, and must work
frees    deletes from the archive, and must work on a full disk
drops    deletes from the spool, the outbox or the settings, and must work on a full disk
archive  changes the archive, and can't work
home     changes settings or uses the spool or the folder of temporary files: can't work if these
         are on the disk, and must work otherwise
disk     writes a file to the disk, and can't work
"""

import re
import subprocess

READS, ARCHIVE, HOME, DISK = "reads", "archive", "home", "disk"
FREES, DROPS = "frees", "drops"

SCAN = "-d virtual:flatbed -s resolution=75 -s area-width=60 -s area-height=40 -p plain"

# The words may name {disk}, the full disk; {out}, a folder on another one; {job}, {item},
# {trashed}.
COMMANDS = [
    (READS, "list"),
    (READS, "list --trash"),
    (READS, "list --json"),
    (READS, "search sheet"),
    (READS, "show 1"),
    (READS, "show 1 --json"),
    (READS, "pages 1"),
    (READS, "export 1 -o {out}/export.pdf -o {out}/export.json"),
    (READS, "archive check"),
    (READS, "archive history"),
    (READS, "archive backup {out}/backup"),
    (READS, "archive copy {archive} {out}/copy"),
    (READS, "jobs"),
    (READS, "outbox"),
    (READS, "outbox list"),
    (READS, "sinks"),
    (READS, "sinks list"),
    (READS, "sinks kinds"),
    (READS, "token"),
    (READS, "token list"),
    (READS, "profiles list"),
    (READS, "profiles show document"),
    (READS, "profiles check {profile}"),
    (READS, "profiles schema"),
    (READS, "devices"),
    (READS, "options virtual:flatbed"),
    (READS, "device default"),
    (READS, "backends"),
    (READS, "readers"),
    (READS, "share"),
    (READS, "status"),
    (READS, "completions bash"),
    (READS, "--help"),
    (READS, "--version"),
    (READS, "separator -o {out}/sheet.pdf"),
    (READS, "backend new {out}/mycam -l python"),
    (DISK, "export 1 -o {disk}/export.pdf"),
    (DISK, "archive backup {disk}/backup"),
    (DISK, "separator -o {disk}/sheet.pdf"),
    (DISK, "backend new {disk}/mycam -l python"),
    (ARCHIVE, "edit 1 --title Other"),
    (ARCHIVE, "tag 1 paid"),
    (ARCHIVE, "restore {trashed}"),
    (ARCHIVE, "pages 1 --rotate 1 90"),
    (ARCHIVE, "archive recover {out}/backup"),
    (ARCHIVE, f"scan -q {SCAN} -t New --sink archive"),
    (ARCHIVE, "import -q {out}/first.pdf -p plain -t New --sink archive"),
    (HOME, f"scan -q {SCAN} -o {{out}}/scan.pdf"),
    (HOME, "import -q {out}/first.pdf -p plain -o {out}/import.pdf"),
    (HOME, "preview -d virtual:flatbed -o {out}/preview.png"),
    (HOME, "detect {out}/picture.png"),
    (HOME, "sinks add office -k file --template {out}/{{title}}.json --format json"),
    (DROPS, "sinks remove shelf"),
    (HOME, "token add porch"),
    (DROPS, "token remove kitchen"),
    (HOME, "device alias desk virtual:flatbed"),
    (DROPS, "device unalias table"),
    (HOME, "device default virtual:flatbed"),
    (HOME, "profiles copy document mine"),
    (HOME, "share virtual:flatbed"),
    (DROPS, "jobs discard {job} --force"),
    (DROPS, "outbox drop {item}"),
    (FREES, "trash 2"),
    (FREES, "trash --empty"),
    (FREES, "archive compact"),
]

# Commands that are not run, and why.
APART = {
    "serve": "runs until it is stopped; the routes are tried one by one",
    "work": "needs an archive on a server",
    "work retry": "needs an archive on a server",
    "work drop": "needs an archive on a server",
    "archive init": "makes an archive on a server",
    "watch": "runs until it is stopped; it keeps pages as 'scan' does",
    "watch-folder": "runs until it is stopped; it keeps pages as 'import' does",
    "capture": "needs a page under a camera; it keeps pages as 'scan' does",
    "open": "opens a desktop's program",
    "doctor": "says what is wrong with this machine, which the disk is not all of",
    "jobs resume": "needs the job that is discarded here; Scripts/torture full resumes jobs",
    "outbox retry": "asks a service that does not answer here",
    "sinks test": "asks a service",
    "sinks addresses": "needs a sink for e-mail",
    "sinks addresses add": "changes settings as 'sinks add' does",
    "sinks addresses remove": "changes settings as 'sinks remove' does",
    "backend dev": "runs until it is stopped",
    "backend check": "has its own tests, and writes nothing that is kept",
    "backend install": "refuses root",
    "backend remove": "needs a backend that was installed before",
    "backend trace": "runs another command",
    "readers check": "starts a reader",
    "readers install": "downloads",
}


def known(program, environment):
    """The names of all commands, from the help."""

    def below(words):
        done = subprocess.run(
            [program, *words, "--help"], capture_output=True, text=True, env=environment
        )
        found = re.search(r"^Commands:\n((?:  .*\n)+)", done.stdout, re.M)
        names = re.findall(r"^  (\S+)", found[1], re.M) if found else []
        return [[*words, name] for name in names]

    todo, names = below([]), []
    while todo:
        words = todo.pop()
        inner = below(words)
        todo += inner
        # A command with others below it is often one itself.
        names.append((" ".join(words), bool(inner)))
    return names


def missing(program, environment):
    """The commands that no row tries."""
    tried = {" ".join(words.split()[:count]) for _, words in COMMANDS for count in (1, 2)}
    return sorted(
        name
        for name, has_others in known(program, environment)
        if name not in tried and name not in APART and not has_others
    )
