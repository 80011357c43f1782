import CaptureHost
import CaptureKit
import Processes
import Synchronization
import Testing

/// Tests faults of the real program from the host's side.
@Suite struct ProgramFaultTests {
    private struct Run {
        var pages = 0
        var skipped = 0
        var error: HostError?
    }

    private func host(
        _ folder: TemporaryFolder, _ change: (inout HostConfiguration) -> Void = { _ in }
    ) -> CaptureHost {
        var configuration = HostConfiguration.standard()
        configuration.stateFile = "\(folder.path)/devices.json"
        change(&configuration)
        return CaptureHost(configuration)
    }

    private func run(
        _ host: CaptureHost, _ folder: TemporaryFolder, _ fault: String, page: Int, from number: Int
    ) async throws -> Run {
        let device = try await host.open(try await host.find("virtual:feeder"))
        for (name, value) in [
            ("resolution", .integer(75)), ("pages", .integer(3)), ("fault", .text(fault)),
            ("fault-page", .integer(page)),
        ] as [(String, OptionValue)] {
            _ = try await device.set(name, to: value)
        }
        var run = Run()
        let spool = SpoolFolder(path: folder.path, firstNumber: number)
        do {
            for try await event in device.capture(CaptureRequest(), spool: spool) {
                if case .page = event { run.pages += 1 }
                if case .skipped = event { run.skipped += 1 }
            }
        } catch let error as HostError {
            run.error = error
        }
        await device.close()
        return run
    }

    @Test(
        "A page's fault keeps the earlier page, has a message, and ends with the scan",
        arguments: [
            ("crash", HostError.Code.crashed, ProcessEnd.signal(6)), ("exit", .crashed, .status(3)),
            ("torn", .crashed, .status(0)), ("jam", HostError.Code(.jammed), nil),
            ("cover-open", HostError.Code(.coverOpen), nil),
            ("double-feed", HostError.Code(.doubleFeed), nil), ("garbage", .nonsense, nil),
            ("huge", .tooLarge, nil), ("wrong-size", HostError.Code(.damagedData), nil),
            ("oversized", HostError.Code(.internalFault), nil),
        ] as [(String, HostError.Code, ProcessEnd?)])
    func fault(_ fault: String, _ code: HostError.Code, _ end: ProcessEnd?) async throws {
        let folder = try TemporaryFolder()
        let host = host(folder)
        let broken = try await run(host, folder, fault, page: 2, from: 1)
        #expect(broken.pages == 1)
        #expect(broken.error?.code == code)
        if let end { #expect(broken.error?.end == end) }
        let whole = try await run(host, folder, "none", page: 2, from: 100)
        #expect(whole.pages == 3)
        #expect(whole.error == nil)
        await host.shutdown()
    }

    @Test(
        "A program that hangs, or was stopped, is ended", arguments: ["hang", "freeze"])
    func hang(_ fault: String) async throws {
        let folder = try TemporaryFolder()
        let host = host(folder) { $0.deadlines.progress = .seconds(4) }
        let run = try await run(host, folder, fault, page: 1, from: 1)
        #expect(run.pages == 0)
        #expect(run.error?.code == .hung)
        await host.shutdown()
    }

    @Test("A skipped page is reported, and noise goes to the log without harm")
    func harmless() async throws {
        let folder = try TemporaryFolder()
        let counter = Counter()
        let host = host(folder) { $0.log = { _ in counter.add() } }
        let skipping = try await run(host, folder, "skip", page: 2, from: 1)
        #expect(skipping.pages == 2)
        #expect(skipping.skipped == 1)
        #expect(skipping.error == nil)
        let noisy = try await run(host, folder, "noise", page: 2, from: 100)
        #expect(noisy.pages == 3)
        #expect(noisy.error == nil)
        #expect(counter.count > 0)
        await host.shutdown()
    }

    @Test("Live frames without a buffer are left out, and the capture continues to its end")
    func live() async throws {
        let folder = try TemporaryFolder()
        let host = host(folder)
        let device = try await host.open(try await host.find("virtual:camera"))
        _ = try await device.set("rate", to: .number(120))
        _ = try await device.set("size", to: .text("640x480"))
        var kept: [CapturedPage] = []
        for try await event in device.capture(
            CaptureRequest(mode: .live, limit: 8), spool: SpoolFolder(path: folder.path))
        {
            if case .page(let page) = event { kept.append(page) }
        }
        // Frames use three buffers in turn, and none was returned.
        #expect(kept.count == 3)
        await device.close()
        await host.shutdown()
    }

    private final class Counter: Sendable {
        private let lines = Mutex(0)
        var count: Int { lines.withLock { $0 } }
        func add() { lines.withLock { $0 += 1 } }
    }
}
