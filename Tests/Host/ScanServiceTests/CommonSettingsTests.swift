import CaptureHost
import CaptureKit
import Testing

@testable import ScanService

@Suite struct CommonSettingsTests {
    /// An option of a scanner, chosen by a test.
    private func option(_ name: String, _ type: OptionType, _ value: OptionValue? = nil)
        -> DeviceOption
    {
        DeviceOption(name: name, title: name, help: "", type: type, value: value)
    }

    private func choices(_ words: String...) -> OptionType { .choice(words) }

    struct Number: CustomTestStringConvertible, Sendable {
        var type: OptionType
        var asked: Double
        var taken: OptionValue?
        var testDescription: String { "\(asked) of \(type)" }
    }

    static let numberRows = [
        Number(type: .integerChoice([75, 150, 300]), asked: 333, taken: .integer(300)),
        Number(type: .integerChoice([75, 150, 300]), asked: 10, taken: .integer(75)),
        Number(type: .integerChoice([]), asked: 10, taken: nil),
        Number(type: .integer(range: 50...1200, step: nil), asked: 4800, taken: .integer(1200)),
        Number(type: .integer(range: 50...1200, step: 50), asked: 324, taken: .integer(300)),
        Number(type: .integer(range: 50...1190, step: 50), asked: 5000, taken: .integer(1150)),
        Number(type: .integer(range: nil, step: nil), asked: 7.6, taken: .integer(8)),
        Number(
            type: .integer(range: .min ... .max, step: 3), asked: 7, taken: .integer(.min)),
        Number(type: .number(range: 0...216, step: 0.5), asked: 10.3, taken: .number(10.5)),
        Number(type: .number(range: 0...216, step: nil), asked: 10.3, taken: .number(10.3)),
        Number(type: .number(range: 0...216, step: 50), asked: 999, taken: .number(200)),
        Number(type: .number(range: -100...100, step: 1), asked: .nan, taken: .number(-100)),
        Number(type: .toggle, asked: 1, taken: nil),
    ]

    @Test("The value nearest to a number is used", arguments: numberRows)
    func nearest(_ row: Number) {
        let taken = option("n", row.type).nearest(to: row.asked)
        #expect(taken == row.taken)
    }

    @Test("Every nearest value is one that the option accepts", arguments: 0..<200)
    func nearestIsLegal(_ seed: Int) {
        var generator = SplitMix(state: UInt64(seed))
        let low = Int.random(in: -1000...1000, using: &generator)
        let high = low + Int.random(in: 0...1000, using: &generator)
        let step = Int.random(in: 1...70, using: &generator)
        let asked = Double.random(in: -3000...3000, using: &generator)
        guard
            case .integer(let whole) = option("n", .integer(range: low...high, step: step))
                .nearest(to: asked)
        else {
            Issue.record("no whole number")
            return
        }
        #expect((low...high).contains(whole) && (whole - low) % step == 0)
        let inside = min(max(asked, Double(low)), Double(high))
        #expect(abs(Double(whole) - inside) <= Double(step))
    }

    @Test("A resolution that the device lacks is reported with the nearest")
    func resolution() throws {
        let options = [option("resolution", .integerChoice([75, 300]))]
        let steps = try CommonSettings(resolution: 333).steps(
            for: .resolution, in: options, of: "Desk")
        #expect(
            steps == [SettingStep(option: "resolution", value: .integer(300), asked: "333")])
        let exact = try CommonSettings(resolution: 300).steps(
            for: .resolution, in: options, of: "Desk")
        #expect(exact == [SettingStep(option: "resolution", value: .integer(300))])
    }

    @Test(
        "A sheet that is too large for the glass is reported as such, with those that fit",
        arguments: ["a4", "A4", "legal"])
    func tooLarge(sheet: String) {
        let options = [
            option("paper", choices("a6", "a5", "maximum")),
            option("area-width", .number(range: 0...200, step: nil)),
            option("area-height", .number(range: 0...250, step: nil)),
        ]
        let error = #expect(throws: HostError.self) {
            try CommonSettings(paper: sheet).steps(for: .paper, in: options, of: "Desk")
        }
        let text = error?.description ?? ""
        #expect(text.contains("200 × 250 mm") && text.contains(sheet.lowercased()), "\(text)")
        #expect(text.contains("a6, a5, maximum") && !text.contains("Did you mean"), "\(text)")
    }

    @Test("If a device lacks an option, the error lists those that it has")
    func absent() {
        let error = #expect(throws: HostError.self) {
            try CommonSettings(paper: "a4").steps(
                for: .paper, in: [option("mode", choices("gray"))], of: "Desk")
        }
        #expect(error?.code == .noSuchOption)
        #expect(error?.message.contains("'Desk'") == true)
        #expect(error?.message.contains("it has mode") == true)
    }

    struct Auto: CustomTestStringConvertible, Sendable {
        var choices: [String]
        var hasPaper: Bool?
        var taken: String?
        var testDescription: String { "\(choices) \(hasPaper.map { "\($0)" } ?? "no sensor")" }
    }

    static let automaticRows = [
        Auto(choices: ["flatbed", "feeder", "auto"], hasPaper: true, taken: "auto"),
        Auto(choices: ["flatbed"], hasPaper: nil, taken: "flatbed"),
        Auto(choices: ["flatbed", "feeder"], hasPaper: true, taken: "feeder"),
        Auto(choices: ["flatbed", "feeder"], hasPaper: false, taken: "flatbed"),
        Auto(choices: ["flatbed", "feeder"], hasPaper: nil, taken: nil),
    ]

    @Test(
        "The source auto is the device's own, or the only one, or chosen by its sensor",
        arguments: automaticRows)
    func automatic(_ row: Auto) throws {
        var options = [option("source", .choice(row.choices))]
        if let hasPaper = row.hasPaper {
            var sensor = option("page-loaded", .toggle, .bool(hasPaper))
            sensor.sensor = .paper
            options.append(sensor)
        }
        let settings = CommonSettings(source: "auto")
        guard let taken = row.taken else {
            #expect(throws: HostError.self) {
                try settings.steps(for: .source, in: options, of: "Desk")
            }
            return
        }
        let steps = try settings.steps(for: .source, in: options, of: "Desk")
        #expect(steps.map(\.value) == [.text(taken)])
    }

    @Test("A device with a single source needs no option for the source")
    func onlySource() throws {
        for word in ["flatbed", "auto"] {
            let steps = try CommonSettings(source: word).steps(
                for: .source, in: [], of: "Desk", sources: ["flatbed"])
            #expect(steps.isEmpty)
        }
        let error = #expect(throws: HostError.self) {
            try CommonSettings(source: "feeder").steps(
                for: .source, in: [], of: "Desk", sources: ["flatbed"])
        }
        #expect(error?.message.contains("only the source flatbed") == true)
    }

    private var sides: [DeviceOption] {
        [
            ("area-left", 0.0, 206.0), ("area-top", 0, 290), ("area-width", 10, 216),
            ("area-height", 10, 300),
        ]
        .map { option($0.0, .number(range: $0.1...$0.2, step: 0.5)) }
    }

    @Test("An area's corner is set before its size")
    func area() throws {
        let area = PlatenArea(x: 10.2, y: 20, width: 100, height: 50)
        let steps = try CommonSettings(area: area).steps(for: .area, in: sides, of: "Desk")
        #expect(steps.map(\.option) == ["area-left", "area-top", "area-width", "area-height"])
        #expect(steps.map(\.value) == [.number(10), .number(20), .number(100), .number(50)])
    }

    @Test("An area beyond the platen is refused with the platen's size")
    func areaBeyond() {
        let area = PlatenArea(x: 150, y: 20, width: 100, height: 50)
        let error = #expect(throws: HostError.self) {
            try CommonSettings(area: area).steps(for: .area, in: sides, of: "Desk")
        }
        #expect(error?.message.contains("216 × 300 mm") == true)
    }

    @Test(
        "Text that is not an area gives none",
        arguments: [
            "", "1,2,3", "1,2,3,4,5", "a,b,c,d", "1,2,0,4", "-1,0,5,5", "1,2,nan,4", "1,2,inf,4",
            ",,,",
        ])
    func noArea(_ text: String) {
        #expect(PlatenArea(text) == nil)
    }

    @Test("An area is read with and without spaces")
    func readArea() {
        #expect(
            PlatenArea("10, 20.5,100,150") == PlatenArea(x: 10, y: 20.5, width: 100, height: 150))
    }
}

/// A small generator with a seed (SplitMix64).
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
