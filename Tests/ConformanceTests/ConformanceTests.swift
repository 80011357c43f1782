import CaptureHost
import Conformance
import FoundationEssentials
import Glibc
import Testing

/// The checks of `backend check`, against backends that keep the protocol and such as break one rule.
@Suite struct ConformanceTests {
    /// The ids of the checks that a program fails, with what came; and how many could not be made.
    private func failures(
        _ program: String, device: String? = nil
    ) async -> (failed: [String], came: [String], notApplicable: Int) {
        var deadlines = Deadlines()
        // A backend that never answers fails one check after this long, and a busy machine takes less for any answer.
        deadlines.hello = .seconds(15)
        deadlines.devices = .seconds(30)
        let run = ConformanceRun(program: program, device: device, deadlines: deadlines)
        var result: (failed: [String], came: [String], notApplicable: Int) = ([], [], 0)
        for check in ConformanceCheck.all {
            switch await run.outcome(of: check) {
            case .passed: break
            case .notApplicable: result.notApplicable += 1
            case .failed(let expected, let came):
                result.failed.append(check.id)
                result.came.append("\(check.id): \(expected) – \(came)")
            }
        }
        return result
    }

    @Test(
        "Every check has a name of its own, a sentence, and a section of the protocol that exists")
    func catalogue() throws {
        let file =
            URL(filePath: #filePath).deletingLastPathComponent().path
            + "/../../Docs/CaptureProtocol.md"
        let text = String(decoding: try Data(contentsOf: URL(filePath: file)), as: UTF8.self)
        let sections = Set(
            text.split(separator: "\n").filter { $0.hasPrefix("#") }
                .map { $0.drop { $0 == "#" || $0 == " " } }.map(String.init))
        #expect(Set(ConformanceCheck.all.map(\.id)).count == ConformanceCheck.all.count)
        for check in ConformanceCheck.all {
            #expect(sections.contains(check.section), "\(check.id) refers to '\(check.section)'")
            #expect(!check.title.isEmpty && !check.title.hasSuffix("."))
        }
    }

    @Test(
        "The backends that come with Copystand keep every rule",
        arguments: ["virtual", "file", "sane", "v4l2"])
    func bundled(_ name: String) async throws {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = max(0, readlink("/proc/self/exe", &buffer, buffer.count))
        let place = String(decoding: buffer.prefix(count), as: UTF8.self)
        let folder = place.prefix(upTo: place.lastIndex(of: "/") ?? place.endIndex)
        let result = await failures("\(folder)/copystand-backend-\(name)")
        #expect(result.came == [])
        // The virtual one always has devices, and so every check is made.
        if name == "virtual" { #expect(result.notApplicable == 0) }
    }

    @Test(
        "A backend with one fault fails the check for it, and no other",
        arguments: [
            (.none, []), (.anotherVersion, nil), (.copiesVersion, ["hello.newer-host"]),
            (.refusesUnknownFields, ["hello.unknown-fields"]), (.staysByHand, ["hello.by-hand"]),
            (.diesOfUnknownVerb, ["verb.unknown"]), (.acceptsUnknownVerb, ["verb.unknown"]),
            (.refusesUnknownField, ["fields.unknown"]), (.takesVerbsAsWritten, ["json.escapes"]),
            (.shortLines, ["message.long"]), (.diesOfUnknownEvent, ["event.unknown"]),
            (.answersTwice, ["answer.once"]),
            (.doubleDevice, ["devices.well-formed"]), (.quickExtra, ["devices.quick"]),
            (.noAdvice, ["devices.advice"]),
            (.opensAnything, ["open.unknown"]), (.opensOnce, ["open.again"]),
            (.takesAnyHandle, ["handle.unknown"]),
            (.doubleOption, ["options.well-formed"]), (.writableSensor, ["options.sensor"]),
            (.setsAnything, ["set.unknown"]),
            (.exitsWithError, ["exit.clean"]),
        ] as [(FaultyBackend.Fault, [String]?)])
    func fault(_ fault: FaultyBackend.Fault, _ wanted: [String]?) async throws {
        let backend = try FaultyBackend(fault)
        let result = await failures(backend.program)
        guard let wanted else {
            // Nobody can talk to a backend of another version, so more than the version's own check may fail.
            #expect(result.failed.contains("hello.version"))
            return
        }
        #expect(result.failed == wanted, "\(result.came)")
    }

    @Test(
        "A backend that says nothing is told with what it was asked, and its process is gone afterwards"
    )
    func silent() async throws {
        let backend = try FaultyBackend(.silent)
        var deadlines = Deadlines()
        deadlines.hello = .milliseconds(500)
        deadlines.exit = .milliseconds(500)
        let check = try #require(ConformanceCheck.all.first { $0.id == "hello.answers" })
        let outcome = await ConformanceRun(program: backend.program, deadlines: deadlines).outcome(
            of: check)
        guard case .failed(let expected, let came) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(expected.contains("hello") && came.contains("nothing"))
    }

    @Test("A program that is not there fails with its path")
    func absent() async throws {
        let check = try #require(ConformanceCheck.all.first)
        guard
            case .failed(_, let came) = await ConformanceRun(program: "/nowhere/backend").outcome(
                of: check)
        else {
            Issue.record("it passed")
            return
        }
        #expect(came.contains("/nowhere/backend"))
    }
}
