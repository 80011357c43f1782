import CaptureHost
import Delivery
import Documents
import JobOptions
import Synchronization
import Testing

@testable import ScanService

/// Tests captures that are requested one by one and become one document.
@Suite struct RepeatedFeedTests {
    let bench: Bench

    init() throws { bench = try Bench() }

    private func order(from device: String = "virtual:flatbed", limit: Int? = nil) -> ScanOrder {
        var order = ScanOrder(
            sources: [device], outputs: [bench.folder + "/out.json"], profile: "none",
            settings: [.init(option: "resolution", value: "75")], limit: limit)
        order.options[.asksForMore] = true
        return order
    }

    /// A control that answers questions one after another, and records them.
    private func answering(
        _ answers: [Bool], before: @escaping @Sendable (Int) throws -> Void = { _ in }
    ) -> (control: ScanControl, asked: @Sendable () -> [Int]) {
        let asked = Box([Int]())
        let control = ScanControl()
        control.onEnd { pages in
            let number = asked.value.withLock { asked in
                asked.append(pages)
                return asked.count
            }
            guard number <= answers.count else {
                Issue.record("asked once more than there are answers")
                return false
            }
            try before(number)
            return answers[number - 1]
        }
        return (control, { asked.value.withLock { $0 } })
    }

    private final class Box<Value: Sendable>: Sendable {
        let value: Mutex<Value>
        init(_ value: Value) { self.value = Mutex(value) }
    }

    @Test("A flatbed's pages become one document, until there is no further sheet")
    func pageByPage() async throws {
        let (control, asked) = answering([true, true, false])
        let outcome = try await bench.service.run(order(), control: control) { _ in }
        #expect(asked() == [1, 2, 3])
        #expect(outcome.pages.map(\.page.number) == [1, 2, 3])
        #expect(outcome.receipts.map(\.pages) == [3])
        #expect(outcome.continuation == nil)
        #expect(bench.store.jobs().isEmpty)
    }

    @Test("If nobody is asked, the first capture is the whole document")
    func nobody() async throws {
        let outcome = try await bench.service.run(order(), control: ScanControl()) { _ in }
        #expect(outcome.receipts.map(\.pages) == [1])
    }

    @Test(
        "The limit of pages counts for all captures together, and nothing is asked after the last")
    func limit() async throws {
        let (control, asked) = answering([true])
        let outcome = try await bench.service.run(order(limit: 2), control: control) { _ in }
        #expect(asked() == [1])
        #expect(outcome.pages.count == 2)
    }

    @Test(
        "Sheets of several stacks are counted continuously; an empty feeder asks once more"
    )
    func stacks() async throws {
        let bench = bench
        try bench.put("paper", "2")
        let (control, asked) = answering([true, true, false]) { number in
            try bench.put("paper", number == 2 ? "1" : "0")
        }
        let outcome = try await bench.service.run(
            order(from: "virtual:feeder"), control: control
        ) { _ in }
        #expect(asked() == [2, 2, 3])
        #expect(outcome.receipts.map(\.pages) == [3])
        #expect(try bench.labels("out.json") == ["sheet 1", "sheet 2", "sheet 3"])
    }

    @Test("A job that is stopped while it asks delivers its pages, and can be continued")
    func stopped() async throws {
        let control = ScanControl()
        control.onEnd { pages in
            if pages == 1 { return true }
            control.stop()
            try Task.checkCancellation()
            return true
        }
        let outcome = try await bench.service.run(order(), control: control) { _ in }
        #expect(outcome.receipts.map(\.pages) == [2])
        let job = try bench.store.continuable(nil)
        #expect(outcome.continuation?.job == job.id)
        let (further, asked) = answering([false])
        let whole = try await bench.service.append(to: job, .init(), control: further) { _ in }
        #expect(asked() == [3])
        #expect(whole.receipts.map(\.pages) == [3])
    }
}
