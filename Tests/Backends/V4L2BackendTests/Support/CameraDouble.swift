import CaptureHost
import ContractSupport
import Glibc
import Testing

/// Cameras without hardware: files that behave like device nodes, served by
/// `fuse-camera-for-tests`.
///
/// Each camera has a folder, in which tests put clips and faults; see
/// `Tests/Backends/CameraModel/include/camera_model.h`.
final class CameraDouble: @unchecked Sendable {
    // `@unchecked Sendable`: the stored values never change; only the FILE is closed once, at the
    // end.

    private let folder: TemporaryFolder
    private let server: UnsafeMutablePointer<FILE>

    /// The folder that has `video0`, `video1` … as in `/dev`.
    var nodes: String { folder.path + "/nodes" }

    /// The reason why this machine can't serve files from a program; nil if it can.
    static let obstacle: String? = {
        if access("/dev/fuse", R_OK | W_OK) != 0 {
            return "/dev/fuse is missing or may not be used"
        }
        return geteuid() == 0 ? nil : "only root may mount"
    }()

    /// Serves the cameras whose clips are given by file name, such as `MJPG-64x48@30.bin`.
    init(_ cameras: [[String: [UInt8]]]) throws {
        folder = try TemporaryFolder()
        for (number, files) in cameras.enumerated() {
            let camera = "\(folder.path)/cameras/video\(number)"
            mkdir(folder.path + "/cameras", 0o700)
            mkdir(camera, 0o700)
            for (name, bytes) in files { try CameraDouble.write(bytes, to: "\(camera)/\(name)") }
        }
        mkdir(folder.path + "/nodes", 0o700)
        let programs = HostConfiguration.standard().programFolder ?? "."
        let command =
            "exec '\(programs)/fuse-camera-for-tests' '\(folder.path)/cameras' '\(folder.path)/nodes'"
        guard let server = popen(command, "we") else {
            throw ContractViolation("'\(command)' can't be started")
        }
        self.server = server
        // Once the folder lists the files, the server is ready.
        for _ in 0..<10_000 where access(nodes + "/video0", F_OK) != 0 { usleep(1000) }
        guard access(nodes + "/video0", F_OK) == 0 else {
            throw ContractViolation("'\(command)' serves nothing")
        }
    }

    deinit { pclose(server) }

    /// A configuration in which `v4l2` is the built program, which sees these cameras; its state is
    /// in `state`.
    func configuration(_ state: TemporaryFolder) throws -> HostConfiguration {
        try CameraDouble.configuration(state, "COPYSTAND_CAMERA_FOLDER='\(nodes)'")
    }

    /// A configuration in which `v4l2` is the built program, started with these variables.
    static func configuration(
        _ state: TemporaryFolder, _ variables: String
    ) throws -> HostConfiguration {
        let standard = HostConfiguration.standard()
        let program = (standard.programFolder ?? ".") + "/copystand-backend-v4l2"
        let script = state.file("start-v4l2")
        let text = "#!/bin/sh\n\(variables) exec '\(program)'\n"
        try CameraDouble.write(Array(text.utf8), to: script)
        chmod(script, 0o755)
        let manifest =
            #"{"id":"v4l2","name":"Cameras","version":"1","protocol":1,"program":"\#(script)"}"#
        try CameraDouble.write(Array(manifest.utf8), to: state.file("v4l2.json"))
        return HostConfiguration(
            backendFolders: [state.path], programFolder: standard.programFolder,
            stateFile: state.file("devices.state")
        ).patient
    }

    /// The path of a camera's node.
    func node(_ number: Int = 0) -> String { "\(nodes)/video\(number)" }

    /// Causes a fault of a camera, such as `unplugged`, `stalled`, `busy`.
    func begin(_ fault: String, _ number: Int = 0) throws {
        try CameraDouble.write([], to: path(fault, number))
    }

    /// Ends a fault.
    func end(_ fault: String, _ number: Int = 0) { unlink(path(fault, number)) }

    /// Writes a file of a camera, such as `hdmi`.
    func write(_ text: String, to name: String, _ number: Int = 0) throws {
        try CameraDouble.write(Array(text.utf8), to: path(name, number))
    }

    private func path(_ name: String, _ number: Int) -> String {
        "\(folder.path)/cameras/video\(number)/\(name)"
    }

    /// The whole of a file.
    static func read(_ path: String) -> [UInt8]? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 {
            bytes += chunk.prefix(count)
        }
        return bytes
    }

    /// Writes a file for a test.
    static func write(_ bytes: [UInt8], to path: String) throws {
        guard let file = fopen(path, "we") else {
            throw ContractViolation("'\(path)' can't be written: error \(errno)")
        }
        defer { fclose(file) }
        guard fwrite(bytes, 1, bytes.count, file) == bytes.count else {
            throw ContractViolation("'\(path)' can't be written: error \(errno)")
        }
    }
}

extension Trait where Self == ConditionTrait {
    /// Tests that need the served camera; where they can't run, the reason is shown.
    static var needsCamera: Self {
        .enabled(if: CameraDouble.obstacle == nil, "\(CameraDouble.obstacle ?? "")")
    }
}

/// Runs a shell command, and returns its standard output and its exit status.
func run(_ command: String) throws -> (output: String, status: Int32) {
    guard let pipe = popen(command, "re") else {
        throw ContractViolation("'\(command)' can't be started")
    }
    var output: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&chunk, 1, chunk.count, pipe), count > 0 {
        output += chunk.prefix(count)
    }
    let status = pclose(pipe)
    return (String(decoding: output, as: UTF8.self), status & 0x7f == 0 ? status >> 8 & 0xff : -1)
}
