import CaptureHost
import CaptureKit
import Testing

@testable import ScanService

/// Tests settings that are tried on a device without a scan.
@Suite struct OptionTrialTests {
    let bench: Bench

    init() throws { bench = try Bench() }

    private func trial(
        _ settings: [(String, String)], common: CommonSettings = .init(),
        of name: String = "virtual:feeder"
    ) async throws -> OptionTrial {
        try await bench.service.trial(
            of: bench.host.find(name), common: common,
            settings: settings.map { .init(option: $0.0, value: $0.1) })
    }

    private func value(_ name: String, _ trial: OptionTrial) -> OptionValue? {
        trial.options.first { $0.name == name }?.value
    }

    @Test(
        "Accepted settings are reported with the device's values, and every mistake by its option")
    func mistakes() async throws {
        let trial = try await trial([
            ("brightness", "20"), ("contrast", "2000"), ("nothing", "1"), ("mirror", "perhaps"),
            ("fault-page", "7"),
        ])
        #expect(trial.faults.map(\.option) == ["contrast", "nothing", "mirror"])
        #expect(trial.faults.map(\.error.code) == [.invalidValue, .noSuchOption, .invalidValue])
        #expect(value("brightness", trial) == .integer(20))
        #expect(value("fault-page", trial) == .integer(7))
        #expect(value("contrast", trial) == .integer(0))
    }

    @Test("Common settings come first, and one that the device lacks is reported without an option")
    func common() async throws {
        let fine = try await trial([], common: CommonSettings(source: "feeder-duplex"))
        #expect(fine.faults.isEmpty && value("source", fine) == .text("feeder-duplex"))
        let wrong = try await trial([("mirror", "yes")], common: CommonSettings(mode: "sepia"))
        #expect(wrong.faults.map(\.option) == [nil])
        #expect(value("mirror", wrong) == .bool(true))
    }

    @Test("No button is pressed, nothing stays set, and the device is free for others again")
    func leavesNothing() async throws {
        let pressed = try await trial([("calibrate", "yes"), ("mirror", "yes")])
        #expect(pressed.faults.isEmpty && value("calibrations", pressed) == .integer(0))
        let after = try await trial([])
        #expect(value("mirror", after) == .bool(false))
    }
}
