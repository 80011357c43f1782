"""A mail server (aiosmtpd) on loopback that fails on request.

Arguments: a folder, a certificate with its key, "starttls", "tls" or "plain". Prints its port. Each
message is kept in the folder as N.json (sender, recipients) and N.eml. The file "faults" there is a
list of faults, one of which is used up by each message: a status as a number, "cut" (accepted, but
no answer), "lost" (not accepted, and no answer), or "none".
"""

import base64
import json
import pathlib
import ssl
import sys

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult

folder = pathlib.Path(sys.argv[1])
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(sys.argv[2])
way = sys.argv[3]
count = 0


def next_fault():
    path = folder / "faults"
    faults = json.loads(path.read_text()) if path.exists() else []
    path.write_text(json.dumps(faults[1:]))
    return str(faults[0]) if faults else "none"


class Handler:
    async def handle_DATA(self, server, session, envelope):
        global count
        fault = next_fault()
        if fault in ("none", "cut"):
            (folder / f"{count}.eml").write_bytes(envelope.original_content)
            (folder / f"{count}.json").write_text(
                json.dumps({"from": envelope.mail_from, "to": envelope.rcpt_tos})
            )
            count += 1
        if fault in ("cut", "lost"):
            server.transport.abort()
            return "421 gone"
        return "250 taken" if fault == "none" else f"{fault} as asked"

    async def auth_XOAUTH2(self, server, args):
        blob = base64.b64decode(args[1]) if len(args) > 1 else await server.challenge_auth("")
        if not isinstance(blob, bytes):
            return AuthResult(success=False)
        words = blob.decode()
        if "user=ada\x01" in words and "auth=Bearer fresh-token-1\x01" in words:
            return AuthResult(success=True)
        return AuthResult(success=False, handled=False)


def authenticate(server, session, envelope, mechanism, data):
    if (data.login, data.password) == (b"ada", b"s3cret-word"):
        return AuthResult(success=True)
    return AuthResult(success=False, handled=False)


def main():
    options = {
        "plain": {"auth_require_tls": False},
        "starttls": {"tls_context": context, "require_starttls": True},
        "tls": {"auth_require_tls": False},
    }
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    controller = Controller(
        Handler(),
        hostname="127.0.0.1",
        port=port,
        authenticator=authenticate,
        auth_required=True,
        data_size_limit=2_000_000,
        ssl_context=context if way == "tls" else None,
        **options[way],
    )
    controller.start()
    print(port, flush=True)
    sys.stdin.read()


main()
