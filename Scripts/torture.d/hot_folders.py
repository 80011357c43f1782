"""Servers for SFTP, FTP with TLS and SMB write files into one folder at the same time, slowly, with
pauses, renames and cuts. Two hosts watch the folder, and each file becomes a document exactly once.
"""

import collections
import ftplib
import os
import random
import shutil
import signal
import ssl
import subprocess
import threading
import time

from PIL import Image, ImageDraw

from receivers import PASSWORD, FTPSReceiver, SFTPReceiver, SMBReceiver, USER
from setup import ROOT, check

STILL = 1.0


def picture(path, number):
    """A unique page: its number is drawn as dots that can be read back from its pixels."""
    page = Image.new("L", (160, 120), 255)
    draw = ImageDraw.Draw(page)
    for bit in range(16):
        x, y = 8 + bit % 8 * 18, 8 + bit // 8 * 50
        if number >> bit & 1:
            draw.rectangle((x, y, x + 14, y + 40), fill=0)
    page.save(path, dpi=(75, 75), quality=95)


def number_in(path):
    """The number on a page."""
    with Image.open(path) as page:
        page = page.convert("L")
        x, y = page.width / 160, page.height / 120
        bits = (
            page.getpixel((int((15 + bit % 8 * 18) * x), int((28 + bit // 8 * 50) * y))) < 128
            for bit in range(16)
        )
        return sum(1 << bit for bit, is_set in enumerate(bits) if is_set)


class Pusher:
    """Sends files by one protocol, as scanners do."""

    def __init__(self, chance):
        self.chance = chance
        self.problems = []

    def push(self, files):
        try:
            for path in files:
                self.one(path, self.chance.choice(self.ways))
        except Exception as error:
            self.problems.append(f"{type(self).__name__}: {error!r}")


class FTPSPusher(Pusher):
    ways = ("slow", "rename", "cut", "whole", "twice")

    def __init__(self, chance, receiver):
        super().__init__(chance)
        self.receiver = receiver

    def connect(self):
        class Resuming(ftplib.FTP_TLS):
            """vsftpd requires the control connection's TLS session for data connections."""

            def ntransfercmd(self, command, rest=None):
                connection, size = ftplib.FTP.ntransfercmd(self, command, rest)
                return self.context.wrap_socket(
                    connection, server_hostname=self.host, session=self.sock.session
                ), size

        context = ssl.create_default_context(cafile=str(self.receiver.certificate))
        context.maximum_version = ssl.TLSVersion.TLSv1_2
        client = Resuming(context=context)
        client.connect("127.0.0.1", self.receiver.port, timeout=30)
        client.login("ftp", PASSWORD)
        client.prot_p()
        client.cwd("scans")
        return client

    def one(self, path, way):
        client = self.connect()
        content = path.read_bytes()
        if way == "cut":
            # The connection breaks in the middle of a file, and the scanner sends it again.
            connection = client.transfercmd(f"STOR {path.name}")
            connection.sendall(content[: len(content) // 2])
            connection.close()
            client.close()
            time.sleep(self.chance.random() * 2 * STILL)
            client = self.connect()
        name = path.name + ".part" if way == "rename" else path.name
        connection = client.transfercmd(f"STOR {name}")
        pieces = 4 if way == "slow" else 1
        step = len(content) // pieces + 1
        for start in range(0, len(content), step):
            connection.sendall(content[start : start + step])
            if way == "slow":
                time.sleep(self.chance.random() * STILL)
        connection.unwrap()
        connection.close()
        client.voidresp()
        if way == "rename":
            time.sleep(self.chance.random() * STILL)
            client.rename(name, path.name)
        if way == "twice":
            # Some scanners write the same file again immediately.
            connection = client.transfercmd(f"STOR {path.name}")
            connection.sendall(content)
            connection.unwrap()
            connection.close()
            client.voidresp()
        client.quit()


class SFTPPusher(Pusher):
    ways = ("limited", "rename", "whole")

    def __init__(self, chance, receiver, folder):
        super().__init__(chance)
        self.receiver, self.goal = receiver, folder

    def one(self, path, way):
        name = path.name + ".filepart" if way == "rename" else path.name
        commands = f"put {path} {self.goal}/{name}\n"
        if way == "rename":
            commands += f"rename {self.goal}/{name} {self.goal}/{path.name}\n"
        words = ["sftp", "-q", "-P", str(self.receiver.port), "-i", f"{self.receiver.folder}/user"]
        words += ["-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null"]
        if way == "limited":
            words += ["-l", "16"]
        done = subprocess.run(
            [*words, "-b", "-", f"{USER}@127.0.0.1"], input=commands, capture_output=True, text=True
        )
        check(done.returncode == 0, f"sftp: {done.stderr}")


class SMBPusher(Pusher):
    ways = ("whole", "rename", "killed")

    def __init__(self, chance, receiver):
        super().__init__(chance)
        self.receiver = receiver
        (receiver.folder / "login").write_text(f"username={USER}\npassword={PASSWORD}\n")

    def client(self, commands):
        return subprocess.Popen(
            [
                "smbclient", "-p", str(self.receiver.port), "-A", self.receiver.folder / "login",
                "//127.0.0.1/scans", "-c", commands,
            ],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip

    def one(self, path, way):
        if way == "killed":
            process = self.client(f"put {path} {path.name}")
            time.sleep(self.chance.random() * 0.05)
            process.kill()
            process.communicate()
            time.sleep(self.chance.random() * STILL)
        name = path.name + ".tmp" if way == "rename" else path.name
        more = f"; rename {name} {path.name}" if way == "rename" else ""
        process = self.client(f"put {path} {name}{more}")
        said = process.communicate()[0]
        # A file that was complete when its sender was killed may have been imported in the
        # meantime.
        check(process.returncode == 0, f"smbclient: {said}")


def one(setup, seed, count):
    chance = random.Random(f"{seed}/folders")
    files = setup.folder / "backends/file"
    files.mkdir()
    shutil.copy(ROOT / "Plugins/FileImport/backend.json", files)
    hot = setup.folder / "hot"
    hot.mkdir()
    hot.chmod(0o777)
    receivers = {}
    for name, kind in (("ftps", FTPSReceiver), ("smb", SMBReceiver), ("sftp", SFTPReceiver)):
        receivers[name] = kind(setup.folder / name)
    source = setup.folder / "source"
    source.mkdir()
    watchers = []
    try:
        # All three servers write into one folder.
        inner = receivers["ftps"].root / "scans"
        subprocess.run(["mount", "--bind", hot, inner], check=True)
        subprocess.run(["mount", "--bind", hot, receivers["smb"].root], check=True)
        files = []
        for number in range(count):
            path = source / f"scan-{number:04d}.jpg"
            picture(path, number + 1)
            files.append(path)
        pushers = [
            FTPSPusher(random.Random(chance.random()), receivers["ftps"]),
            FTPSPusher(random.Random(chance.random()), receivers["ftps"]),
            SMBPusher(random.Random(chance.random()), receivers["smb"]),
            SFTPPusher(random.Random(chance.random()), receivers["sftp"], hot),
        ]

        def watch():
            return setup.start(
                "watch-folder", str(hot), "--still", str(STILL), "--give-up", "30", "-p", "plain",
            )  # fmt: skip

        watchers = [watch(), watch()]
        threads = [
            threading.Thread(target=pusher.push, args=(files[index :: len(pushers)],))
            for index, pusher in enumerate(pushers)
        ]
        begun = time.monotonic()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        problems = [problem for pusher in pushers for problem in pusher.problems]
        check(not problems, "; ".join(problems))
        end = time.monotonic() + 300 + count
        while time.monotonic() < end and any(hot.glob("*.jpg")):
            time.sleep(0.5)
        time.sleep(2 * STILL)
        for watcher in watchers:
            check(watcher.poll() is None, f"a watcher ended with {watcher.returncode}")
        return check_documents(setup, hot, count, time.monotonic() - begun)
    finally:
        for watcher in watchers:
            if watcher.poll() is None:
                os.killpg(watcher.pid, signal.SIGTERM)
                watcher.wait()
        for place in (receivers["ftps"].root / "scans", receivers["smb"].root):
            subprocess.run(["umount", "-l", place], capture_output=True)
        for receiver in receivers.values():
            receiver.stop()


def check_documents(setup, hot, count, seconds):
    """Checks that every number is on one page of the archive, and that no other page exists."""
    left = [path.name for path in hot.iterdir() if path.suffix == ".jpg"]
    check(not left, f"{len(left)} files were not taken: {left[:3]}")
    failed = list((hot / "failed").glob("*.jpg")) if (hot / "failed").exists() else []
    pages = collections.Counter()
    out = setup.folder / "pages"
    out.mkdir()
    documents = setup.json("list", "--limit", str(10 * count))["documents"]
    for document in documents:
        place = out / str(document["id"])
        place.mkdir()
        done = setup.run("export", str(document["id"]), "-o", str(place / "page.png"))
        check(done.returncode == 0, f"export: {done.stderr}")
        found = list(place.iterdir())
        check(len(found) == 1, f"document {document['id']} has {len(found)} pages")
        pages[number_in(found[0])] += 1
    wanted = set(range(1, count + 1))
    missing = wanted - pages.keys()
    check(not missing, f"{len(missing)} of {count} became no document: {sorted(missing)[:5]}")
    doubled = {number for number, times in pages.items() if times > 1}
    check(not doubled, f"{len(doubled)} became more than one: {sorted(doubled)[:5]}")
    check(pages.keys() == wanted, f"unknown pages: {sorted(pages.keys() - wanted)[:5]}")
    reasons = [path.name for path in failed if not path.with_name(path.name + ".txt").exists()]
    check(not reasons, f"no reason stands beside {reasons[:3]}")
    return (
        f"{count} files by three protocols, each one document;"
        f" {len(failed)} halves in 'failed' with a reason; {seconds:.0f} s"
    )
