import CaptureKit
import ContractSupport
import FoundationEssentials
import Glibc
import Testing

@testable import SANEBackend

/// Tests options that are sensors, with the option lists of real drivers.
@Suite struct SensorTests {
    private func names(_ sensor: OptionSensor, _ options: [DeviceOption]) -> [String] {
        options.filter { $0.sensor == sensor }.map(\.name).sorted()
    }

    private func saysYes(_ option: DeviceOption) -> Bool {
        ![nil, .bool(false), .integer(0)].contains(option.value)
    }

    @Test("The test has the sensors of at least eight drivers")
    func count() { #expect(Set(SensorListing.all.map(\.driver)).count >= 8) }

    @Test("Buttons, paper and covers are known by their names", arguments: SensorListing.all)
    func sorts(_ driver: SensorListing) {
        let options = OptionPlan(Listing(driver.listing).options, deviceType: "").options
        #expect(names(.button, options) == driver.buttons.sorted())
        #expect(names(.paper, options) == driver.paper.sorted())
        #expect(names(.cover, options) == driver.covers.sorted())
        for option in options where option.sensor != nil { #expect(option.isReadOnly) }
    }

    @Test("A sensor's value is on only while it senses something", arguments: SensorListing.all)
    func values(_ driver: SensorListing) {
        let options = OptionPlan(Listing(driver.listing).options, deviceType: "").options
        let tripped = options.filter { $0.sensor != nil && saysYes($0) }.map(\.name)
        #expect(tripped.sorted() == driver.tripped.sorted())
    }

    @Test("A settable option is not a sensor, whatever its name")
    func settable() {
        let listing = Listing("--scan[=(yes|no)] [yes]\n--page-loaded[=(yes|no)] [yes]")
        #expect(listing.options.all.allSatisfy { $0.sensor == nil })
    }
}

extension SANETests {
    /// Tests the sensors of a running driver: every reading of the options reads the sensors again.
    @Suite(.serialized) struct SensorReadingTests {
        private func touch(_ path: String, _ text: String = "") throws {
            try Data(text.utf8).write(to: URL(filePath: path))
        }

        private func value(_ name: String, _ device: any CaptureDevice) async throws -> OptionValue?
        {
            try await device.options().first { $0.name == name }?.value
        }

        @Test("Paper is sensed, counted during the scan, and gone after the last sheet")
        func paper() async throws {
            let setup = try SANESetup.shared.get()
            let folder = try TemporaryFolder()
            let paper = folder.file("paper")
            let device = try await setup.open("fault:clean", "paper \(paper)\n")
            #expect(try await value("page-loaded", device) == .bool(false))
            let error = await #expect(throws: CaptureError.self) {
                try await device.capture(CaptureRequest(), into: RecordingSink())
            }
            #expect(error?.code == .feederEmpty)
            try touch(paper, "3")
            #expect(try await value("page-loaded", device) == .bool(true))
            let first = RecordingSink()
            try await device.capture(CaptureRequest(limit: 1), into: first)
            #expect(try await value("page-loaded", device) == .bool(true))
            let rest = RecordingSink()
            try await device.capture(CaptureRequest(), into: rest)
            #expect(first.frames.count + rest.frames.count == 3)
            #expect(try await value("page-loaded", device) == .bool(false))
            await device.close()
        }

        @Test("A button's press is reported once, even after another setting was changed")
        func button() async throws {
            let setup = try SANESetup.shared.get()
            let folder = try TemporaryFolder()
            let button = folder.file("button")
            let cover = folder.file("cover")
            let device = try await setup.open("fault:clean", "button \(button)\ncover \(cover)\n")
            #expect(try await value("scan", device) == .bool(false))
            try touch(button)
            #expect(try await value("scan", device) == .bool(true))
            #expect(try await value("scan", device) == .bool(false))
            try touch(button)
            // The driver asks to reread its options, which resets the press.
            _ = try await device.set("page-height", to: .number(200))
            #expect(access(button, F_OK) != 0)
            #expect(try await value("scan", device) == .bool(true))
            #expect(try await value("scan", device) == .bool(false))
            try touch(cover)
            #expect(try await value("cover-open", device) == .bool(true))
            #expect(try await value("cover-open", device) == .bool(true))
            unlink(cover)
            #expect(try await value("cover-open", device) == .bool(false))
            await device.close()
        }

        @Test("A feeder with twenty sheets gives forty pages in duplex")
        func twenty() async throws {
            let setup = try SANESetup.shared.get()
            let device = try await setup.open("fault:clean", "sheets 20\n")
            _ = try await device.set("source", to: .text("feeder-duplex"))
            let sink = RecordingSink()
            try await device.capture(CaptureRequest(), into: sink)
            #expect(sink.frames.count == 40)
            #expect(sink.frames.last?.description.label == "sheet 20, back")
            await device.close()
        }
    }
}
