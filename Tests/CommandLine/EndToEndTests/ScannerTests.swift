import Foundation
import Testing

/// Tests a scanner's options, and the continuation of a stack after a jam, a crash, Ctrl-C and
/// `kill -9`, with the built program.
@Suite struct ScannerTests {
    let program: Program
    let panel: String

    init() throws {
        program = try Program()
        panel = program.home.path + "/.panel"
        try FileManager.default.createDirectory(atPath: panel, withIntermediateDirectories: true)
    }

    private func run(
        _ arguments: String..., whileRunning: (Process, MessageStream) -> Void = { _, _ in }
    ) throws -> Program.Ending {
        try program.run(
            arguments, environment: ["COPYSTAND_VIRTUAL_PANEL": panel], whileRunning: whileRunning)
    }

    private func put(_ name: String, _ text: String = "") throws {
        try Data(text.utf8).write(to: URL(filePath: panel + "/" + name))
    }

    /// The sizes in the PNG's header.
    private func size(_ name: String) throws -> (width: Int, height: Int, color: UInt8) {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: program.home.path + "/" + name)))
        func number(_ at: Int) -> Int { bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
        return (number(16), number(20), bytes[25])
    }

    private func labels(_ name: String) throws -> [String] {
        let data = try Data(contentsOf: URL(filePath: program.home.path + "/" + name))
        let document = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        return (document?["pages"] as? [[String: Any]] ?? []).map {
            ($0["provenance"] as? [String: Any])?["label"] as? String ?? ""
        }
    }

    private func sheets(_ count: Int) -> [String] { (1...count).map { "sheet \($0)" } }

    // MARK: Settings

    @Test("Common settings reach the device, and the nearest resolution is reported")
    func settings() throws {
        let ending = try run(
            "scan", "-d", "virtual:feeder", "-p", "none", "--source", "flatbed", "--mode",
            "Colour", "-r", "77", "--paper", "a6", "--brightness", "-20", "--contrast", "10", "-o",
            "a.png")
        #expect(ending.status == 0, "\(ending.messages)")
        #expect(ending.messages.contains("The scanner does not support 77 dpi; 75 is used."))
        #expect(!ending.messages.contains("nearest"), "\(ending.messages)")
        let size = try size("a.png")
        // A6 is 105 × 148 mm.
        #expect(size.width == 310 && size.height == 437 && size.color == 2)
    }

    @Test("A part of the platen has the requested size")
    func area() throws {
        let ending = try run(
            "scan", "-d", "virtual:flatbed", "-p", "none", "-r", "300", "--area",
            "10,20,25.5,50.5", "-o", "a.png")
        #expect(ending.status == 0, "\(ending.messages)")
        let size = try size("a.png")
        #expect(size.width == 301 && size.height == 596)
    }

    struct Mistake: CustomTestStringConvertible {
        let arguments: [String]
        let status: Int32
        let says: [String]
        var testDescription: String { arguments.joined(separator: " ") }
    }

    static let mistakes = [
        Mistake(arguments: ["--source", "fedeer"], status: 2, says: ["fedeer", "'feeder'"]),
        Mistake(arguments: ["--mode", "grai"], status: 2, says: ["grai", "'gray'"]),
        Mistake(arguments: ["--resolution", "high"], status: 2, says: ["high"]),
        Mistake(arguments: ["--paper", "a44"], status: 2, says: ["a44", "'a4'"]),
        Mistake(arguments: ["--area", "1,2,3"], status: 2, says: ["1,2,3", "four numbers"]),
        Mistake(arguments: ["--area", "200,0,100,100"], status: 2, says: ["216 × 300 mm"]),
        Mistake(arguments: ["--paper", "a4", "--area", "1,2,3,4"], status: 2, says: ["together"]),
        Mistake(arguments: ["--brightness", "200"], status: 2, says: ["200", "100"]),
        Mistake(arguments: ["--collate"], status: 2, says: ["--wait-for-paper"]),
        Mistake(
            arguments: ["--collate", "--wait-for-paper", "--source", "feeder-duplex"], status: 2,
            says: ["feeder-duplex"]),
        Mistake(
            arguments: ["--wait-for-paper", "--source", "flatbed"], status: 2,
            says: ["flatbed", "feeder"]),
        Mistake(arguments: ["--append"], status: 2, says: ["no job to continue"]),
        Mistake(arguments: ["--append", "--profile", "none"], status: 2, says: ["together"]),
        Mistake(arguments: ["--append", "20260101-000000-none"], status: 2, says: ["no job"]),
        Mistake(arguments: ["--compression", "zip"], status: 2, says: ["zip", "lossless"]),
    ]

    @Test("A mistake is named, and nothing is written", arguments: mistakes)
    func mistake(_ mistake: Mistake) throws {
        var arguments = ["scan", "--device", "virtual:feeder"] + mistake.arguments
        if !arguments.contains("--append") { arguments += ["-o", "out.pdf"] }
        let ending = try program.run(arguments)
        #expect(ending.status == mistake.status, "\(ending.messages)")
        for word in mistake.says { #expect(ending.messages.contains(word), "\(ending.messages)") }
        #expect(program.home.visibleNames.isEmpty)
    }

    @Test("The error for a missing setting lists the device's settings")
    func noSuchSetting() throws {
        let ending = try run("scan", "-d", "virtual:camera", "--paper", "a4", "-o", "a.pdf")
        #expect(ending.status == 2)
        #expect(ending.messages.contains("no option 'paper'"), "\(ending.messages)")
    }

    @Test("A preview shows the whole platen, and says which part that is")
    func preview() throws {
        let ending = try run("preview", "-d", "virtual:feeder", "--json", "-o", "glass.png")
        #expect(ending.status == 0, "\(ending.messages)")
        let json =
            try JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [String: Any]
        let area = json?["area"] as? [String: Double]
        #expect(area == ["x": 0, "y": 0, "width": 216, "height": 300])
        #expect(json?["resolution"] as? Double == 75)
        let size = try size("glass.png")
        #expect(size.width == 638 && size.height == 886 && size.color == 2)
        let again = try run("preview", "-d", "virtual:feeder", "-o", "glass.png")
        #expect(again.status == 5 && again.messages.contains("never overwritten"))
        let spool = try? FileManager.default.contentsOfDirectory(
            atPath: program.home.path + "/spool")
        #expect(spool?.isEmpty ?? true)
    }

    @Test("With the profile 'none', a TIFF has uncompressed pixels; otherwise it is compressed")
    func compression() throws {
        let scan = ["scan", "-d", "virtual:flatbed", "-r", "75", "-p", "none"]
        #expect(try program.run(scan + ["-o", "raw.tiff"]).status == 0)
        #expect(
            try program.run(scan + ["--compression", "lossless", "-o", "small.tiff"]).status == 0)
        func bytes(_ name: String) throws -> Int {
            try Data(contentsOf: URL(filePath: program.home.path + "/" + name)).count
        }
        #expect(try bytes("raw.tiff") > 620 * 877)
        #expect(try bytes("small.tiff") < 620 * 877 / 2)
    }

    // MARK: Continuing after an interruption

    struct Break: CustomTestStringConvertible {
        let fault: String
        let code: String
        var testDescription: String { fault }
    }

    static let breaks = [
        Break(fault: "jam", code: "jammed"), Break(fault: "cover-open", code: "coverOpen"),
        Break(fault: "double-feed", code: "doubleFeed"), Break(fault: "crash", code: "crashed"),
        Break(fault: "exit", code: "crashed"),
    ]

    @Test("After a fault, the rest is added to the same document", arguments: breaks)
    func append(_ row: Break) throws {
        let ending = try run(
            "scan", "-d", "virtual:feeder", "-p", "none", "-r", "75", "--set", "fault=\(row.fault)",
            "--set", "fault-page=3", "-o", "out.json", "-o", "out.pdf", "--json")
        #expect(ending.status == 4, "\(ending.messages)")
        #expect(ending.messages.contains("put sheet 3 and those after it back"))
        #expect(ending.messages.contains("copystand scan --append"))
        let json =
            try JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [String: Any]
        let continuation = json?["continuation"] as? [String: Any]
        #expect(continuation?["code"] as? String == row.code)
        #expect(try labels("out.json") == sheets(2))

        let jobs = try run("jobs")
        #expect(jobs.output.contains("to be continued, next: sheet 3"), "\(jobs.output)")
        let rest = try run("scan", "--append", "--set", "fault=none", "--set", "pages=4")
        #expect(rest.status == 0, "\(rest.messages)")
        #expect(try labels("out.json") == sheets(6))
        #expect(try pageCount(program.home.path + "/out.pdf") == 6)
        #expect(program.home.visibleNames == ["out.json", "out.pdf"])
        #expect(try run("jobs").output.isEmpty)
    }

    @Test("After Ctrl-C, the rest is added, even from another folder")
    func afterInterrupt() throws {
        let ending = try run(
            "scan", "-d", "virtual:feeder", "-p", "none", "-r", "75", "--set", "pages=500", "-o",
            "out.json"
        ) { process, messages in
            if messages.wait(for: "Page 3:") { process.interrupt() }
        }
        #expect(ending.status == 130, "\(ending.messages)")
        let first = try labels("out.json").count
        let elsewhere = program.process(
            ["scan", "--append", "--set", "pages=2", "-q"],
            environment: ["COPYSTAND_VIRTUAL_PANEL": panel])
        elsewhere.currentDirectoryURL = URL(filePath: panel)
        elsewhere.standardOutput = FileHandle.nullDevice
        elsewhere.standardError = FileHandle.nullDevice
        try elsewhere.run()
        elsewhere.waitUntilExit()
        #expect(elsewhere.terminationStatus == 0)
        #expect(try labels("out.json") == sheets(first + 2))
        #expect(program.home.visibleNames == ["out.json"])
    }

    @Test(
        "Whenever the host is killed, the document has every finished page at the end",
        arguments: [
            "Page 1:", "Page 3:", "Page 5:", "pages,",
        ])
    func killed(_ moment: String) throws {
        let jam = try run(
            "scan", "-d", "virtual:feeder", "-p", "none", "-r", "75", "--set", "fault=jam",
            "--set", "fault-page=3", "-o", "out.json")
        #expect(jam.status == 4)
        // The continued scan is killed while it captures, delivers or has just delivered.
        _ = try run(
            "scan", "--append", "--set", "fault=slow", "--set", "fault-page=1", "--set",
            "row-delay=1", "--set", "pages=3"
        ) { process, messages in
            if messages.wait(for: moment) { kill(process.processIdentifier, SIGKILL) }
        }
        // The document is complete at any time.
        #expect(try labels("out.json").count >= 2)
        let waiting = try run("jobs", "--json").output
        if waiting.contains("\"id\"") {
            let resumed = try run("scan", "--append", "--set", "fault=none", "--set", "pages=1")
            #expect(resumed.status == 0, "\(resumed.messages)")
        }
        let found = try labels("out.json")
        #expect(found == sheets(found.count) && found.count >= 3)
        #expect(program.home.visibleNames == ["out.json"])
    }

    @Test("A file that was changed since its delivery is not replaced")
    func changedFile() throws {
        _ = try run(
            "scan", "-d", "virtual:feeder", "-p", "none", "-r", "75", "--set", "fault=jam",
            "--set", "fault-page=2", "-o", "out.json")
        let mine = Data("mine".utf8)
        try mine.write(to: URL(filePath: program.home.path + "/out.json"))
        let rest = try run("scan", "--append", "--set", "fault=none", "--set", "pages=1")
        #expect(rest.status == 0)
        #expect(rest.messages.contains("was changed since"), "\(rest.messages)")
        #expect(rest.output.contains("out-2.json"))
        let kept = try Data(contentsOf: URL(filePath: program.home.path + "/out.json"))
        #expect(kept == mine)
        #expect(try labels("out-2.json") == sheets(2))
    }

    // MARK: Paper

    @Test("A scan waits for paper, with a sensor and without one", arguments: ["yes", "no"])
    func waitForPaper(_ sensor: String) throws {
        let panel = panel
        let ending = try run(
            "scan", "-d", "virtual:feeder", "-p", "none", "-r", "75", "--wait-for-paper", "--set",
            "pages=0", "--set", "paper-sensor=\(sensor)", "-o", "out.json"
        ) { _, messages in
            guard messages.wait(for: "Waiting for paper") else { return }
            try? Data("2".utf8).write(to: URL(filePath: panel + "/paper"))
        }
        #expect(ending.status == 0, "\(ending.messages)")
        #expect(try labels("out.json") == sheets(2))
    }

    @Test("Ctrl-C ends the wait for paper")
    func waitInterrupted() throws {
        let ending = try run(
            "scan", "-d", "virtual:feeder", "--wait-for-paper", "--set", "pages=0", "-o", "out.pdf"
        ) { process, messages in
            if messages.wait(for: "Waiting for paper") { process.interrupt() }
        }
        #expect(ending.status == 130, "\(ending.messages)")
        #expect(program.home.visibleNames.isEmpty)
    }

    @Test("The button starts a job, and the watch continues after an unplugged cable")
    func watch() throws {
        let panel = panel
        let ending = try run(
            "watch", "-d", "virtual:feeder", "-p", "none", "--set", "resolution=75", "--set",
            "pages=2", "-o", "w-{n}.json"
        ) { process, messages in
            func put(_ name: String) { try? Data().write(to: URL(filePath: panel + "/" + name)) }
            guard messages.wait(for: "a job begins with") else { return }
            put("button")
            guard messages.wait(for: "Waiting for the next") else { return }
            put("unplugged")
            guard messages.wait(for: "to come back") else { return }
            try? FileManager.default.removeItem(atPath: panel + "/unplugged")
            guard messages.wait(for: "The scanner is back") else { return }
            // A press is detected only after the buttons have been read once.
            Thread.sleep(forTimeInterval: 1)
            put("button")
            if messages.wait(for: "Job 2:") { process.interrupt() }
        }
        #expect(ending.status == 0, "\(ending.messages)")
        #expect(try labels("w-001.json") == sheets(2))
        #expect(ending.output.hasPrefix("w-001.json\n"))
    }
}
