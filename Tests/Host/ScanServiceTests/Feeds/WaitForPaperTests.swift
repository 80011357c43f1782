import CaptureHost
import CaptureKit
import FoundationEssentials
import JobOptions
import Testing

@testable import ScanService

@Suite struct WaitForPaperTests {
    let bench: Bench

    init() throws { bench = try Bench() }

    private func order(_ settings: [String: String] = [:]) -> ScanOrder {
        var order = bench.order("out.json", settings: ["pages": "0"].merging(settings) { $1 })
        order.options[.waitsForPaper] = true
        return order
    }

    @Test(
        "Scanning begins once the sensor reports paper, or the feeder delivers some",
        arguments: ["yes", "no"])
    func waits(_ sensor: String) async throws {
        let bench = bench
        bench.clock.onSleep { [weak bench] slept in
            if slept >= .seconds(60) { try? bench?.put("paper", "2") }
        }
        let outcome = try await bench.service.run(
            order(["paper-sensor": sensor]), control: ScanControl()
        ) { _ in }
        guard case .completed = outcome.ending else { throw Unexpected(outcome) }
        #expect(try bench.labels("out.json") == ["sheet 1", "sheet 2"])
        #expect(bench.store.jobs().isEmpty)
    }

    @Test("Paper that is already there is scanned immediately")
    func atOnce() async throws {
        let bench = bench
        bench.clock.onSleep { _ in Issue.record("it waited") }
        let outcome = try await bench.service.run(order(["pages": "1"]), control: ScanControl()) {
            _ in
        }
        #expect(outcome.pages.count == 1)
    }

    @Test("A stop ends the wait, and leaves nothing", arguments: ["yes", "no"])
    func stopped(_ sensor: String) async throws {
        let control = ScanControl()
        bench.clock.onSleep { slept in if slept >= .seconds(5) { control.stop() } }
        let outcome = try await bench.service.run(
            order(["paper-sensor": sensor]), control: control
        ) { _ in }
        guard case .stopped = outcome.ending else { throw Unexpected(outcome) }
        #expect(outcome.pages.isEmpty && bench.store.jobs().isEmpty && !bench.exists("out.json"))
    }

    @Test("Waiting for paper on a glass is refused")
    func flatbed() async throws {
        var onGlass = order()
        onGlass.common.source = "flatbed"
        let outcome = try await bench.service.run(onGlass, control: ScanControl()) { _ in }
        guard case .deviceFailed(let error) = outcome.ending else { throw Unexpected(outcome) }
        #expect((error as? HostError)?.code == .invalidValue)
    }

    @Test("A waiting job fails with its device's error when the device disappears")
    func unplugged() async throws {
        let bench = bench
        bench.clock.onSleep { [weak bench] _ in try? bench?.put("unplugged") }
        let outcome = try await bench.service.run(order(), control: ScanControl()) { _ in }
        guard case .deviceFailed(let error) = outcome.ending else { throw Unexpected(outcome) }
        #expect((error as? HostError)?.code == HostError.Code(.offline))
    }
}
