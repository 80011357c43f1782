import CaptureKit
import Testing

@testable import VirtualBackend

@Suite struct OptionTests {
    @Test("The devices have options of every kind")
    func kinds() async throws {
        let options =
            try await Bench().device("feeder").options() + Bench().device("camera").options()
        func has(_ isIt: (DeviceOption) -> Bool) -> Bool { options.contains(where: isIt) }
        #expect(has { $0.type == .toggle })
        #expect(has { if case .integer = $0.type { true } else { false } })
        #expect(has { if case .number = $0.type { true } else { false } })
        #expect(has { if case .integerChoice = $0.type { true } else { false } })
        #expect(has { if case .text = $0.type { true } else { false } })
        #expect(has { if case .choice = $0.type { true } else { false } })
        #expect(has { $0.type == .button })
        #expect(has { $0.isReadOnly })
        #expect(has { $0.isAdvanced })
        #expect(has { !$0.isActive })
        #expect(
            Set(options.compactMap(\.unit)).isSuperset(of: [.millimeters, .dpi, .percent, .bits]))
    }

    @Test(
        "Every option accepts its own current value",
        arguments: ["flatbed", "feeder", "camera"])
    func defaults(_ id: String) async throws {
        for option in try await Bench().device(id).options() where !option.isReadOnly {
            #expect(option.value == option.defaultValue)
            guard let value = option.value, option.isActive else { continue }
            #expect(try option.accepting(value) == value)
        }
    }

    @Test(
        "Values that an option does not accept are refused and change nothing",
        arguments: [
            ("mode", .text("grai")), ("mode", .integer(1)), ("resolution", .integer(1200)),
            ("resolution", .integer(10)), ("resolution", .text("300")),
            ("resolution", .integer(290)), ("area-left", .number(-1)),
            ("area-left", .number(3.3)), ("brightness", .number(-12.4)), ("depth", .integer(15)),
            ("fault-page", .number(2.2)),
            ("area-width", .number(400)), ("area-left", .number(.nan)),
            ("area-left", .number(.infinity)),
            ("mirror", .integer(1)), ("brightness", .number(101)), ("fault-page", .integer(0)),
            ("fault-page", .number(1e300)), ("pages", .integer(.max)),
            ("page-loaded", .bool(false)),
            ("folder", .text("/nowhere/at/all")),
            ("folder", .text(String(repeating: "a", count: 5000))),
            ("folder", .text("a\0b")), ("threshold", .integer(9)),
        ] as [(String, OptionValue)])
    func refused(_ name: String, _ value: OptionValue) async throws {
        let device = try await Bench().device("feeder")
        let before = try await device.options()
        let error = await #expect(throws: CaptureError.self) {
            try await device.set(name, to: value)
        }
        #expect(error?.code == .invalidValue)
        #expect(error?.message.contains(name == "folder" ? "'" : "'\(name)'") == true)
        #expect(try await device.options() == before)
    }

    @Test("The error for an unknown option lists the existing ones")
    func unknown() async throws {
        let error = await #expect(throws: CaptureError.self) {
            try await Bench().device("flatbed").set("gamma", to: .integer(2))
        }
        #expect(error?.code == .noSuchOption)
        #expect(error?.advice?.contains("resolution") == true)
    }

    @Test("Bilevel makes the depth inactive, and reports changed options")
    func inactive() async throws {
        let device = try await Bench().device("flatbed")
        #expect(try await device.option("depth")?.isActive == true)
        #expect(try await device.set("mode", to: .text("bilevel")).reloadOptions)
        #expect(try await device.option("depth")?.isActive == false)
        #expect(try await device.option("threshold")?.isActive == true)
        let error = await #expect(throws: CaptureError.self) {
            try await device.set("depth", to: .integer(16))
        }
        #expect(error?.code == .invalidValue)
        #expect(error?.message.contains("bilevel") == true)
        #expect(try await device.set("mode", to: .text("gray")).reloadOptions)
        #expect(try await device.option("depth")?.isActive == true)
        #expect(try await device.set("mode", to: .text("color")).reloadOptions == false)
    }

    @Test("The scanned area stays on the glass: the last set value wins")
    func area() async throws {
        let device = try await Bench().device("flatbed")
        #expect(try await device.set("area-left", to: .number(100)).reloadOptions)
        #expect(try await device.option("area-width")?.value == .number(116))
        #expect(try await device.set("area-width", to: .number(216)).reloadOptions)
        #expect(try await device.option("area-left")?.value == .number(0))
        #expect(try await device.set("area-top", to: .number(3)).reloadOptions == false)
        #expect(try await device.set("area-top", to: .number(3.5)).reloadOptions)
        #expect(try await device.option("area-height")?.value == .number(296.5))
    }

    @Test("The button has no value and increases its counter")
    func button() async throws {
        let device = try await Bench().device("camera")
        #expect(try await device.option("calibrate")?.value == nil)
        #expect(try await device.option("calibrations")?.value == .integer(0))
        let outcome = try await device.set("calibrate", to: .bool(true))
        #expect(outcome == OptionOutcome(value: nil, reloadOptions: true))
        #expect(try await device.option("calibrations")?.value == .integer(1))
    }

    @Test("The sensor reports whether the feeder has paper")
    func sensor() async throws {
        let device = try await Bench().device("feeder")
        #expect(try await device.option("page-loaded")?.value == .bool(true))
        #expect(try await device.set("pages", to: .integer(0)).reloadOptions)
        #expect(try await device.option("page-loaded")?.value == .bool(false))
        #expect(try await device.set("pages", to: .integer(2)).reloadOptions)
        _ = try await device.set("resolution", to: .integer(75))
        try await device.capture(CaptureRequest(limit: 1), into: RecordingSink())
        #expect(try await device.option("page-loaded")?.value == .bool(true))
        try await device.capture(CaptureRequest(), into: RecordingSink())
        #expect(try await device.option("page-loaded")?.value == .bool(false))
    }

    @Test("A folder makes resolution, geometry and the number of pages inactive")
    func folder() async throws {
        let folder = try TemporaryFolder()
        try folder.writeGray("a.pgm", width: 8, height: 8, 9)
        let device = try await Bench().device("feeder")
        #expect(try await device.set("folder", to: .text(folder.path)).reloadOptions)
        let inactive = try await device.options().filter { !$0.isActive }.map(\.name)
        #expect(
            Set(inactive) == [
                "threshold", "resolution", "paper", "area-left", "area-top", "area-width",
                "area-height", "pages",
            ])
        #expect(try await device.set("folder", to: .text("")).reloadOptions)
        #expect(try await device.option("resolution")?.isActive == true)
    }

    @Test(
        "A paper's name sets the area, and the area names its paper",
        arguments: [
            ("a5", 148.0, 210.0), ("letter", 216, 279.5), ("card", 85.5, 54),
            ("maximum", 216, 300),
        ])
    func paper(_ name: String, _ width: Double, _ height: Double) async throws {
        let device = try await Bench().device("flatbed")
        _ = try await device.set("area-left", to: .number(4))
        #expect(try await device.set("paper", to: .text(name)).reloadOptions)
        #expect(try await device.option("area-left")?.value == .number(0))
        #expect(try await device.option("area-width")?.value == .number(width))
        #expect(try await device.option("area-height")?.value == .number(height))
        #expect(try await device.option("paper")?.value == .text(name))
        _ = try await device.set("area-height", to: .number(50))
        #expect(try await device.option("paper")?.value == .text("custom"))
    }

    @Test("The source 'auto' uses the feeder while it has paper, and then the glass")
    func auto() async throws {
        let device = try await Bench().device("feeder")
        for (name, value) in [
            ("source", OptionValue.text("auto")), ("pages", .integer(2)),
            ("resolution", .integer(75)),
        ] {
            _ = try await device.set(name, to: value)
        }
        let (stack, glass) = (RecordingSink(), RecordingSink())
        try await device.capture(CaptureRequest(), into: stack)
        try await device.capture(CaptureRequest(), into: glass)
        #expect(stack.frames.count == 2)
        #expect(glass.frames.count == 1)
    }
}
