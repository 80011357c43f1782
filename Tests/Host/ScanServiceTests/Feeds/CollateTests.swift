import CaptureHost
import CaptureKit
import FoundationEssentials
import JobOptions
import Synchronization
import Testing

@testable import ScanService

@Suite struct CollateTests {
    let bench: Bench

    init() throws { bench = try Bench() }

    private func order(_ settings: [String: String] = [:]) -> ScanOrder {
        var order = bench.order("out.json", settings: ["pages": "3"].merging(settings) { $1 })
        order.options[.collates] = true
        return order
    }

    /// A request in which the panel sets the feeder's sheets.
    private func panelOrder(_ settings: [String: String] = [:]) -> ScanOrder {
        var order = order(settings)
        order.settings.removeAll { $0.option == "pages" }
        return order
    }

    private var inOrder: [String] {
        (1...3).flatMap { ["sheet \($0), front", "sheet \($0), back"] }
    }

    @Test("Fronts, a turned stack and backs become one document in order")
    func collated() async throws {
        let asked = Mutex<[Int]>([])
        let control = ScanControl { fronts in asked.withLock { $0.append(fronts) } }
        let outcome = try await bench.service.run(order(), control: control) { _ in }
        #expect(asked.withLock { $0 } == [3])
        #expect(outcome.collated == .init(fronts: 3, backs: 3))
        #expect(try bench.labels("out.json") == inOrder)
        #expect(bench.store.jobs().isEmpty)
    }

    @Test("Fewer backs than fronts are reported, and every page is there")
    func uneven() async throws {
        let bench = bench
        try bench.put("paper", "3")
        let control = ScanControl { _ in try bench.put("paper", "2") }
        let outcome = try await bench.service.run(panelOrder(), control: control) { _ in }
        #expect(outcome.collated?.isEven == false)
        #expect(
            try bench.labels("out.json") == [
                "sheet 1, front", "sheet 2, front", "sheet 2, back", "sheet 3, front",
                "sheet 3, back",
            ])
    }

    @Test("A jam among the backs is continued among the backs")
    func jamInBacks() async throws {
        let bench = bench
        // Two fronts, and a turned stack of four sheets whose third jams, as if the feeder had
        // drawn in two sheets at once before.
        try bench.put("paper", "2")
        let control = ScanControl { _ in try bench.put("paper", "4") }
        let outcome = try await bench.service.run(
            panelOrder(["fault": "jam", "fault-page": "3"]), control: control
        ) { _ in }
        #expect(outcome.collated == .init(fronts: 2, backs: 2))
        #expect(outcome.continuation?.interruption.code == "jammed")
        #expect(outcome.continuation?.interruption.next == nil)
        try bench.put("paper", "1")
        let further = try await bench.service.append(
            to: bench.store.continuable(nil),
            ScanOrder.Change(settings: [.init(option: "fault", value: "none")]),
            control: ScanControl { _ in Issue.record("the stack is turned already") }
        ) { _ in }
        #expect(further.collated == .init(fronts: 2, backs: 3))
        #expect(
            try bench.labels("out.json").last == "a back without a front")
    }

    @Test("A jam among the fronts is continued among the fronts, and then the stack is turned")
    func jamInFronts() async throws {
        let first = try await bench.service.run(
            order(["fault": "jam", "fault-page": "2"]), control: ScanControl { _ in }
        ) { _ in }
        #expect(first.continuation?.interruption.next == NextSheet(sheet: 2))
        #expect(try bench.labels("out.json") == ["sheet 1, front"])
        let bench = bench
        let asked = Mutex<[Int]>([])
        let turning = ScanControl { fronts in
            asked.withLock { $0.append(fronts) }
        }
        let outcome = try await bench.service.append(
            to: bench.store.continuable(nil),
            ScanOrder.Change(settings: [
                .init(option: "fault", value: "none"), .init(option: "pages", value: "2"),
            ]), control: turning
        ) { _ in }
        #expect(asked.withLock { $0 } == [3])
        #expect(outcome.collated == .init(fronts: 3, backs: 2))
        #expect(try bench.labels("out.json") == inOrder.filter { $0 != "sheet 1, back" })
    }

    @Test("Stopping at the question keeps the fronts, and the backs can be added")
    func stoppedAtTheQuestion() async throws {
        let box = Mutex<ScanControl?>(nil)
        let control = ScanControl { _ in
            box.withLock { $0 }?.stop()
            try await Task.sleep(for: .seconds(600))
        }
        box.withLock { $0 = control }
        let outcome = try await bench.service.run(order(), control: control) { _ in }
        guard case .stopped = outcome.ending else { throw Unexpected(outcome) }
        #expect(try bench.labels("out.json") == (1...3).map { "sheet \($0), front" })
        #expect(outcome.continuation?.interruption.next == NextSheet(sheet: 3, isTurned: true))
        let further = try await bench.service.append(
            to: bench.store.continuable(nil), ScanOrder.Change(), control: ScanControl { _ in }
        ) { _ in }
        #expect(further.collated == .init(fronts: 3, backs: 3))
        #expect(try bench.labels("out.json") == inOrder)
    }

    @Test("A host that ends between the passes leaves a job that resumes in order")
    func killedBetween() async throws {
        let events = Events()
        let outcome = try await bench.service.run(
            order(["fault": "jam", "fault-page": "3"]), control: ScanControl { _ in }
        ) { events.take($0) }
        let job = try bench.store.job(try #require(outcome.continuation?.job))
        let again = bench.folder + "/again.json"
        _ = try await bench.service.resume(job, outputs: [again], control: ScanControl()) { _ in }
        #expect(try bench.labels("again.json") == ["sheet 1, front", "sheet 2, front"])
    }

    @Test("If nobody can be asked, nothing is scanned")
    func nobody() async throws {
        let error = await #expect(throws: JobError.self) {
            try await bench.service.run(order(), control: ScanControl()) { _ in }
        }
        #expect(error?.code == .nobodyToAsk)
        #expect(bench.store.jobs().isEmpty && !bench.exists("out.json"))
    }

    @Test(
        "A source that scans both sides, or no feeder, is refused",
        arguments: ["feeder-duplex", "flatbed", "auto"])
    func wrongSource(_ source: String) async throws {
        var order = order()
        order.common.source = source
        let outcome = try await bench.service.run(order, control: ScanControl { _ in }) { _ in }
        guard case .deviceFailed(let error) = outcome.ending else { throw Unexpected(outcome) }
        #expect((error as? HostError)?.code == .invalidValue)
        #expect(bench.store.jobs().isEmpty)
    }

    @Test("If the backs begin when paper is present, no question is needed")
    func waiting() async throws {
        let bench = bench
        var order = order()
        order.settings.removeAll { $0.option == "pages" }
        order.options[.waitsForPaper] = true
        let state = Mutex(0)
        try bench.put("paper", "2")
        bench.clock.onSleep { [weak bench] _ in
            let sleeps = state.withLock { sleeps in
                sleeps += 1
                return sleeps
            }
            // The open feeder has ten sheets already, which must be removed before the turned stack
            // counts.
            if sleeps == 3 { try? bench?.put("paper", "0") }
            if sleeps == 9 { try? bench?.put("paper", "2") }
        }
        let outcome = try await bench.service.run(order, control: ScanControl()) { _ in }
        #expect(outcome.collated == .init(fronts: 2, backs: 2))
    }
}
