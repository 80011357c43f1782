import FoundationEssentials
import Glibc
import Testing

@testable import JobOptions
@testable import copystand

/// Tests `watch` as a user runs it, with the virtual camera, which repeats a clip of pages.
///
/// The profile `none` takes the whole frame, so that no search is needed; the first page seen is
/// the empty desk.
@Suite(.serialized) struct WatchCommandTests {
    let home: TemporaryFolder
    init() throws {
        home = try TemporaryFolder()
        try Self.clip([nil, 1, nil, 2]).write(to: URL(filePath: home.path + "/pages.y4m"))
    }

    /// A clip (YUV4MPEG2) that shows the desk and each page for a second and a half.
    static func clip(_ scenes: [Int?]) -> Data {
        let (width, height) = (320, 240)
        var data = Data("YUV4MPEG2 W\(width) H\(height) F12:1 Cmono\n".utf8)
        for page in scenes {
            var pixels = [UInt8](repeating: 60, count: width * height)
            if let page {
                for y in 20..<220 { for x in 60..<260 { pixels[y * width + x] = 210 } }
                var state = UInt64(page) &* 0x9E37_79B9_7F4A_7C15 | 1
                for top in stride(from: 30, to: 200, by: 16) {
                    for left in stride(from: 70, to: 240, by: 16) {
                        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                        guard state >> 63 != 0 else { continue }
                        for y in top..<top + 12 {
                            for x in left..<left + 14 { pixels[y * width + x] = 70 }
                        }
                    }
                }
            }
            for _ in 0..<18 { data += Data("FRAME\n".utf8) + Data(pixels) }
        }
        return data
    }

    private var environment: [String: String] { ["COPYSTAND_SPOOL": home.path + "/spool"] }

    private var words: [String] {
        [
            "watch", "-d", "virtual:camera", "--set", "clip=" + home.path + "/pages.y4m", "--set",
            "format=jpeg", "--rate", "12", "-p", "none", "-o", home.path + "/out.tiff", "--json",
        ]
    }

    private func start(_ more: String...) throws -> BuiltProgram.Running {
        try BuiltProgram.spawn(BuiltProgram.path, words + more, in: home, environment: environment)
    }

    /// The lines of `event` so far.
    private func events(_ text: String, _ event: String) -> [Substring] {
        text.split(separator: "\n").filter { $0.contains(#""event":"\#(event)""#) }
    }

    /// Waits until the program has printed `count` lines of `event`.
    ///
    /// The limit of half a minute is reached only if a test fails.
    private func wait(_ running: BuiltProgram.Running, for count: Int, _ event: String) -> Bool {
        for _ in 0..<300 {
            let text =
                (try? String(contentsOf: URL(filePath: running.folder + "/out"), encoding: .utf8))
                ?? ""
            if events(text, event).count >= count { return true }
            usleep(100_000)
        }
        return false
    }

    static let times: [(String, Duration?)] = [
        ("60s", .seconds(60)), ("90", .seconds(90)), ("5m", .seconds(300)),
        ("1.5h", .seconds(5400)),
        ("0", nil), ("-3s", nil), ("s", nil), ("", nil), ("5x", nil), ("nan", nil), ("1e99h", nil),
    ]

    @Test("Times are numbers with a unit", arguments: times)
    func time(text: String, expected: Duration?) { #expect(TimeText.duration(text) == expected) }

    @Test("Pages up to the limit are captured and delivered")
    func limit() throws {
        let outcome = try start("--pages", "2", "--stats").wait()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(events(outcome.output, "captured").count == 2)
        #expect(events(outcome.output, "page").count == 2)
        #expect(events(outcome.output, "delivered").count == 1)
        #expect(events(outcome.output, "stats").count == 1)
        for line in outcome.output.split(separator: "\n") {
            #expect(throws: Never.self) {
                _ = try JSONDecoder().decode([String: Value].self, from: Data(line.utf8))
            }
        }
        #expect(FileManager.default.fileExists(atPath: home.path + "/out.tiff"))
    }

    /// A JSON value of any kind; only its structure is compared.
    private struct Value: Decodable {
        init(from decoder: any Decoder) throws {
            _ = try? decoder.container(keyedBy: Key.self)
        }

        private struct Key: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
    }

    @Test("Ctrl-C ends the watch and delivers the pages")
    func interrupted() throws {
        let running = try start()
        #expect(wait(running, for: 1, "captured"))
        kill(running.process, SIGINT)
        let outcome = try running.wait()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(events(outcome.output, "delivered").count == 1)
        #expect(FileManager.default.fileExists(atPath: home.path + "/out.tiff"))
    }

    @Test("Ctrl-C before the first page writes nothing")
    func interruptedEarly() throws {
        let running = try start("--manual")
        #expect(wait(running, for: 1, "state"))
        kill(running.process, SIGINT)
        let outcome = try running.wait()
        #expect(outcome.status == 130)
        #expect(outcome.errors.contains("No page was captured"))
    }

    @Test("After kill -9, captured pages stay in a job, from which they are delivered")
    func killed() throws {
        let running = try start()
        #expect(wait(running, for: 1, "captured"))
        kill(running.process, SIGKILL)
        _ = try running.wait()
        let jobs = try FileManager.default.contentsOfDirectory(atPath: home.path + "/spool")
        #expect(jobs.count == 1)
        let later = home.path + "/later.tiff"
        let resumed = try BuiltProgram.run(
            ["jobs", "resume", jobs[0], "-o", later], in: home, environment: environment)
        #expect(resumed.status == 0, "\(resumed.errors)")
        #expect(FileManager.default.fileExists(atPath: later))
    }

    @Test("The watch waits for a camera whose backend dies, and continues")
    func unplugged() throws {
        let running = try start("--pages", "2")
        #expect(wait(running, for: 1, "captured"))
        // The program's only child process that is a backend.
        let children = try BuiltProgram.shell(
            "cat /proc/\(running.process)/task/*/children", in: home
        ).output.split(separator: " ").compactMap { pid_t($0.filter(\.isNumber)) }
        let backend = children.first { child in
            let link =
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(child)/exe"))
                ?? ""
            return link.contains("backend-virtual")
        }
        kill(try #require(backend), SIGKILL)
        let outcome = try running.wait()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(events(outcome.output, "lost").count == 1)
        #expect(events(outcome.output, "back").count == 1)
        #expect(events(outcome.output, "delivered").count == 1)
    }

    @Test("With --manual, a key from a pipe captures")
    func byHand() throws {
        let line = words.joined(separator: " ")
        let outcome = try BuiltProgram.shell(
            "printf ' ' | $P \(line) --manual --pages 1", in: home,
            environment: environment)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(events(outcome.output, "captured").first?.contains(#""byHand":true"#) == true)
    }

    @Test("With --manual, any key of a pedal captures")
    func pedal() throws {
        let line = words.joined(separator: " ")
        // An input_event on 64-bit machines as the kernel writes it: no time, EV_KEY, KEY_B,
        // pressed.
        let outcome = try BuiltProgram.shell(
            """
            mkfifo '\(home.path)/pedal'
            { head -c 16 /dev/zero; printf '\\001\\000\\060\\000\\001\\000\\000\\000'; } \
            >'\(home.path)/pedal' &
            $P \(line) --manual --pages 1 --pedal '\(home.path)/pedal' </dev/null
            """, in: home, environment: environment)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(events(outcome.output, "captured").first?.contains(#""byHand":true"#) == true)
        for (path, sentence) in [
            ("/dev/input/nowhere", "There is no input device '/dev/input/nowhere'"),
            ("/dev/null", "'/dev/null' is not an input device"),
        ] {
            let wrong = try BuiltProgram.run(
                words + ["--pedal", path], in: home, environment: environment)
            #expect(wrong.status != 0)
            #expect(wrong.errors.contains(sentence))
        }
    }

    @Test("An invalid time is refused with an explanation")
    func refused() throws {
        let time = try BuiltProgram.run(["watch", "--idle", "soon"], in: home)
        #expect(time.status == 2)
        #expect(time.errors.contains("a time above zero such as 60s, 5m or 1h"))
    }
}
