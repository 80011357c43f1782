"""Machines in networks of their own on this one, each pair of which can be parted."""

import ctypes
import os
import subprocess
import time

from receivers import run
from setup import check

CLONE_NEWNET = 0x40000000
LIBC = ctypes.CDLL(None, use_errno=True)


class Network:
    """What is done in a `with` of this value, and what is started there, is in its network."""

    def __init__(self):
        self.holder = subprocess.Popen(["/usr/bin/unshare", "--net", "sleep", "infinity"])
        own = os.readlink("/proc/self/ns/net")
        end = time.monotonic() + 10
        while os.readlink(f"/proc/{self.holder.pid}/ns/net") == own:
            check(time.monotonic() < end, "no network can be made")
            time.sleep(0.01)
        self.file = os.open(f"/proc/{self.holder.pid}/ns/net", os.O_RDONLY)
        self.outside = []
        with self:
            run("ip", "link", "set", "lo", "up")

    def __enter__(self):
        self.outside.append(os.open("/proc/thread-self/ns/net", os.O_RDONLY))
        enter(self.file)
        return self

    def __exit__(self, *_):
        outside = self.outside.pop()
        enter(outside)
        os.close(outside)

    def add_address(self, address):
        with self:
            run("ip", "address", "add", f"{address}/32", "dev", "lo")

    def end(self):
        os.close(self.file)
        self.holder.kill()
        self.holder.wait()


def enter(file):
    check(LIBC.setns(file, CLONE_NEWNET) == 0, os.strerror(ctypes.get_errno()))


class Line:
    """Connects a client's network to a server's, whose address does not depend on the line."""

    def __init__(self, number, client, server, address):
        self.client, self.server = client, server
        self.name, self.remote, self.address = f"line{number}", f"10.77.{number}.2", address
        gateway = f"10.77.{number}.1"
        peer = ("type", "veth", "peer", "name", self.name, "netns", str(client.holder.pid))
        with server:
            run("ip", "link", "add", "name", self.name, *peer)
            self.set_up(gateway)
        with client:
            self.set_up(self.remote)
            run("ip", "route", "add", f"{address}/32", "via", gateway)

    def set_up(self, address):
        run("ip", "address", "add", f"{address}/24", "dev", self.name)
        run("ip", "link", "set", self.name, "up")

    def part(self, kind):
        """Parts the two: "silent" drops the server's answers, "down" cuts the cable."""
        with self.server:
            if kind == "silent":
                run("ip", "route", "add", "blackhole", f"{self.remote}/32")
            else:
                run("ip", "link", "set", self.name, "down")

    def heal(self, kind):
        with self.server:
            if kind == "silent":
                run("ip", "route", "delete", "blackhole", f"{self.remote}/32")
            else:
                run("ip", "link", "set", self.name, "up")
