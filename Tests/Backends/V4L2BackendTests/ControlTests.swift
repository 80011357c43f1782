import CV4L2
import CaptureKit
import ContractSupport
import Testing

@testable import V4L2Backend

/// A camera's controls as options.
@Suite struct ControlTests {
    private func camera(_ double: CameraDouble) async throws -> any CaptureDevice {
        try await V4L2Backend(folder: double.nodes).open(double.node())
    }

    private func double() throws -> CameraDouble {
        try CameraDouble([["GREY-8x6@30.bin": Clips.raw(48) { $1 }]])
    }

    @Test("Every kind of control is an option, except one with several values", .needsCamera)
    func kinds() async throws {
        let double = try double()
        let options = try await camera(double).options()
        func option(_ name: String) throws -> DeviceOption {
            try #require(options.first { $0.name == name }, "\(name)")
        }
        #expect(try option("brightness").type == .integer(range: -64...64, step: nil))
        #expect(try option("brightness").value == .integer(0))
        #expect(try option("white-balance-auto").type == .toggle)
        #expect(try option("white-balance-auto").value == .bool(true))
        #expect(try option("do-white-balance").type == .button)
        #expect(try option("do-white-balance").value == nil)
        #expect(
            try option("power-line-frequency").type == .choice(["Disabled", "50 Hz", "60 Hz"]))
        // A menu with gaps has only the existing entries.
        #expect(
            try option("exposure-auto").type == .choice(["Manual Mode", "Aperture Priority Mode"]))
        #expect(try option("iso-sensitivity").type == .integerChoice([100, 200, 400, 800]))
        #expect(try option("iso-sensitivity").value == .integer(200))
        #expect(try option("focus").type == .integer(range: 0...250, step: 5))
        let rate = try option("pixel-rate")
        #expect(rate.isReadOnly)
        #expect(rate.value == .integer(5_000_000_000))
        #expect(try option("exposure").group == "Camera Controls")
        #expect(try option("gain").group == "User Controls")
    }

    @Test(
        "An automatic control becomes manual when its value is set", .needsCamera,
        arguments: [
            ("exposure", 500, "exposure-auto", OptionValue.text("Manual Mode")),
            ("focus", 100, "focus-auto", .bool(false)),
            ("white-balance", 5000, "white-balance-auto", .bool(false)),
        ])
    func governed(_ name: String, _ value: Int, _ governor: String, _ manual: OptionValue)
        async throws
    {
        let double = try double()
        let camera = try await camera(double)
        let before = try await camera.options()
        #expect(before.first { $0.name == governor }?.value != manual)
        #expect(before.first { $0.name == name }?.isActive == true)
        let outcome = try await camera.set(name, to: .integer(value))
        #expect(outcome == OptionOutcome(value: .integer(value), reloadOptions: true))
        let after = try await camera.options()
        #expect(after.first { $0.name == name }?.value == .integer(value))
        #expect(after.first { $0.name == governor }?.value == manual)
        // If the control is already manual, nothing else changes.
        let again = try await camera.set(name, to: .integer(value + 5))
        #expect(again == OptionOutcome(value: .integer(value + 5)))
    }

    @Test("A control without an automatic one changes alone", .needsCamera)
    func alone() async throws {
        let double = try double()
        let camera = try await camera(double)
        #expect(
            try await camera.set("gain", to: .integer(30)) == OptionOutcome(value: .integer(30)))
        let after = try await camera.options()
        #expect(
            after.first { $0.name == "exposure-auto" }?.value == .text("Aperture Priority Mode"))
        #expect(try await camera.set("do-white-balance", to: .bool(true)).reloadOptions == false)
    }

    @Test(
        "A value that a control does not accept is refused", .needsCamera,
        arguments: [
            ("brightness", OptionValue.integer(65)), ("brightness", .text("bright")),
            ("focus", .integer(7)), ("exposure-auto", .text("Auto")),
            ("iso-sensitivity", .integer(150)), ("white-balance-auto", .integer(1)),
            ("pixel-rate", .integer(1)), ("rate", .number(1000)), ("rate", .text("fast")),
            ("size", .text("9x9")), ("still-size", .integer(9)), ("format", .text("H264")),
            ("warm-up", .number(-1)), ("warm-up", .number(.nan)),
        ])
    func refused(_ name: String, _ value: OptionValue) async throws {
        let double = try double()
        let camera = try await camera(double)
        await #expect { _ = try await camera.set(name, to: value) } throws: { error in
            (error as? CaptureError)?.code == .invalidValue
        }
    }

    @Test(
        "Well-known controls have names that no kernel changes",
        arguments: [
            (V4L2_CID_EXPOSURE_ABSOLUTE, "Exposure (Absolute)", "exposure"),
            (V4L2_CID_EXPOSURE_ABSOLUTE, "Exposure Time, Absolute", "exposure"),
            (V4L2_CID_FOCUS_AUTO, "Focus, Auto", "focus-auto"),
            (0x0800_0000, "LED1 Mode (2)", "led1-mode-2"), (0x0800_0001, "  ", "control-8000001"),
            (0x0800_0002, "Größe", "gr-e"), (0x0800_0003, "---", "control-8000003"),
        ])
    func names(_ id: Int32, _ title: String, _ expected: String) {
        #expect(ControlNames.name(UInt32(id), title: title) == expected)
    }

    @Test("Values of a control and of its option convert back and forth")
    func values() {
        let entries = [
            CameraControl.Entry(value: 1, name: "one", number: 100),
            CameraControl.Entry(value: 3, name: "three", number: 300),
        ]
        let kinds: [(CameraControl.Kind, OptionValue, Int64)] = [
            (.toggle, .bool(true), 1), (.integer(-9...9, step: 3, isWide: false), .integer(-3), -3),
            (.menu(entries), .text("three"), 3), (.numberMenu(entries), .integer(100), 1),
        ]
        for (kind, option, value) in kinds {
            let control = CameraControl(
                id: 1, name: "", title: "", group: "", kind: kind, standard: 0, flags: 0)
            #expect(control.value(for: option) == value)
            #expect(control.option(for: value) == option)
        }
    }
}
