import CaptureKit
import ContractSupport
import FoundationEssentials
import Glibc
import Processes
import Testing

@testable import CaptureHost

/// Tests the rights and limits of a backend's process from within.
@Suite struct ConfinementTests {
    private static let hasLandlock = SandboxSupport.current.landlockVersion != nil
    private static let deniesCuts = SandboxSupport.current.landlockVersion ?? 0 >= 3
    private static let scopesSignals = SandboxSupport.current.landlockVersion ?? 0 >= 6
    private static let filtersCalls = SandboxSupport.current.filtersCalls

    private static let sandbox = #","sandbox":{"filesystem":"read-only","network":false}"#

    /// Returns the lines that a backend prints whose `devices` request runs `script`.
    private func lines(_ script: String, more: String = "") async throws -> [String] {
        let bench = try Bench(
            script: Self.attempt + "hello(); request = take()\n" + script
                + "\nsys.stdout.flush(); answer(request, devices=[]); take()", more: more)
        let listing = await bench.host.listDevices()
        #expect(listing.problems == [])
        await bench.host.shutdown()
        return bench.log.lines.map(\.text)
    }

    /// `attempt(name, body)` prints whether an action is allowed.
    private static let attempt = """
        import errno
        def attempt(name, body):
            try: body(); print(name, "works")
            except OSError as error:
                # The last one where a mount is read-only, which is asked before permissions are.
                if error.errno not in (errno.EPERM, errno.EACCES, errno.EROFS): raise
                print(name, "is denied")

        """

    private static let limits = """
        print(open("/proc/self/limits").read())
        print([line for line in open("/proc/self/status") if line.startswith("NoNewPrivs")])
        print(os.getsid(0) == os.getpid() == os.getpgid(0))
        """

    /// The soft and the hard limit in a row of /proc/self/limits.
    private func limit(_ name: String, in lines: [String]) -> [String]? {
        lines.first { $0.hasPrefix(name) }.map {
            $0.dropFirst(name.count).split(separator: " ").prefix(2).map(String.init)
        }
    }

    @Test("A backend has limits, no new privileges, no core files and a session of its own")
    func usual() async throws {
        let lines = try await lines(Self.limits)
        let memory = "\(Confinement.usualMemory)"
        #expect(limit("Max data size", in: lines) == [memory, memory])
        #expect(limit("Max open files", in: lines) == ["1024", "1024"])
        #expect(limit("Max core file size", in: lines) == ["0", "0"])
        #expect(limit("Max file size", in: lines) == ["17179869184", "17179869184"])
        #expect(lines.contains { $0.contains("NoNewPrivs:\\t1") })
        #expect(lines.contains("True"))
    }

    @Test("A manifest sets other limits, which also apply to child processes")
    func asked() async throws {
        let script = """
            import subprocess
            \(Self.limits)
            print(subprocess.run(["cat", "/proc/self/limits"], capture_output=True, \
            text=True).stdout.replace("Max", "Child's"))
            """
        let lines = try await lines(script, more: #","limits":{"memory":512,"files":64}"#)
        #expect(limit("Max data size", in: lines) == ["536870912", "536870912"])
        #expect(limit("Max open files", in: lines) == ["64", "64"])
        #expect(limit("Child's data size", in: lines) == ["536870912", "536870912"])
    }

    private static let files = """
        import tempfile
        place = os.path.dirname(os.path.abspath(sys.argv[0]))
        there = place + "/bad.json"
        elsewhere = f"/../copystand-test-{os.getpid()}"
        attempt("making a file", lambda: open(place + "/new", "w"))
        attempt("making a file elsewhere", lambda: open(place + elsewhere, "w"))
        attempt("writing a file", lambda: open(there, "r+"))
        attempt("cutting a file", lambda: os.truncate(there, os.path.getsize(there)))
        attempt("renaming a file", lambda: os.rename(there, there + ".2") or os.rename(there + \
        ".2", there))
        attempt("making a folder", lambda: os.rmdir(os.mkdir(place + "/folder") or place + \
        "/folder"))
        attempt("making a link", lambda: os.unlink(os.symlink("x", place + "/link") or place + \
        "/link"))
        attempt("reading a file", lambda: open(there).read())
        attempt("throwing away", lambda: open("/dev/null", "w").write("x"))
        for name in ("/new", elsewhere):
            if os.path.exists(place + name): os.unlink(place + name)
        """

    private static let changes = [
        "making a file", "making a file elsewhere", "writing a file", "renaming a file",
        "making a folder", "making a link",
    ]

    @Test(
        "A backend with a read-only file system changes nothing in it, and reads it",
        .enabled(if: hasLandlock, "This kernel has no Landlock, or it is switched off."))
    func readOnly() async throws {
        let lines = try await lines(Self.files, more: Self.sandbox)
        for change in Self.changes { #expect(lines.contains(change + " is denied"), "\(lines)") }
        #expect(lines.contains("reading a file works"))
        #expect(lines.contains("throwing away works"))
    }

    @Test(
        "A backend with a read-only file system can't cut a file",
        .enabled(if: deniesCuts, "This kernel's Landlock does not know how files are cut."))
    func noCuts() async throws {
        let lines = try await lines(Self.files, more: Self.sandbox)
        #expect(lines.contains("cutting a file is denied"), "\(lines)")
    }

    @Test("A backend without a sandbox has its user's rights")
    func free() async throws {
        let lines = try await lines(Self.files + "\n" + Self.sockets)
        for change in Self.changes + ["cutting a file", "reading a file", "throwing away"] {
            #expect(lines.contains(change + " works"), "\(lines)")
        }
        for kind in ["internet", "local", "datagram pair", "stream pair"] {
            #expect(lines.contains(kind + " works"), "\(lines)")
        }
    }

    private static let sockets = """
        attempt("internet", lambda: socket.socket(socket.AF_INET))
        attempt("local", lambda: socket.socket(socket.AF_UNIX))
        attempt("datagram pair", lambda: socket.socketpair(type=socket.SOCK_DGRAM))
        attempt("stream pair", lambda: socket.socketpair())
        """

    @Test(
        "A backend without network, and its child processes, can't make a socket",
        .enabled(if: filtersCalls, "This kernel filters no system calls, or not on this processor.")
    )
    func noNetwork() async throws {
        let child = """
            import subprocess
            \(Self.sockets)
            print(subprocess.run([sys.executable, "-c", "import socket; socket.socket()"], \
            capture_output=True, text=True).stderr)
            """
        // With a sandbox that is read-only too, the backend can't start a program.
        let lines = try await lines(child, more: #","sandbox":{"network":false}"#)
        for kind in ["internet", "local", "datagram pair"] {
            #expect(lines.contains(kind + " is denied"), "\(lines)")
        }
        #expect(lines.contains("stream pair works"))
        #expect(lines.contains { $0.contains("PermissionError") })
    }

    @Test(
        "A backend with a read-only file system can't signal its host",
        .enabled(if: scopesSignals, "This kernel's Landlock does not know signals."))
    func noSignals() async throws {
        let script = #"attempt("signalling the host", lambda: os.kill(os.getppid(), 0))"#
        #expect(try await lines(script, more: Self.sandbox) == ["signalling the host is denied"])
        #expect(try await lines(script) == ["signalling the host works"])
    }

    @Test("A backend in a sandbox captures into the files that the host gives it")
    func captures() async throws {
        let bench = try Bench(
            script: """
                c = opened('descriptors')
                send({"event": "frame", "capture": c, "frame": 1, "format": "gray8", "width": 40, \
                "height": 30})
                data, fds, _, _ = socket.recv_fds(host, 65536, 4)
                os.pwrite(fds[0], b"s" * 1200, 0); os.close(fds[0])
                send({'event': 'done', 'capture': c, 'frame': 1, 'rows': 30}); send({'answer': \
                c}); take()
                """, more: Self.sandbox)
        let outcome = await bench.capture(try await bench.open("bad:d"))
        #expect(outcome.error == nil)
        let page = try #require(outcome.pages.first)
        #expect(Bench.read(page.pixels) == [UInt8](repeating: UInt8(ascii: "s"), count: 1200))
        await bench.host.shutdown()
    }

    @Test("Among Copystand's own backends, the one that decodes files has a sandbox")
    func bundled() {
        let root = #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 }
        let reports = ModuleFinder(
            folders: [root + "/Plugins"], programFolder: runningExecutable().map(parentFolder)
        ).reports()
        #expect(reports.count == 4)
        for report in reports {
            #expect(report.confinement.isReadOnly == (report.id == "file"), "\(report.id)")
            #expect(report.confinement.hasNetwork == (report.id != "file"), "\(report.id)")
        }
    }
}
