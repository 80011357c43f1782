import CaptureKit
import ContractSupport
import FoundationEssentials
import Glibc
import Processes
import Testing

@testable import CaptureHost

/// Tests a compromised backend in the sandbox of a backend that decodes files.
@Suite struct SandboxTests {
    /// The user who runs the host, and the available kernel features.
    enum Surroundings: String, CaseIterable, CustomTestStringConvertible {
        case thisUser = "the user of the tests"
        case ordinaryUser = "an ordinary user"
        case olderKernel =
            "the user of the tests under a kernel with neither Landlock nor namespaces"
        case ordinaryUserOfOlderKernel =
            "an ordinary user under a kernel with neither Landlock nor namespaces"
        case noNamespaces = "a user to whom the kernel gives no namespaces"
        case ordinaryUserWithoutNamespaces =
            "an ordinary user to whom the kernel gives no namespaces"

        var testDescription: String { rawValue }

        /// The words before a command that run it in this environment.
        var prefix: String {
            let nobody = "setpriv --reuid 65534 --regid 65534 --clear-groups "
            let none =
                "unshare --user --map-root-user sh -c 'for kind in user pid mnt ipc; do echo 0 > /proc/sys/user/max_${kind}_namespaces || exit 9; done; exec \"$@\"' - "
            return switch self {
            case .thisUser: ""
            case .ordinaryUser: geteuid() == 0 ? nobody : ""
            case .olderKernel: "\(Self.olderCommand) "
            case .ordinaryUserOfOlderKernel:
                (geteuid() == 0 ? nobody : "") + "\(Self.olderCommand) "
            case .noNamespaces: none
            case .ordinaryUserWithoutNamespaces: (geteuid() == 0 ? nobody : "") + none
            }
        }

        private static let olderCommand =
            "'\(runningExecutable().map(parentFolder) ?? ".")/sandbox-attacker-for-tests'"

        var isOrdinary: Bool {
            [.ordinaryUser, .ordinaryUserWithoutNamespaces, .ordinaryUserOfOlderKernel].contains(
                self)
        }
        var hasLandlock: Bool { self != .olderKernel && self != .ordinaryUserOfOlderKernel }
    }

    private static let canFilter =
        SandboxSupport.current.filtersCalls && SandboxSupport.current.landlockVersion != nil

    /// Runs the attacker, and returns its output and the changes that its host found.
    private func run(_ what: String, _ surroundings: Surroundings) async throws -> [String] {
        let place = runningExecutable().map(parentFolder) ?? "."
        let folder = try TemporaryFolder()
        let work = folder.file("work")
        mkdir(work, 0o700)
        Bench.write("a letter", to: work + "/victim")
        let attacker = folder.file("attacker")
        let install = """
            install -m 755 '\(place)/sandbox-attacker-for-tests' '\(attacker)' &&
            python3 -c 'import os, sys; os.setxattr(sys.argv[1], "user.kept", b"1")' \
            '\(work)/victim'
            """
        let owner =
            surroundings.isOrdinary && geteuid() == 0
            ? "chmod 755 '\(folder.path)' && chown -R 65534:65534 '\(work)'" : "true"
        let host = "'\(place)/sandbox-host-for-tests' '\(attacker)' '\(work)' \(what) 2>&1"
        return await lines(of: "\(install) && \(owner) && \(surroundings.prefix)\(host)")
    }

    @Test(
        "A sandboxed process changes no file, reaches no other process, and leaves nothing",
        .enabled(if: canFilter, "This kernel has no Landlock or filters no system calls."),
        arguments: Surroundings.allCases)
    func attacks(_ surroundings: Surroundings) async throws {
        let lines = try await run("attacks", surroundings)
        #expect(lines.filter { $0.hasPrefix("changed: ") } == [])
        #expect(lines.filter { $0.contains(": done") } == [])
        #expect(lines.filter { $0.contains(": refused") }.count > 150)
        #expect(lines.contains("ended status(7)"), "\(lines)")
        for need in Self.needs { #expect(lines.contains(need + ": works"), "\(lines)") }
        #expect(lines.contains("throwing away: works") == surroundings.hasLandlock)
    }

    private static let needs = [
        "reading a file", "looking at a file", "mapping a file", "writing what the host gave",
        "mapping what the host gave", "a thread", "a pipe", "a signal to itself", "its own limits",
        "its own program",
    ]

    @Test(
        "Calls that are not needed to decode a picture are refused, including those of future kernels",
        .enabled(if: canFilter, "This kernel has no Landlock or filters no system calls."),
        arguments: [Surroundings.thisUser, .ordinaryUserWithoutNamespaces])
    func sweep(_ surroundings: Surroundings) async throws {
        let lines = try await run("sweep", surroundings)
        #expect(lines.filter { $0.hasPrefix("call") } == ["calls let through: 0"])
        #expect(lines.contains("ended status(7)"), "\(lines)")
    }

    @Test(
        "The end of a sandboxed backend is reported correctly",
        arguments: Surroundings.allCases, [("abort", SIGABRT), ("crash", SIGSEGV)])
    func ends(_ surroundings: Surroundings, _ end: (what: String, signal: Int32)) async throws {
        let lines = try await run(end.what, surroundings)
        #expect(lines.contains("ended signal(\(end.signal))"), "\(lines)")
        #expect(lines.filter { $0.hasPrefix("changed: ") } == [])
    }

    @Test(
        "A backend in the sandbox that ignores signals is ended by its host",
        arguments: Surroundings.allCases)
    func lingers(_ surroundings: Surroundings) async throws {
        let lines = try await run("linger", surroundings)
        #expect(lines.contains("ended signal(9)"), "\(lines)")
        #expect(lines.filter { $0.hasPrefix("changed: ") } == [])
    }
}

/// The lines that a shell command writes.
private func lines(of command: String) async -> [String] {
    await withCheckedContinuation { continuation in
        startThread("sandbox-trial") {
            var text: [UInt8] = []
            if let pipe = popen(command, "re") {
                var buffer = [UInt8](repeating: 0, count: 65_536)
                while case let count = fread(&buffer, 1, buffer.count, pipe), count > 0 {
                    text += buffer.prefix(count)
                }
                let status = pclose(pipe)
                if status != 0 { text += Array("changed: the host ended with \(status)\n".utf8) }
            }
            continuation.resume(
                returning: String(decoding: text, as: UTF8.self).split(separator: "\n").map(
                    String.init))
        }
    }
}
