import CaptureHost
import CaptureKit
import ContractSupport
import FoundationEssentials
import Glibc
import SANEBackend

/// A SANE installation for tests.
///
/// Its configuration names SANE's `test` driver and the driver that makes faults, which is built
/// here.
final class SANESetup: Sendable {
    /// The one setup, because SANE reads its environment only once in a process.
    static let shared = Result { try SANESetup() }

    let folder: TemporaryFolder

    private init() throws {
        folder = try TemporaryFolder()
        try write("dll.conf", "test\nfault\nnet\n")
        // No host is searched for; a test names its own.
        try write("net.conf", "connect_timeout = 5\n")
        try write("saned.conf", "127.0.0.0/8\n")
        try write("test.conf", SANESetup.testConfiguration)
        try SANESetup.build("fault.c", as: folder.file("libsane-fault.so.1"))
        try SANESetup.build(
            "../../../../Sources/System/CDeferredCancel/DeferredCancel.c", "-I",
            "../../../../Sources/System/CDeferredCancel/include",
            as: folder.file("deferred-cancel.so"))
        for (name, value) in environment { setenv(name, value, 1) }
    }

    /// The environment for SANE.
    var environment: [String: String] {
        ["SANE_CONFIG_DIR": folder.path, "LD_LIBRARY_PATH": folder.path]
    }

    /// The built backend program.
    static let program =
        (HostConfiguration.standard().programFolder ?? ".") + "/copystand-backend-sane"

    /// The backend in this process, which lets the built program look for scanners.
    var backend: SANEBackend { SANEBackend(program: SANESetup.program) }

    /// Opens a scanner in this process.
    ///
    /// - Parameter faults: lines of `fault.conf`, which the driver reads when a scanner is opened.
    func open(_ id: String, _ faults: String = "") async throws -> any CaptureDevice {
        try configure(faults)
        return try await backend.open(id)
    }

    /// Writes lines of `fault.conf`.
    func configure(_ faults: String) throws { try write("fault.conf", faults) }

    /// A host whose backend program gets `extra` variables; its state is in `state`.
    func host(
        _ state: TemporaryFolder, extra: [String: String] = [:],
        _ change: (inout HostConfiguration) -> Void = { _ in }
    ) throws -> CaptureHost {
        var configuration = try configuration(state, extra: extra)
        change(&configuration)
        return CaptureHost(configuration)
    }

    /// A configuration in which `sane` is the built program with this setup's environment.
    func configuration(
        _ state: TemporaryFolder, extra: [String: String] = [:]
    ) throws -> HostConfiguration {
        let standard = HostConfiguration.standard()
        let program = SANESetup.program
        let variables = environment.merging(extra) { $1 }.map { "\($0)='\($1)'" }
            .joined(separator: " ")
        let script = state.file("start-sane")
        try Data("#!/bin/sh\n\(variables) exec '\(program)'\n".utf8)
            .write(to: URL(filePath: script + ".text"))
        // A child process that another test starts at this moment would have our file open for
        // writing, and such a file can't be run.
        let made = try run("install -m 755 '\(script).text' '\(script)'")
        guard made.status == 0 else { throw ContractViolation("no script at \(script)") }
        let manifest =
            #"{"id":"sane","name":"SANE","version":"1","protocol":1,"program":"\#(script)","serves":"tests"}"#
        try Data(manifest.utf8).write(to: URL(filePath: state.file("sane.json")))
        return HostConfiguration(
            backendFolders: [state.path], programFolder: standard.programFolder,
            stateFile: state.file("devices.state")
        ).patient
    }

    /// The output of `scanimage` for the same device and settings, as PNM.
    func scanimage(_ arguments: [String]) throws -> [UInt8] {
        let quoted = arguments.map { "'\($0)'" }.joined(separator: " ")
        // The `test` driver sometimes hangs in scanimage, as it would in our program;
        // CDeferredCancel.h explains why.
        let all = environment.merging(["LD_PRELOAD": folder.file("deferred-cancel.so")]) { $1 }
        let variables = all.map { "\($0)='\($1)'" }.joined(separator: " ")
        let result = try run(
            "\(variables) timeout -s KILL 60 scanimage --format=pnm \(quoted) 2>/dev/null")
        guard result.status == 0 else {
            throw ContractViolation("scanimage \(quoted) ended with status \(result.status)")
        }
        return result.output
    }

    /// Compiles a source, named relative to this file's folder, into a shared library, with further
    /// compiler options.
    private static func build(_ source: String, _ more: String..., as library: String) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().path
        let words = ([source] + more).map { "'\($0)'" }.joined(separator: " ")
        let build = try run("cd '\(folder)' && cc -shared -fPIC -o '\(library)' \(words) 2>&1")
        guard build.status == 0 else {
            throw ContractViolation(
                "\(source) can't be built: \(String(decoding: build.output, as: UTF8.self))")
        }
    }

    private func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(filePath: folder.file(name)))
    }

    /// A glass a little longer than A4.
    private static let testConfiguration = """
        number_of_devices 2
        mode Gray
        depth 8
        resolution 50
        geometry_max 300
        br_x 210
        br_y 297
        """
}

/// Runs a shell command, and returns its standard output and its exit status.
func run(_ command: String) throws -> (output: [UInt8], status: Int32) {
    guard let pipe = popen(command, "re") else {
        throw ContractViolation("'\(command)' can't be started")
    }
    var output: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = fread(&chunk, 1, chunk.count, pipe)
        if count == 0 { break }
        output += chunk.prefix(count)
    }
    let status = pclose(pipe)
    return (output, status & 0x7f == 0 ? status >> 8 & 0xff : -1)
}
