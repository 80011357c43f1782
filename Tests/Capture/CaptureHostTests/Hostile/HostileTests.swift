import CaptureKit
import ContractSupport
import Dispatch
import FoundationEssentials
import Glibc
import Testing

@testable import CaptureHost

/// Tests backends that crash, hang, lie, flood, fork and eat memory, each against a host in a
/// separate process.
@Suite struct HostileTests {
    /// The trials run one after another, because each has three processes, some of which must
    /// answer within a second.
    private static let queue = DispatchQueue(label: "hostile-trials")

    @Test(
        "Whatever a backend does, the host survives, names it, serves others and cleans up",
        arguments: HostileBackend.all)
    func trial(_ backend: HostileBackend) async throws {
        let folder = try TemporaryFolder()
        let mark = "trial-\(UInt64.random(in: 0 ... .max))"
        let outcome = try await run(backend, in: folder, mark)

        let told = outcome.error?.message ?? outcome.log.joined(separator: "\n")
        #expect(told.contains(backend.words), "\(told)")
        #expect(told.contains("'bad'"), "\(told)")
        // After a device is closed, an error has no receiver.
        #expect((outcome.error == nil) == (backend.verb == .close))
        if let error = outcome.error {
            #expect(error.code == backend.code)
            #expect(error.backend == "bad")
            #expect(error.end == backend.end)
            #expect(error.advice != nil)
        }
        #expect(outcome.pages == backend.pages)
        #expect(
            folder.names("bad")
                == backend.pages.flatMap { ["page-000\($0).json", "page-000\($0).raw"] })
        for page in backend.pages {
            #expect(Bench.read(folder.file("bad/page-000\(page).raw")).count == 1200)
        }
        #expect(outcome.goodPages == 3)
        #expect(outcome.descriptors == [])
        #expect(outcome.processes == [])
        #expect(processes(with: mark).map(\.arguments) == [])
    }

    private func run(_ backend: HostileBackend, in folder: TemporaryFolder, _ mark: String)
        async throws -> HostileOutcome
    {
        let place = runningExecutable().map(parentFolder) ?? "."
        for name in ["bad", "good", "state"] { mkdir(folder.file(name), 0o700) }
        try Bench.install(
            "MARK = '\(mark)'\n" + HostileBackend.prelude + backend.script, id: "bad", in: folder,
            more: backend.limits.map { ",\"limits\":\($0)" } ?? "")
        Bench.write(
            #"{"id":"good","name":"A good one","version":"0","protocol":1,"program":"\#(place)/copystand-backend-fake"}"#,
            to: folder.file("good.json"))
        let trial = HostileTrial(
            folder: folder.path, verb: backend.verb.rawValue, isLive: backend.isLive, limit: 3,
            deadline: backend.code == .hung ? 1.5 : nil, mark: mark)
        let file = folder.file("state/trial")
        try JSONEncoder().encode(trial).write(to: URL(filePath: file))
        let host = place + "/hostile-host-for-tests"
        let command = "exec env COPYSTAND_TRIAL=\(mark) '\(host)' '\(file)' 2>&1"
        let answer = await withCheckedContinuation { continuation in
            Self.queue.async { continuation.resume(returning: output(of: command)) }
        }
        #expect(answer.status == 0, "\(String(decoding: answer.text, as: UTF8.self))")
        return try JSONDecoder().decode(HostileOutcome.self, from: answer.text)
    }

}

/// The output of a shell command, and its exit status.
private func output(of command: String) -> (text: Data, status: Int32) {
    guard let pipe = popen(command, "re") else { return (Data(), -1) }
    var text = Data()
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&buffer, 1, buffer.count, pipe), count > 0 {
        text.append(contentsOf: buffer.prefix(count))
    }
    return (text, pclose(pipe))
}

extension TemporaryFolder {
    /// The names in a folder within, sorted.
    fileprivate func names(_ folder: String) -> [String] { folderNames(file(folder)) }
}
