"""An FTP server (pyftpdlib) on loopback that fails on request.

It has no TLS, since Debian 12's version can't resume the sessions of data connections. Arguments: the
folder it serves, a file with a list of faults. Prints its port. Each upload uses up a fault: "full"
(452), "cut" (the connection ends before the rename), "lost" (it ends after the rename, before the
answer), "half" (only half of the file is kept), "gone" (nothing is kept), or "none".
"""

import json
import pathlib
import sys
import threading

from pyftpdlib.authorizers import DummyAuthorizer
from pyftpdlib.handlers import FTPHandler
from pyftpdlib.servers import FTPServer

root, faults_file = sys.argv[1], pathlib.Path(sys.argv[2])


def next_fault():
    faults = json.loads(faults_file.read_text()) if faults_file.exists() else []
    faults_file.write_text(json.dumps(faults[1:]))
    return faults[0] if faults else "none"


class Handler(FTPHandler):
    fault = "none"

    def ftp_STOR(self, file, mode="w"):
        self.fault = next_fault()
        if self.fault == "full":
            return self.respond("452 no space is left")
        return super().ftp_STOR(file, mode)

    def ftp_RNTO(self, path):
        if self.fault == "cut":
            return self.close()
        result = super().ftp_RNTO(path)
        kept = pathlib.Path(path)
        if self.fault == "half":
            kept.write_bytes(kept.read_bytes()[: kept.stat().st_size // 2])
        elif self.fault == "gone":
            kept.unlink()
        if self.fault == "lost":
            self.fault = "none"
            return self.close()
        return result

    def respond(self, resp, *rest, **more):
        # The answer to the rename is lost.
        if self.fault == "lost" and resp.startswith("250 Renaming"):
            return None
        return super().respond(resp, *rest, **more)


authorizer = DummyAuthorizer()
authorizer.add_user("ada", "s3cret-word", root, perm="elradfmwMT")
Handler.authorizer = authorizer
server = FTPServer(("127.0.0.1", 0), Handler)
print(server.address[1], flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
