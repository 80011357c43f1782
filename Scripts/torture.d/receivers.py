"""Servers on loopback, one for each kind of sink, with access to the received documents.

Each has `words`, the arguments of `copystand sinks add`, and `titles()`, the titles of all received
documents, including repetitions.
"""

import email
import email.policy
import json
import os
import pwd
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from setup import ROOT, check

SUPPORT = ROOT / "Tests/Delivery/DeliveryTests/Support"
USER = pwd.getpwuid(os.geteuid()).pw_name
PASSWORD = "s3cret-word"


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def await_listener(port):
    for _ in range(500):
        try:
            return socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.02)
    check(False, f"nobody listens at port {port}")


def run(*words, text=None):
    done = subprocess.run(words, input=text, capture_output=True, text=True)
    check(done.returncode == 0, f"{words[0]} ends with {done.returncode}: {done.stderr}")
    return done.stdout


def title_of(name):
    """The title in a file's name, without date, ending and the number for a name in use."""
    return re.sub(r"(-\d)?\.[a-z]+$", "", re.sub(r"^\d{4}-\d{2}-\d{2} ", "", name))


def certificate(folder):
    """A certificate for 127.0.0.1 with its key."""
    run(
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
        "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1", "-addext",
        "subjectAltName=IP:127.0.0.1", "-keyout", folder / "key.pem", "-out", folder / "only.pem",
    )  # fmt: skip
    path = folder / "certificate.pem"
    path.write_text((folder / "key.pem").read_text() + (folder / "only.pem").read_text())
    (folder / "key.pem").chmod(0o600)
    return path


class Receiver:
    """A server that ends when this program ends."""

    format = "pdf"
    # True if a document may arrive twice, with a report, after a try whose end was not seen.
    may_double = False
    # The faults that the receiver can simulate: a wrong password, names that are taken, no space
    # left.
    has_password = has_names = has_quota = False
    # True if the receiver accepts a request with a truncated head as complete.
    takes_parts = False

    @classmethod
    def obstacle(cls):
        """The reason why the server can't run here, or an empty text."""

    @classmethod
    def version(cls):
        """The server and its version, for the results."""

    def __init__(self, folder: Path):
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o755)
        self.root = folder / "root"
        self.root.mkdir(exist_ok=True)
        (folder / "password").write_text(PASSWORD + "\n")
        self.processes = []
        self.words = self.start()

    def start(self):
        return []

    def spawn(self, *words, script=False, **options):
        """Starts a program. For one of our scripts, returns the port that the script prints."""
        process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE if script else subprocess.DEVNULL,
            stdout=subprocess.PIPE if script else subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            text=True,
            **options,
        )
        self.processes.append(process)
        return int(process.stdout.readline()) if script else process

    def script(self, name, *words):
        return self.spawn(sys.executable, str(SUPPORT / name), *map(str, words), script=True)

    def secret(self, text):
        path = self.folder / "token"
        path.write_text(text + "\n")
        return str(path)

    @property
    def login(self):
        return ["--user", USER, "--password-file", str(self.folder / "password")]

    def stop(self):
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            process.wait()

    def names(self):
        """The received files. Incomplete ones are hidden."""
        return [
            path.name
            for path in self.root.rglob("*")
            if path.is_file() and not path.name.startswith(".")
        ]

    def titles(self):
        return [title_of(name) for name in self.names()]

    def leftovers(self):
        """The hidden files that no one will remove."""
        return [path.name for path in self.root.rglob(".*") if path.is_file()]


class FolderReceiver(Receiver):
    def start(self):
        return ["-k", "file", "--template", f"{self.root}/{{title}}.pdf"]


class SFTPReceiver(Receiver):
    def start(self):
        for name in ("host", "user"):
            run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.folder / name)
        if os.geteuid() == 0:
            Path("/run/sshd").mkdir(exist_ok=True)
        self.port = free_port()
        (self.folder / "conf").write_text(
            f"Port {self.port}\nListenAddress 127.0.0.1\nHostKey {self.folder}/host\n"
            f"AuthorizedKeysFile {self.folder}/user.pub\nStrictModes no\nUsePAM no\n"
            "PermitRootLogin yes\nPidFile none\nSubsystem sftp internal-sftp\n"
            "MaxStartups 1000:30:1000\n"
        )
        self.spawn("/usr/sbin/sshd", "-D", "-e", "-f", str(self.folder / "conf"))
        await_listener(self.port)
        key = run("ssh-keygen", "-lf", self.folder / "host.pub").split()[1]
        return [
            "-k", "sftp", "--url", f"sftp://127.0.0.1:{self.port}{self.root}", "--user", USER,
            "--parameter", f"host-key={key}", "--parameter", f"key-file={self.folder}/user",
        ]  # fmt: skip


class FTPSReceiver(Receiver):
    def start(self):
        path = certificate(self.folder)
        self.port = free_port()
        (self.folder / "empty").mkdir()
        inner = self.root / "scans"
        inner.mkdir()
        if os.geteuid() == 0:
            shutil.chown(inner, "ftp")
        settings = {
            "listen": "YES", "listen_address": "127.0.0.1", "listen_port": self.port,
            "background": "NO", "anonymous_enable": "YES", "local_enable": "NO",
            "run_as_launching_user": "NO" if os.geteuid() == 0 else "YES",
            "write_enable": "YES", "anon_root": self.root, "anon_upload_enable": "YES",
            "anon_mkdir_write_enable": "YES", "anon_other_write_enable": "YES",
            "anon_world_readable_only": "NO", "ssl_enable": "YES", "allow_anon_ssl": "YES",
            "force_anon_data_ssl": "YES", "force_anon_logins_ssl": "YES",
            "require_ssl_reuse": "YES", "ssl_ciphers": "HIGH", "rsa_cert_file": path,
            "rsa_private_key_file": self.folder / "key.pem",
            "secure_chroot_dir": self.folder / "empty", "seccomp_sandbox": "NO",
        }  # fmt: skip
        conf = self.folder / "conf"
        conf.write_text("".join(f"{name}={value}\n" for name, value in settings.items()))
        conf.chmod(0o600)
        self.spawn("/usr/sbin/vsftpd", str(conf))
        await_listener(self.port)
        self.certificate = path
        return [
            "-k", "ftps", "--url", f"ftp://127.0.0.1:{self.port}/scans", "--user", "ftp",
            "--password-file", str(self.folder / "password"), "--parameter", f"ca-file={path}",
        ]  # fmt: skip


class SMBReceiver(Receiver):
    @classmethod
    def obstacle(cls):
        return None if os.geteuid() == 0 else "smbd runs as root alone"

    def start(self):
        self.port = free_port()
        own = ("private", "lock", "state", "cache", "pid", "ncalrpc")
        for name in own:
            (self.folder / name).mkdir()
        folders = "".join(
            f"{option} = {self.folder}/{name}\n"
            for option, name in zip(
                ("private dir", "lock directory", "state directory", "cache directory",
                 "pid directory", "ncalrpc dir"), own,
            )
        )  # fmt: skip
        conf = self.folder / "conf"
        conf.write_text(
            f"[global]\nserver role = standalone server\nsmb ports = {self.port}\n"
            f"interfaces = 127.0.0.1\nbind interfaces only = yes\n{folders}"
            f"log file = {self.folder}/log\npassdb backend = tdbsam\ndisable spoolss = yes\n"
            f"load printers = no\nmap to guest = never\n"
            f"[scans]\npath = {self.root}\nread only = no\n"
        )
        run("smbpasswd", "-c", conf, "-s", "-a", USER, text=f"{PASSWORD}\n{PASSWORD}\n")
        # At its end smbd signals its process group, which must be its own.
        self.spawn(
            "/usr/sbin/smbd", "-F", "--no-process-group", "-s", str(conf), start_new_session=True
        )
        await_listener(self.port)
        return ["-k", "smb", "--url", f"smb://127.0.0.1:{self.port}/scans", *self.login]


class S3Receiver(Receiver):
    def start(self):
        port = self.script("object_store.py", self.root, self.folder / "faults")
        return [
            "-k", "s3", "--url", f"http://127.0.0.1:{port}", "--user", "AKID", "--password-file",
            str(self.folder / "password"), "--parameter", "bucket=scans", "--parameter",
            "region=eu-central-1",
        ]  # fmt: skip

    def names(self):
        keys = []
        for path in self.root.glob("*.meta"):
            if path.with_suffix("").exists():
                keys.append(json.loads(path.read_text())["key"])
        return keys


class NextcloudReceiver(Receiver):
    def start(self):
        port = self.script("nextcloud.py", self.root, self.folder / "faults")
        return [
            "-k", "nextcloud", "--url", f"http://127.0.0.1:{port}/remote.php/dav/files/ada",
            "--user", "ada", "--password-file", str(self.folder / "password"),
        ]  # fmt: skip


class EmailReceiver(Receiver):
    may_double = True

    def start(self):
        path = certificate(self.folder)
        port = self.script("mail_server.py", self.root, path, "starttls")
        return [
            "-k", "email", "--url", f"smtp://127.0.0.1:{port}", "--user", "ada", "--password-file",
            str(self.folder / "password"), "--parameter", "from=scans@example.org", "--parameter",
            "to=ada@example.org", "--parameter", f"ca-file={path}",
        ]  # fmt: skip

    def titles(self):
        found = []
        for path in self.root.glob("*.eml"):
            message = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
            found.append(message["Subject"])
        return found


class PeerReceiver(Receiver):
    """A service of peer.py."""

    kind = path = token = ""
    more = ()

    def start(self):
        self.port = self.script("peer.py")
        return [
            "-k", self.kind, "--url", f"http://127.0.0.1:{self.port}{self.path}", "--token-file",
            self.secret(self.token), *self.more,
        ]  # fmt: skip

    def seen(self):
        return json.load(urllib.request.urlopen(f"http://127.0.0.1:{self.port}/requests"))


class WebDAVReceiver(PeerReceiver):
    kind, path, token = "webdav", "/dav", "word"

    def titles(self):
        return [title_of(name.rsplit("/", 1)[1]) for name in self.seen()["files"] if name[-1] != "/"]


class WebhookReceiver(PeerReceiver):
    kind, path, token = "webhook", "/hook", "word"
    may_double = True

    def titles(self):
        return [document["metadata"]["title"] for document in self.seen()["documents"]]


class PaperlessReceiver(PeerReceiver):
    kind, path, token = "paperless", "/paperless", "word"

    def titles(self):
        return [document["title"] for document in self.seen()["documents"]]


class HashedReceiver(PeerReceiver):
    """A service that recognizes a file by its hash and not by its title."""

    def titles(self):
        return [document["key"] for document in self.seen()["documents"]]


class ImmichReceiver(HashedReceiver):
    kind, path, token = "immich", "/immich", "immich-key-1"
    format = "jpg"


class DocspellReceiver(HashedReceiver):
    kind, path, token = "docspell", "/docspell", "source-id-17"


class RcloneReceiver(Receiver):
    def start(self):
        conf = self.folder / "rclone.conf"
        conf.write_text(f"[shelf]\ntype = alias\nremote = {self.root}\n")
        return ["-k", "rclone", "--parameter", "remote=shelf:", "--parameter", f"config={conf}"]


class ProgramReceiver(Receiver):
    """A program that records its arguments."""

    may_double = True

    def program(self, name, title):
        path = self.folder / name
        path.write_text(f'#!/bin/sh\necho "{title}" >> "{self.folder}/seen"\necho done\n')
        path.chmod(0o755)
        return str(path)

    def titles(self):
        seen = self.folder / "seen"
        return seen.read_text().splitlines() if seen.exists() else []


class ExecReceiver(ProgramReceiver):
    def start(self):
        return ["-k", "exec", "--command", self.program("exec", "$COPYSTAND_TITLE")]


class PrintReceiver(ProgramReceiver):
    def start(self):
        # lp -d PRINTER -n COPIES -t TITLE -- FILE
        return ["-k", "print", "--command", self.program("lp", "$6"), "--parameter", "printer=desk"]


RECEIVERS = {
    "file": FolderReceiver,
    "sftp": SFTPReceiver,
    "ftps": FTPSReceiver,
    "smb": SMBReceiver,
    "s3": S3Receiver,
    "webdav": WebDAVReceiver,
    "nextcloud": NextcloudReceiver,
    "email": EmailReceiver,
    "webhook": WebhookReceiver,
    "paperless": PaperlessReceiver,
    "immich": ImmichReceiver,
    "docspell": DocspellReceiver,
    "rclone": RcloneReceiver,
    "exec": ExecReceiver,
    "print": PrintReceiver,
}
