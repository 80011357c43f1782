"""Searches for services by mDNS with Python's zeroconf, and prints the record of the service whose
root is eSCL.

zeroconf_look.py TYPE COUNT
"""

import sys
import threading

from zeroconf import ServiceBrowser, ServiceListener, Zeroconf

kind, count = sys.argv[1], int(sys.argv[2])
found = {}
are_all_there = threading.Event()


class Listener(ServiceListener):
    def add_service(self, zeroconf, kind, name):
        found[name] = zeroconf.get_service_info(kind, name, timeout=20000)
        if len(found) == count:
            are_all_there.set()

    def update_service(self, zeroconf, kind, name):
        pass

    def remove_service(self, zeroconf, kind, name):
        pass


with Zeroconf() as zeroconf:
    ServiceBrowser(zeroconf, kind, Listener())
    are_all_there.wait(30)
for info in found.values():
    told = {key.decode(): (value or b"").decode() for key, value in info.properties.items()}
    if told.get("rs") == "eSCL":
        needed = {"txtvers", "vers", "ty", "pdl", "cs", "is", "duplex", "UUID", "adminurl"}
        print(info.server, info.port, told["rs"], needed <= told.keys())
