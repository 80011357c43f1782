import CaptureHost
import CaptureKit
import Delivery
import Documents
import FoundationEssentials
import Testing

@testable import ScanService

@Suite struct ScanServiceTests {
    let bench: Bench

    init() throws { bench = try Bench() }

    private func run(
        _ order: ScanOrder, _ control: ScanControl = ScanControl(), _ events: Events = Events()
    ) async throws -> ScanOutcome {
        try await bench.service.run(order, control: control) { events.take($0) }
    }

    @Test("Every page of a feeder goes to every sink, in order, and nothing stays in the spool")
    func feeder() async throws {
        let outcome = try await run(bench.order("out.pdf", "out.json"))
        guard case .completed = outcome.ending else { throw Failed(outcome) }
        #expect(outcome.pages.map(\.page.number) == [1, 2, 3, 4])
        #expect(outcome.receipts.map(\.pages) == [4, 4])
        #expect(bench.exists("out.pdf") && bench.exists("out.json"))
        #expect(bench.store.jobs().isEmpty)
    }

    @Test("A page has the settings that were requested of its device, but no secret")
    func provenance() async throws {
        let outcome = try await run(bench.order("out.json"))
        #expect(
            outcome.pages.allSatisfy {
                $0.page.provenance.options == ["resolution": "75", "pages": "4"]
            })
        var order = ScanOrder(sources: [], outputs: [], profile: "none")
        #expect(order.deviceOptions == nil)
        order.settings = [.init(option: "password", value: "x"), .init(option: "a", value: "b")]
        order.common.resolution = 300
        #expect(order.deviceOptions == ["resolution": "300", "a": "b"])
    }

    @Test("The spool holds a page until the sinks have the document")
    func pagesStayInTheSpool() async throws {
        let store = bench.store
        let events = Events { event in
            if case .completing = event { #expect(store.jobs().map(\.pages) == [4]) }
        }
        _ = try await run(bench.order("out.pdf"), ScanControl(), events)
        #expect(events.all.contains { if case .completing = $0 { true } else { false } })
    }

    @Test("A jam ends the capture; the pages before it are delivered")
    func jam() async throws {
        let outcome = try await run(
            bench.order("out.pdf", settings: ["fault": "jam", "fault-page": "3"]))
        guard case .deviceFailed(let error) = outcome.ending else { throw Failed(outcome) }
        #expect((error as? HostError)?.code == HostError.Code(.jammed))
        #expect(outcome.receipts.map(\.pages) == [2])
    }

    @Test("A jam on the first page leaves nothing behind")
    func nothingCaptured() async throws {
        let outcome = try await run(
            bench.order("out.pdf", settings: ["fault": "jam", "fault-page": "1"]))
        #expect(outcome.pages.isEmpty && outcome.receipts.isEmpty)
        #expect(!bench.exists("out.pdf"))
        #expect(bench.store.jobs().isEmpty)
    }

    @Test("A page that cannot be captured is reported, and those after it are delivered")
    func skippedPage() async throws {
        let outcome = try await run(
            bench.order("out.pdf", settings: ["fault": "skip", "fault-page": "2"]))
        #expect(outcome.skipped.count == 1)
        #expect(outcome.pages.count == 3)
    }

    @Test("Stopping delivers the pages captured so far")
    func stopping() async throws {
        let control = ScanControl()
        let events = Events { event in
            if case .captured(let page, _) = event, page == 2 { control.stop() }
        }
        let outcome = try await run(
            bench.order("out.pdf", settings: ["pages": "500"]), control, events)
        guard case .stopped = outcome.ending else { throw Failed(outcome) }
        #expect(outcome.pages.count >= 2 && outcome.pages.count < 500)
        #expect(outcome.receipts.map(\.pages) == [outcome.pages.count])
        #expect(outcome.continuation?.interruption.code == Interruption.stopped)
        #expect(bench.store.jobs().map(\.pages) == [outcome.pages.count])
    }

    @Test("A job that was stopped before it began captures nothing")
    func stoppedBefore() async throws {
        let control = ScanControl()
        control.stop()
        let outcome = try await run(bench.order("out.pdf"), control)
        guard case .stopped = outcome.ending else { throw Failed(outcome) }
        #expect(outcome.pages.isEmpty)
    }

    @Test("A refusal before the capture leaves no job and no file")
    func refusedEarly() async throws {
        var order = bench.order("nowhere/out.pdf")
        await #expect(throws: DeliveryError.self) { try await run(order) }
        order = bench.order("out.pdf")
        order.profile = "documnet"
        await #expect(throws: (any Error).self) { try await run(order) }
        order = bench.order("out.pdf")
        order.sources = ["virtual:fedeer"]
        await #expect(throws: HostError.self) { try await run(order) }
        #expect(bench.store.jobs().isEmpty)
        #expect(!bench.exists("out.pdf"))
    }

    @Test("When one sink fails, the other has the document, and the job is kept and resumes")
    func deliveryFails() async throws {
        let doomed = bench.folder + "/doomed"
        try FileManager.default.createDirectory(atPath: doomed, withIntermediateDirectories: true)
        let events = Events { event in
            if case .captured(let page, _) = event, page == 2 {
                try? FileManager.default.removeItem(atPath: doomed)
            }
        }
        let outcome = try await run(bench.order("doomed/out.pdf", "out.txt"), ScanControl(), events)
        #expect(outcome.failures.map(\.sink) == [doomed + "/out.pdf"])
        #expect(outcome.receipts.count == 1)
        let job = try bench.store.job(try #require(outcome.keptJob))
        #expect(job.pages == 4)

        let resumed = try await bench.service.resume(
            job, outputs: [bench.folder + "/again.pdf"], control: ScanControl()
        ) { _ in }
        #expect(resumed.receipts.map(\.pages) == [4])
        #expect(bench.exists("again.pdf"))
        #expect(bench.store.jobs().isEmpty)
    }

    @Test("A job that one process is using is refused to another")
    func twoAtOnce() async throws {
        let store = bench.store
        let service = bench.service
        let refused = Events()
        let events = Events { event in
            guard case .captured(let page, _) = event, page == 1, let job = store.jobs().first
            else { return }
            #expect(job.isRunning)
            #expect(throws: JobError.self) { try job.discard() }
            refused.take(event)
        }
        _ = try await run(bench.order("out.pdf"), ScanControl(), events)
        #expect(refused.all.count == 1)
        _ = service
    }

    @Test("A password is not written into the job's folder")
    func noSecretsOnDisk() {
        var order = bench.order("out.pdf")
        order.settings.append(.init(option: "password", value: "open sesame"))
        #expect(order.withoutSecrets.settings.map(\.option) == ["pages", "resolution"])
    }
}

/// A job that ended in a way the test did not expect.
private struct Failed: Error {
    let outcome: ScanOutcome
    init(_ outcome: ScanOutcome) { self.outcome = outcome }
}
