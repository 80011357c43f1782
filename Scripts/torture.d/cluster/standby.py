"""A failover from a database to its standby, which has received every transaction."""

import random
import shutil
import urllib.parse

from cluster.database import Database
from cluster.images import ImagesFolder
from cluster.killed import Load
from cluster.office import Office, until


def follow(standby, server):
    """Makes a copy of a server that follows it until it is promoted."""
    shutil.rmtree(standby.data, ignore_errors=True)
    standby.tool(
        "pg_basebackup", "-D", standby.data, "-h", server.folder, "-p", server.port, "-U",
        "copystand", "-X", "stream", "-R", "--checkpoint=fast",
    )  # fmt: skip
    standby.start()
    # From now on a transaction is done when both have it.
    server.ask("ALTER SYSTEM SET synchronous_standby_names = '*'")
    server.ask("SELECT pg_reload_conf()")
    state = "SELECT sync_state FROM pg_stat_replication"
    until(lambda: server.ask(state) == "sync", "the standby to follow")


def promote(standby):
    """Lets a standby take over. It has none of its own yet."""
    standby.tool("pg_ctl", "-D", standby.data, "-w", "promote")
    standby.ask("ALTER SYSTEM RESET synchronous_standby_names")
    standby.ask("SELECT pg_reload_conf()")


def address(*servers):
    """The archive's address, with every server that may have it."""
    hosts = ",".join(urllib.parse.quote(str(one.folder), safe="") for one in servers)
    ports = ",".join(str(one.port) for one in servers)
    rest = "user=copystand&target_session_attrs=read-write"
    return f"postgresql:///scans?host={hosts}&port={ports}&{rest}"


def one(place, programs, seed, count):
    """Has the standby take over `count` times, and makes a standby of the former server each
    time.
    """
    chance = random.Random(f"{seed}/cluster/standby")
    first, second = Database(place / "first").make(), Database(place / "second")
    follow(second, first)
    office = Office(place, programs, first, ImagesFolder(place / "images"), address(first, second))
    office.lose_patience()
    load = Load(office, seed)
    try:
        for number in range(count):
            load.ended.wait(chance.uniform(2, 6))
            first.crash()
            promote(second)
            first, second = second, first
            office.database = first
            if number < count - 1:
                load.ended.wait(chance.uniform(2, 6))
                follow(second, first)
        load.ended.wait(chance.uniform(2, 4))
        reasons, documents, pages = load.finish()
    finally:
        load.ended.set()
        office.end()
        first.end()
        second.end()
    return (
        f"{count} failovers to a standby: {documents} documents with {pages} pages, each there"
        f" once; {len(reasons)} jobs were given up and done when they were retried"
    )
