"""The situations of many machines that share an archive, each with what the short form does."""

import os

import servers
from cluster import clocks, filled, killed, parted, standby, stopped, store, together
from cluster.database import Database

ROOT_ALONE = "networks and file systems can't be made here (root alone can)"


def kills(place, programs, arguments):
    return killed.one(place, programs, arguments.seed, arguments.count or many(arguments, 200, 3))


def stops(place, programs, arguments):
    count, minutes = many(arguments, (10, 10), (1, 0))
    return stopped.one(place, programs, arguments.seed, arguments.count or count, minutes)


def failures(place, programs, arguments):
    count = arguments.count or many(arguments, 10, 1)
    return store.one(place, programs, arguments.seed, count, arguments.short)


def partings(place, programs, arguments):
    return parted.one(place, programs, arguments.seed, arguments.count or 3)


def full_disks(place, programs, arguments):
    return filled.one(place, programs, arguments.seed, arguments.count or many(arguments, 20, 1))


def other_clocks(place, programs, arguments):
    count = arguments.count or many(arguments, 10, 1)
    return clocks.one(place, programs, arguments.seed, count, arguments.short)


def failovers(place, programs, arguments):
    return standby.one(place, programs, arguments.seed, arguments.count or many(arguments, 20, 1))


def crowds(place, programs, arguments):
    return together.one(place, programs, arguments.seed, arguments.count or 50)


SITUATIONS = {
    "kills": kills,
    "stopped": stops,
    "store": failures,
    "partition": partings,
    "disk": full_disks,
    "clocks": other_clocks,
    "standby": failovers,
    "together": crowds,
}
# These take longer than the short form may.
LONG = ("partition", "together")


def many(arguments, long, short):
    return short if arguments.short else long


def obstacle(name, arguments):
    """The reason why a situation can't be tried here, or nothing."""
    if found := Database.obstacle():
        return found
    if name in ("partition", "disk") and os.geteuid() != 0:
        return ROOT_ALONE
    if name == "clocks" and (found := clocks.obstacle()):
        return found
    needs_swift = name in ("store", "partition", "clocks") and not arguments.short
    return servers.SwiftReceiver.obstacle() if needs_swift else None


def numbers(arguments, report):
    """The numbers of the situations to try, from 1; says which can't be tried here."""
    found = []
    for number, name in enumerate(SITUATIONS, 1):
        if arguments.kind and name not in arguments.kind:
            continue
        if arguments.short and name in LONG and not arguments.kind:
            continue
        if why := obstacle(name, arguments):
            report.skip(f"cluster, {name}", why)
        else:
            found.append(number)
    return found


def one(place, programs, arguments, number):
    name = [*SITUATIONS][number - 1]
    return f"{name}: {SITUATIONS[name](place, programs, arguments)}"
