"""Real servers for kinds for which receivers.py has only a small or simulated one.

They are only used when they are named (`--kind email@postfix`). Each has its own configuration and
folders, and does not touch the system's.
"""

import email
import email.policy
import json
import mailbox
import os
import shutil
import subprocess
import time
from pathlib import Path

from full import SmallDisk
from receivers import (
    PASSWORD, RECEIVERS, USER, Receiver, await_listener, certificate, free_port, run,
    title_of,
)  # fmt: skip
from setup import ROOT, check

PINNED = ROOT / "Scripts/lib/torture_servers.txt"
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
TOOLS = CACHE / "copystand-torture-servers"


def obstacle_of_tools():
    """Installs the packages in PINNED once. Returns the problem that prevents this, or an empty
    text."""
    noted = TOOLS / "installed.txt"
    if noted.exists() and noted.read_text() == PINNED.read_text():
        return None
    shutil.rmtree(TOOLS, ignore_errors=True)
    TOOLS.mkdir(parents=True)
    print(f"Installing the servers of PyPI into {TOOLS}.", flush=True)
    # Two have no wheel and are built with the pinned setuptools, so that comes first.
    builder = TOOLS / "setuptools.txt"
    builder.write_text(PINNED.read_text().rpartition("\n\n# The following")[2].partition("\n")[2])
    pip = [TOOLS / "bin/pip", "install", "-q", "--no-deps", "--require-hashes"]
    for words in (
        ["/usr/bin/python3", "-m", "venv", TOOLS],
        [*pip, "-r", builder],
        [*pip, "--no-build-isolation", "-r", PINNED],
    ):
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode != 0:
            last = (done.stderr or done.stdout).strip().splitlines()[-1:]
            return f"the servers of PyPI can't be installed (apt install python3-venv): {last}"
    noted.write_text(PINNED.read_text())
    return None


def check_whole(title, content):
    """Checks that a document is complete and the right one: its last line is its title."""
    whole = content.startswith(b"%PDF-") and content.endswith(f"\n%{title}\n".encode())
    check(
        whole,
        f"what arrived as {title} is another document, or only a part of it:"
        f" {len(content)} bytes, {content[:40]} to {content[-40:]}",
    )


class PyPIReceiver(Receiver):
    """A server of PINNED."""

    package = ""

    @classmethod
    def obstacle(cls):
        return obstacle_of_tools()

    @classmethod
    def version(cls):
        words = (TOOLS / "bin/python", "-c", "import importlib.metadata as m, sys;"
                 "print(m.version(sys.argv[1]))", cls.package)  # fmt: skip
        return f"{cls.package} {run(*words).strip()}"

    def tool(self, name, *words):
        return self.spawn(TOOLS / "bin" / name, *map(str, words), cwd=self.folder)


class PostfixReceiver(Receiver):
    """Postfix, whose queue is delivered into a maildir. Its master only runs as root."""

    may_double = has_quota = True

    @classmethod
    def obstacle(cls):
        if os.geteuid() != 0:
            return "Postfix runs as root alone"
        there = Path("/usr/sbin/postfix").exists()
        return None if there else "not installed (apt install postfix)"

    @classmethod
    def version(cls):
        return f"Postfix {run('/usr/sbin/postconf', '-d', '-h', 'mail_version').strip()}"

    def start(self):
        port = free_port()
        path = certificate(self.folder)
        conf = self.folder / "conf"
        for name, owner in ((conf, None), (self.folder / "queue", None),
                            (self.folder / "data", "postfix"), (self.root, "nobody")):  # fmt: skip
            name.mkdir(exist_ok=True)
            if owner:
                shutil.chown(name, owner)
        daemons = run("/usr/sbin/postconf", "-d", "-h", "daemon_directory").strip()
        settings = {
            "compatibility_level": "3.6", "queue_directory": self.folder / "queue",
            "data_directory": self.folder / "data", "daemon_directory": daemons,
            "maillog_file": self.folder / "log", "maillog_file_prefixes": self.folder,
            "myhostname": "mail.example.org", "mydestination": "",
            "inet_interfaces": "127.0.0.1", "inet_protocols": "ipv4",
            # No message leaves this machine.
            "smtpd_relay_restrictions": "reject_unauth_destination",
            "default_transport": "error:nothing is relayed",
            "alias_maps": "", "local_recipient_maps": "",
            "smtpd_tls_security_level": "encrypt", "smtpd_tls_cert_file": path,
            "virtual_mailbox_domains": "example.org", "virtual_mailbox_base": self.root,
            "virtual_mailbox_maps": "static:mail/", "virtual_uid_maps": "static:65534",
            "virtual_gid_maps": "static:65534",
        }  # fmt: skip
        lines = [f"{name} = {value}\n" for name, value in settings.items()]
        (conf / "main.cf").write_text("".join(lines))
        services = [
            f"127.0.0.1:{port} inet n - n - - smtpd", "postlog unix-dgram n - n - 1 postlogd",
        ]  # fmt: skip
        for name, rest in {
            "cleanup": "n - n - 0 cleanup", "qmgr": "n - n 300 1 qmgr",
            "tlsmgr": "- - n 1000? 1 tlsmgr", "rewrite": "- - n - - trivial-rewrite",
            "bounce": "- - n - 0 bounce", "defer": "- - n - 0 bounce", "trace": "- - n - 0 bounce",
            "proxymap": "- - n - - proxymap", "anvil": "- - n - 1 anvil",
            "error": "- - n - - error", "retry": "- - n - - error", "virtual": "- n n - - virtual",
        }.items():  # fmt: skip
            services.append(f"{name} unix {rest}")
        (conf / "master.cf").write_text("\n".join(services) + "\n")
        self.conf = conf
        run("/usr/sbin/postfix", "-c", conf, "check")
        # At its end master signals its process group, which must be its own.
        self.spawn(f"{daemons}/master", "-c", str(conf), "-s", start_new_session=True)
        await_listener(port)
        return [
            "-k", "email", "--url", f"smtp://127.0.0.1:{port}", "--parameter",
            "from=scans@example.org", "--parameter", "to=ada@example.org", "--parameter",
            f"ca-file={path}",
        ]  # fmt: skip

    def want_free(self, size):
        run("/usr/sbin/postconf", "-c", self.conf, f"queue_minfree={size}")
        run("/usr/sbin/postfix", "-c", self.conf, "reload")

    def end_room(self):
        """Makes the server report a full disk: 452 4.3.1."""
        self.want_free(1 << 50)

    def make_room(self):
        self.want_free(0)

    def queued(self):
        """The messages that Postfix has accepted but not yet put into the maildir."""
        queues = [self.folder / "queue" / name for name in ("incoming", "active", "deferred")]
        return [path for queue in queues for path in queue.rglob("*") if path.is_file()]

    def titles(self):
        end = time.monotonic() + 120
        while self.queued() and time.monotonic() < end:
            time.sleep(0.1)
        check(not self.queued(), f"Postfix has {len(self.queued())} messages in its queue")
        found = []
        for path in (self.root / "mail/new").iterdir():
            message = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
            (document,) = message.iter_attachments()
            check_whole(message["Subject"], document.get_content())
            found.append(message["Subject"])
        return found

    def leftovers(self):
        return [path.name for path in (self.root / "mail/tmp").iterdir()]


def bucket_client(endpoint, user, secret):
    """A client of a store of objects: Amazon's own library."""
    # The library is in the package group "test", so nothing else needs it.
    import botocore.config
    import botocore.session

    return botocore.session.Session().create_client(
        "s3", region_name="eu-central-1", endpoint_url=endpoint,
        aws_access_key_id=user, aws_secret_access_key=secret,
        config=botocore.config.Config(s3={"addressing_style": "path"}),
    )  # fmt: skip


class BucketReceiver(PyPIReceiver):
    """A store of objects, read by Amazon's own library."""

    user, secret = "AKID", PASSWORD
    has_names = True

    def serve(self):
        """Starts the server, and returns its port."""

    def start(self):
        (self.folder / "password").write_text(self.secret + "\n")
        port = self.serve()
        await_listener(port)
        self.client = bucket_client(f"http://127.0.0.1:{port}", self.user, self.secret)
        place = {"LocationConstraint": "eu-central-1"}
        self.client.create_bucket(Bucket="scans", CreateBucketConfiguration=place)
        return [
            "-k", "s3", "--url", f"http://127.0.0.1:{port}", "--user", self.user, "--password-file",
            str(self.folder / "password"), "--parameter", "bucket=scans", "--parameter",
            "region=eu-central-1",
        ]  # fmt: skip

    def titles(self):
        pages = self.client.get_paginator("list_objects_v2").paginate(Bucket="scans")
        keys = [entry["Key"] for page in pages for entry in page.get("Contents", [])]
        for key in keys:
            answer = self.client.get_object(Bucket="scans", Key=key)
            check_whole(title_of(key), answer["Body"].read())
        return [title_of(key) for key in keys]

    def put(self, name, content):
        self.client.put_object(Bucket="scans", Key=name, Body=content)

    def take(self, name):
        content = self.client.get_object(Bucket="scans", Key=name)["Body"].read()
        self.client.delete_object(Bucket="scans", Key=name)
        return content

    def leftovers(self):
        uploads = self.client.list_multipart_uploads(Bucket="scans").get("Uploads", [])
        return [upload["Key"] for upload in uploads]


class MotoReceiver(BucketReceiver):
    """This server keeps everything in memory, and checks no signature."""

    package = "moto"
    takes_parts = True

    def serve(self):
        port = free_port()
        self.tool("moto_server", "-H", "127.0.0.1", "-p", port)
        return port


class SwiftReceiver(BucketReceiver):
    """OpenStack Swift with one device; it checks signatures, and hashes of the received data."""

    package = "swift"
    user, secret = "test:tester", "testing"
    has_password = has_quota = True

    def write(self, name, port, sections):
        """Writes the settings of a server; their path."""
        common = {
            "bind_ip": "127.0.0.1", "bind_port": port, "workers": 0,
            "swift_dir": self.folder, "devices": self.root, "mount_check": "false",
            "user": USER,
        }  # fmt: skip
        lines = []
        for section, settings in {"DEFAULT": common, **sections}.items():
            lines.append(f"[{section}]\n")
            lines += [f"{key} = {value}\n" for key, value in settings.items()]
        path = self.folder / f"{name}-server.conf"
        path.write_text("".join(lines))
        return path

    def configure(self, name, port, sections):
        """Starts a server, and returns its port."""
        self.tool(f"swift-{name}-server", self.write(name, port, sections))
        return port

    def serve(self):
        (self.root / "disk").mkdir()
        try:
            os.setxattr(self.root / "disk", "user.swift.try", b"1")
        except OSError as error:
            check(False, f"Swift needs extended attributes, choose a place with --dir: {error}")
        (self.folder / "swift.conf").write_text(
            "[swift-hash]\nswift_hash_path_suffix = torture\n"
            "[storage-policy:0]\nname = only\ndefault = yes\n"
        )
        for name in ("account", "container", "object"):
            builder, port = self.folder / f"{name}.builder", free_port()
            ring = (TOOLS / "bin/swift-ring-builder", builder)
            run(*ring, "create", "4", "1", "0")
            run(*ring, "add", f"r1z1-127.0.0.1:{port}/disk", "1")
            run(*ring, "rebalance")
            own = {"use": f"egg:swift#{name}"}
            if name == "object":
                # A listing that is not up to date would look like a loss.
                own["container_update_timeout"] = 60
            pipeline = {"pipeline:main": {"pipeline": f"{name}-server"}}
            self.configure(name, port, {**pipeline, f"app:{name}-server": own})
            await_listener(port)
        filters = "catch_errors cache listing_formats s3api tempauth copy container_quotas slo dlo"
        sections = {"pipeline:main": {"pipeline": f"{filters} proxy-server"}}
        for name in filters.split():
            egg = "memcache" if name == "cache" else name
            sections[f"filter:{name}"] = {"use": f"egg:swift#{egg}"}
        sections["filter:s3api"]["location"] = "eu-central-1"
        sections["filter:tempauth"]["user_test_tester"] = f"{self.secret} .admin"
        sections["app:proxy-server"] = {
            "use": "egg:swift#proxy", "account_autocreate": "true",
        }  # fmt: skip
        inner = {"pipeline:main": {"pipeline": "catch_errors cache proxy-server"}}
        for name in ("filter:catch_errors", "filter:cache", "app:proxy-server"):
            inner[name] = sections[name]
        self.write("internal", 0, inner)
        return self.configure("proxy", free_port(), sections)

    def limit(self, count):
        """Sets the number of objects that the bucket may have, by Swift's own internal client,
        since a token would need memcached.
        """
        code = (
            "import sys; from swift.common.utils import set_swift_dir; set_swift_dir(sys.argv[1]);"
            "from swift.common.internal_client import InternalClient;"
            "InternalClient(sys.argv[2], 'torture', 1).set_container_metadata("
            "'AUTH_test', 'scans', {'x-container-meta-quota-count': sys.argv[3]})"
        )
        settings = self.folder / "internal-server.conf"
        run(TOOLS / "bin/python", "-c", code, self.folder, settings, count)

    def end_room(self):
        self.limit("3")

    def make_room(self):
        self.limit("")


class FilesReceiver(PyPIReceiver):
    """A server that stores files unchanged."""

    has_password = has_names = has_quota = True
    disk = None

    def put(self, name, content):
        (self.root / "scans" / name).write_bytes(content)

    def take(self, name):
        path = self.root / "scans" / name
        content = path.read_bytes()
        path.unlink()
        return content

    def end_room(self):
        """Fills the disk so that only a few documents fit."""
        place = self.root / "scans"
        place.rmdir()
        self.disk = SmallDisk(place, size=4 << 20)
        self.disk.leave(64 << 10)

    def make_room(self):
        self.disk.make_space()

    def stop(self):
        super().stop()
        if self.disk:
            self.disk.remove()

    def start(self):
        (self.root / "scans").mkdir()
        port = free_port()
        words = self.serve(port)
        await_listener(port)
        return [*words, "--user", "ada", "--password-file", str(self.folder / "password")]

    def titles(self):
        for name in self.names():
            check_whole(title_of(name), (self.root / "scans" / name).read_bytes())
        return super().titles()


class WsgidavReceiver(FilesReceiver):
    package = "WsgiDAV"

    def serve(self, port):
        conf = self.folder / "conf.json"
        basic = {"accept_basic": True, "accept_digest": False, "default_to_digest": False}
        conf.write_text(json.dumps({
            "host": "127.0.0.1", "port": port, "provider_mapping": {"/": str(self.root)},
            "http_authenticator": basic,
            "simple_dc": {"user_mapping": {"*": {"ada": {"password": PASSWORD}}}},
        }))  # fmt: skip
        self.tool("wsgidav", "-q", "-c", conf)
        return ["-k", "webdav", "--url", f"http://127.0.0.1:{port}/scans"]


class PyftpdlibReceiver(FilesReceiver):
    package = "pyftpdlib"

    def serve(self, port):
        path = certificate(self.folder)
        self.tool(
            "python", "-m", "pyftpdlib", "-i", "127.0.0.1", "-p", port, "-w", "-d", self.root,
            "-u", "ada", "-P", PASSWORD, "--tls", "--certfile", path, "--keyfile",
            self.folder / "key.pem", "--tls-control-required", "--tls-data-required",
        )  # fmt: skip
        return [
            "-k", "ftps", "--url", f"ftp://127.0.0.1:{port}/scans", "--parameter",
            f"ca-file={path}",
        ]  # fmt: skip


SERVERS = {
    "email@postfix": PostfixReceiver,
    "s3@swift": SwiftReceiver,
    "s3@moto": MotoReceiver,
    "webdav@wsgidav": WsgidavReceiver,
    "ftps@pyftpdlib": PyftpdlibReceiver,
}
ALL = {**RECEIVERS, **SERVERS}
