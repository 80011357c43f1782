import Conformance
import FoundationEssentials
import Glibc
import Testing

/// Tests that the bundled backends and the libraries for other languages follow the rules for every
/// backend.
@Suite(.serialized) struct BundledTests {
    @Test(
        "The virtual scanners and the camera pass every check that can be made",
        arguments: ["flatbed", "feeder", "camera"])
    func virtual(_ device: String) async throws {
        let result = await Findings(run(Self.built("virtual"), device))
        #expect(result.failed == [], "\(result.reasons)")
        #expect(result.passed.contains("capture.formats"))
        #expect(result.passed.contains("capture.unknown-height"))
        #expect(result.passed.contains("live.whole") == (device == "camera"))
        #expect(result.passed.contains("capture.empty") == (device == "feeder"))
    }

    @Test("A folder of pictures passes every check that can be made")
    func file() async throws {
        let folder = try Folder()
        for name in ["a", "b", "c"] {
            let picture = Array("P5\n40 30\n255\n".utf8) + (0..<1_200).map { UInt8($0 % 251) }
            try folder.write("\(name).pgm", picture)
        }
        let result = await Findings(run(Self.built("file"), folder.path))
        #expect(result.failed == [], "\(result.reasons)")
        #expect(result.passed.contains("buffer.offset") && result.passed.contains("cancel.between"))
    }

    @Test("A scanner of SANE's test driver passes every check that can be made")
    func sane() async throws {
        let folder = try Folder()
        try folder.write("dll.conf", Array("test\n".utf8))
        try folder.write("test.conf", Array("number_of_devices 1\nmode Gray\n".utf8))
        let script = "#!/bin/sh\nSANE_CONFIG_DIR='\(folder.path)' exec '\(Self.built("sane"))'\n"
        let program = try folder.program("backend", script)
        let result = await Findings(run(program, "test:0"))
        #expect(result.failed == [], "\(result.reasons)")
        #expect(
            result.passed.contains("capture.formats") && result.passed.contains("set.reload"))
    }

    @Test("The cameras' backend passes without any camera")
    func v4l2() async throws {
        let folder = try Folder()
        let script =
            "#!/bin/sh\nCOPYSTAND_CAMERA_FOLDER='\(folder.path)' exec '\(Self.built("v4l2"))'\n"
        let result = await Findings(run(try folder.program("backend", script), nil))
        #expect(result.failed == [], "\(result.reasons)")
        #expect(result.passed.contains("devices.answers"))
    }

    @Test(
        "The example that speaks the protocol without any help passes every check that can be made",
        .enabled(if: access("/usr/bin/python3", X_OK) == 0, "needs python3"))
    func stripes() async throws {
        let result = await Findings(
            run(Self.root + "/Examples/PythonBackend/stripes.py", "feeder"))
        #expect(result.failed == [], "\(result.reasons)")
        #expect(result.passed.contains("capture.page"))
    }

    private func run(_ program: String, _ device: String?) -> ConformanceRun {
        var run = patient(program, device: device)
        run.rounds = 20
        return run
    }

    static let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")

    /// The path of a backend's program beside this one.
    private static func built(_ name: String) -> String {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = max(0, readlink("/proc/self/exe", &buffer, buffer.count))
        let place = String(decoding: buffer.prefix(count), as: UTF8.self)
        let folder = place.prefix(upTo: place.lastIndex(of: "/") ?? place.endIndex)
        return "\(folder)/copystand-backend-\(name)"
    }
}

/// A test's folder, which is removed with the value.
final class Folder: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/copystand-conformance-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ name: String, _ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(filePath: path + "/" + name))
    }

    /// A program with this text.
    ///
    /// Another process writes it: a child process that a test starts at this moment would keep the
    /// file open for writing, and the kernel refuses to run such a file.
    func program(_ name: String, _ text: String) throws -> String {
        try write(name + ".text", Array(text.utf8))
        let copy = popen("install -m 700 '\(path)/\(name).text' '\(path)/\(name)'", "re")
        guard let copy, pclose(copy) == 0 else { throw CocoaError(.fileWriteUnknown) }
        return path + "/" + name
    }
}
