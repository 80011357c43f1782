"""Someone adds an SFTP server by its key, shown and confirmed in a terminal.

    host_key.py PROGRAM FOLDER

Prints "ok WHAT" for each check that passes, and "FAILED WHAT" for each that does not.
"""

import json
import os
import pty
import pwd
import socket
import subprocess
import sys
import time
from pathlib import Path

program, folder = sys.argv[1], Path(sys.argv[2])
root = folder / "root"
root.mkdir()
os.environ["HOME"] = str(folder)


def say(holds, what, seen=""):
    print(f"ok {what}" if holds else f"FAILED {what}: {seen}", flush=True)


def make_key(name):
    for path in (folder / name, folder / f"{name}.pub"):
        path.unlink(missing_ok=True)
    subprocess.run(
        ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / name], check=True
    )
    shown = subprocess.run(
        ["ssh-keygen", "-lf", folder / f"{name}.pub"], capture_output=True, text=True, check=True
    )
    return shown.stdout.split()[1]


def serve(port):
    (folder / "conf").write_text(
        f"Port {port}\nListenAddress 127.0.0.1\nHostKey {folder}/host\n"
        f"AuthorizedKeysFile {folder}/user.pub\nStrictModes no\nUsePAM no\n"
        "PermitRootLogin yes\nPidFile none\nSubsystem sftp internal-sftp\n"
    )
    server = subprocess.Popen(
        ["/usr/sbin/sshd", "-D", "-e", "-f", folder / "conf"], stderr=subprocess.DEVNULL
    )
    for _ in range(500):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return server
        time.sleep(0.02)
    raise SystemExit("sshd does not listen")


def run(*words):
    return subprocess.run(
        [program, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120
    )


def in_terminal(answer, *words):
    """Runs the program in a terminal, and answers its question. Returns its output and exit
    code."""
    process, terminal = pty.fork()
    if process == 0:
        os.execv(program, [program, *words])
    said, is_answered = "", False
    while True:
        try:
            piece = os.read(terminal, 4096)
        except OSError:
            break
        if not piece:
            break
        said += piece.decode(errors="replace")
        if not is_answered and "gave you?" in said:
            os.write(terminal, answer.encode() + b"\n")
            is_answered = True
    return said, os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


if os.geteuid() == 0:
    Path("/run/sshd").mkdir(exist_ok=True)
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
make_key("user")
key = make_key("host")
server = serve(port)
try:
    add = [
        "sinks", "add", "nas", "-k", "sftp", "--url", f"sftp://127.0.0.1:{port}{root}", "--user",
        pwd.getpwuid(os.geteuid()).pw_name, "--parameter", f"key-file={folder}/user",
    ]  # fmt: skip

    def names():
        return [sink["name"] for sink in json.loads(run("sinks", "--json").stdout)["sinks"]]

    done = run(*add)
    say(
        done.returncode != 0 and key in done.stderr and names() == [],
        "where nobody can be asked, the key is shown and nothing is added",
        done,
    )
    said, code = in_terminal("n", *add)
    say(
        code != 0 and key in said and names() == [],
        "the key that ssh-keygen prints is shown, and with no nothing is added",
        said,
    )
    said, code = in_terminal("y", *add)
    say(code == 0 and key in said and names() == ["nas"], "with yes the sink is added", said)
    said, code = in_terminal("y", "sinks", "test", "nas")
    say(
        code == 0 and "gave you?" not in said and list(root.iterdir()) == [],
        "then nobody is asked again, and a small file was written and removed",
        said,
    )
    scan = ["scan", "-d", "virtual:flatbed", "-r", "75", "-p", "none", "--sink", "nas"]
    done = run(*scan, "-t", "First")
    say(done.returncode == 0 and len(list(root.iterdir())) == 1, "a document arrives", done)
    server.terminate()
    server.wait()
    other = make_key("host")
    server = serve(port)
    done = run(*scan, "-t", "Second")
    say(
        done.returncode == 5 and len(list(root.iterdir())) == 1,
        "a server with another key gets nothing",
        done,
    )
    done = run(*add, "--trust-server")
    say(done.returncode == 0 and other in done.stderr, "the new key can be trusted unseen", done)
    done = run("outbox", "retry")
    say(
        done.returncode == 0 and len(list(root.iterdir())) == 2,
        "and what waited arrives",
        done,
    )
finally:
    server.terminate()
    server.wait()
