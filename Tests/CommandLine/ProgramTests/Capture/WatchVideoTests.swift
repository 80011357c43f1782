import FoundationEssentials
import Testing

/// Tests `watch` with videos, by the file backend's program in its sandbox.
@Suite(.serialized) struct WatchVideoTests {
    let home: TemporaryFolder
    init() throws {
        home = try TemporaryFolder()
        try WatchCommandTests.clip([nil, 1, nil, 2, nil, 3]).write(to: file("pages.y4m"))
    }

    private func file(_ name: String) -> URL { URL(filePath: home.path + "/" + name) }

    /// The times at which pages of a recording are captured.
    private func captures(_ name: String) throws -> [Double] {
        let outcome = try BuiltProgram.run(
            [
                "watch", "-d", "file:\(home.path)/\(name)", "-p", "none", "-o",
                "\(home.path)/\(name).tiff", "--json",
            ], in: home, environment: ["COPYSTAND_SPOOL": home.path + "/spool"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(FileManager.default.fileExists(atPath: "\(home.path)/\(name).tiff"))
        return try outcome.output.split(separator: "\n").compactMap { line in
            let event = try JSONDecoder().decode(Event.self, from: Data(line.utf8))
            return event.event == "captured" ? event.time : nil
        }
    }

    private struct Event: Decodable {
        var event: String
        var time: Double?
    }

    private func make(_ options: String, _ name: String) throws {
        let outcome = try BuiltProgram.shell(
            "cd '\(home.path)'; ffmpeg -nostdin -v error -y -i pages.y4m -pix_fmt yuv420p \(options) \(name)",
            in: home)
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    @Test(
        "The same pages are captured at the same times from every video format",
        arguments: [
            ("a.avi", "-c:v mjpeg -q:v 2"), ("a.mp4", "-c:v libx264"),
            ("a.mov", "-c:v libx265 -x265-params log-level=none"),
            ("a.webm", "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -b:v 2M"),
            ("a.mkv", "-c:v libaom-av1 -cpu-used 8 -usage realtime -b:v 2M"),
        ])
    func kinds(name: String, options: String) throws {
        try make(options, name)
        let expected = try captures("pages.y4m")
        let times = try captures(name)
        // The desk, and each of the pages.
        #expect(expected.count >= 3 && times.count == expected.count)
        #expect(zip(times, expected).allSatisfy { abs($0 - $1) <= 0.25 }, "\(times) \(expected)")
    }

    @Test("A video is not imported; the message names the command for watching it")
    func imported() throws {
        try make("-c:v libx264", "my-clip.mp4")
        let outcome = try BuiltProgram.run(
            ["import", home.path + "/my-clip.mp4", "-o", home.path + "/out.pdf"], in: home)
        #expect(outcome.status != 0)
        #expect(outcome.errors.contains("is a recording, and 'import' reads no recordings"))
        #expect(outcome.errors.contains("copystand watch --device file:\(home.path)/my-clip.mp4 "))
    }

    @Test("A truncated video gives the pages before its end, with a report")
    func cut() throws {
        try make("-c:v libx264 -g 12 -bf 0", "whole.mkv")
        let bytes = try Data(contentsOf: file("whole.mkv"))
        try bytes.prefix(bytes.count * 6 / 10).write(to: file("cut.mkv"))
        let outcome = try BuiltProgram.run(
            [
                "watch", "-d", "file:\(home.path)/cut.mkv", "-p", "none", "-o",
                "\(home.path)/cut.tiff", "--json",
            ], in: home, environment: ["COPYSTAND_SPOOL": home.path + "/spool"])
        #expect(FileManager.default.fileExists(atPath: "\(home.path)/cut.tiff"))
        #expect(outcome.output.contains(#""event":"captured""#))
        #expect((outcome.output + outcome.errors).contains("ends in the middle of a frame"))
    }
}
