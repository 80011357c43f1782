"""A PostgreSQL server that can be ended like a crash, and syncs what it writes."""

import os
import shutil
import subprocess
import urllib.parse
from pathlib import Path

from receivers import free_port, run
from setup import check

PROGRAMS = Path("/usr/lib/postgresql/15/bin")
SETTINGS = {
    "fsync": "on",
    "max_connections": 200,
    # A short log, which a small disk holds; its files are made and removed, so that they need room.
    "min_wal_size": "2MB",
    "max_wal_size": "16MB",
    "wal_recycle": "off",
}


class Database:
    """Its files are in a folder of its own, with its socket."""

    def __init__(self, folder: Path, listen="127.0.0.1", data=None, log=None):
        self.folder, self.listen, self.port = folder, listen, free_port()
        folder.mkdir()
        self.log = ["--waldir", log] if log else []
        self.owner = ["/usr/sbin/runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        self.data = data or folder / "data"
        if self.owner:
            shutil.chown(folder, "postgres")
            for place in (self.data, *self.log[1:]):
                shutil.chown(place.parent, "postgres")

    @staticmethod
    def obstacle():
        there = (PROGRAMS / "initdb").exists()
        return None if there else "PostgreSQL is not installed (apt install postgresql)"

    def tool(self, name, *words):
        """Runs one of PostgreSQL's programs as the owner of the files."""
        with open(self.folder.parent / f"{self.folder.name}-{name}.txt", "ab") as log:
            done = subprocess.run(
                [*self.owner, PROGRAMS / name, *map(str, words)],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/",
            )  # fmt: skip
        check(done.returncode == 0, f"{name} ends with {done.returncode}: {log.name}")

    def make(self):
        self.tool(
            "initdb", "-D", self.data, "-A", "trust", "-U", "copystand", "--no-sync", "-E", "UTF8",
            "--locale=C", "--wal-segsize=1", *self.log,
        )  # fmt: skip
        with open(self.data / "pg_hba.conf", "a") as rules:
            rules.write("host all,replication all samenet trust\n")
        self.start()
        self.ask("CREATE DATABASE scans", "postgres")
        return self

    def start(self, **settings):
        all = SETTINGS | settings | {
            "listen_addresses": self.listen, "port": self.port,
            "unix_socket_directories": self.folder,
        }  # fmt: skip
        words = " ".join(f"-c {name}='{value}'" for name, value in all.items())
        self.tool(
            "pg_ctl", "-D", self.data, "-l", self.folder / "server.log", "-w", "-o", words, "start"
        )

    def crash(self):
        """Ends the server immediately: the next start recovers from its log."""
        self.tool("pg_ctl", "-D", self.data, "-m", "immediate", "stop")

    def is_running(self):
        """False when the server has ended itself, or was never started."""
        lines = self.data / "postmaster.pid"
        return lines.exists() and Path(f"/proc/{lines.read_text().split()[0]}").exists()

    def accepts(self):
        """True when the server lets clients in."""
        words = ("-q", "-h", self.folder, "-p", str(self.port))
        return subprocess.run([PROGRAMS / "pg_isready", *words]).returncode == 0

    def end(self):
        if self.is_running():
            self.crash()

    def address(self, host=None):
        """Where the archive is: by the socket, unless a host's address is given."""
        host = urllib.parse.quote(str(host or self.folder), safe="")
        return f"postgresql:///scans?host={host}&port={self.port}&user=copystand"

    def ask(self, statement, database="scans"):
        """What the server answers."""
        there = ("-h", self.folder, "-p", self.port, "-U", "copystand", "-d", database)
        words = map(str, (*there, "-v", "ON_ERROR_STOP=1", "-tAc", statement))
        return run(PROGRAMS / "psql", *words).strip()
