import CaptureKit
import Processes

@testable import CaptureHost

extension HostileBackend {
    /// The backends that send excessive data.
    static let floods: [HostileBackend] = [
        flood("unknown events", "{'event': 'x'}"),
        flood("lines for the log", "{'event': 'log', 'message': 'again'}"),
        flood("new devices", "{'event': 'deviceAdded', 'device': DEVICE}"),
        flood("devices that went", "{'event': 'deviceRemoved', 'id': 'd'}"),
        HostileBackend(
            name: "sends descriptors without end", verb: .devices,
            script: """
                hello(); reading, writing = os.pipe()
                line = b'{"event":"log","message":"look","fd":true}\\n'
                while True: socket.send_fds(host, [line], [reading] * 16)
                """, code: .nonsense, words: "floods the host"),
        HostileBackend(
            name: "writes to its output without end", verb: .devices,
            script: "hello()\nwhile True: os.write(1, b'still warming up\\n' * 4000)", code: .hung,
            words: "did not answer 'devices' within 1.5 s"),
        HostileBackend(
            name: "writes a line of output without end", verb: .devices,
            script: "hello()\nwhile True: os.write(2, b'x' * 65536)", code: .hung,
            words: "did not answer 'devices' within 1.5 s"),
    ]

    private static func flood(_ what: String, _ message: String) -> HostileBackend {
        HostileBackend(
            name: "floods the host with \(what)", verb: .devices,
            script: """
                hello()
                block = (json.dumps(\(message)).encode() + b'\\n') * 1000
                while True: host.sendall(block)
                """, code: .nonsense, words: "floods the host with messages")
    }

    /// The backends that leave files or processes behind.
    static let leftovers: [HostileBackend] = [
        leaving(
            "a child", "if os.fork() == 0: time.sleep(600)"),
        leaving(
            "a child that heeds no signal",
            """
            if os.fork() == 0:
                for number in set(signal.valid_signals()) - {signal.SIGKILL, signal.SIGSTOP}: \
                signal.signal(number, signal.SIG_IGN)
                time.sleep(600)
            """),
        leaving(
            "a child in a group of its own",
            "if os.fork() == 0:\n    os.setpgid(0, 0); time.sleep(600)"),
        leaving(
            "a daemon that holds its connection and its output",
            "if os.fork() == 0:\n    os.setsid()\n    if os.fork(): os._exit(0)\n    time.sleep(600)"
        ),
        leaving(
            "a daemon that holds nothing and has another environment",
            """
            if os.fork() == 0:
                os.setsid()
                if os.fork(): os._exit(0)
                os.closerange(0, 100); os.chdir('/'); os.execve('/bin/sleep', [MARK, '600'], {})
            """),
        leaving(
            "fifty children that fork again",
            """
            for _ in range(50):
                if os.fork() == 0:
                    os.setsid(); os.fork(); time.sleep(600)
            """),
        leaving(
            "a daemon that would take its mark off",
            """
            import resource
            if os.fork() == 0:
                os.setsid()
                for change in (resource.setrlimit, lambda kind, pair: resource.prlimit(0, kind, \
                pair)):
                    # RLIMIT_LOCKS
                    try: change(10, (1, 1))
                    except (OSError, ValueError): pass
                time.sleep(600)
            """),
        leaving(
            "a chain of processes, each of which starts the next and goes",
            """
            if os.fork() == 0:
                while True:
                    os.setsid()
                    if os.fork(): os._exit(0)
            """),
        HostileBackend(
            name: "hangs and leaves a daemon", verb: .devices,
            script:
                "request = until('devices')\nif os.fork() == 0: os.setsid()\ntime.sleep(600)",
            code: .hung, words: "did not answer 'devices' within 1.5 s"),
    ]

    private static func leaving(_ what: String, _ fork: String) -> HostileBackend {
        HostileBackend(
            name: "goes and leaves \(what)", verb: .devices,
            // The children exist before the backend ends.
            script: "until('devices')\n\(fork)\ntime.sleep(0.2)\nos._exit(0)", code: .crashed,
            words: "exited with status 0", end: .status(0))
    }

    /// Backends that use up all of a resource.
    static let hungers: [HostileBackend] = [
        HostileBackend(
            name: "eats memory", verb: .devices,
            script: "until('devices'); hoard = []\nwhile True: hoard.append(b'x' * (4 << 20))",
            code: .crashed,
            words: "of the 256 MiB of memory that it may use; its last output: MemoryError",
            end: .status(1), limits: #"{"memory":256}"#),
        HostileBackend(
            name: "asks for all memory at once", verb: .devices,
            script: "until('devices'); bytes(1 << 40)", code: .crashed,
            words: "exited with status 1; its last output: MemoryError", end: .status(1)),
        HostileBackend(
            name: "opens files until there are no more", verb: .devices,
            script: "until('devices'); hoard = []\nwhile True: hoard.append(open('/dev/null'))",
            code: .crashed, words: "Too many open files", end: .status(1),
            limits: #"{"files":32}"#),
    ]
}
