import CaptureKit
import ContractSupport
import Testing

@testable import CaptureHost

@Suite struct OptionTests {
    private static func option(_ type: OptionType, unit: OptionUnit? = nil) -> DeviceOption {
        DeviceOption(name: "o", title: "O", help: "", type: type, unit: unit)
    }

    @Test(
        "Text becomes a value of the option's type",
        arguments: [
            ("yes", OptionType.toggle, OptionValue.bool(true)), ("OFF", .toggle, .bool(false)),
            ("300", .integer(range: 75...600, step: nil), .integer(300)),
            ("-5", .integer(range: nil, step: nil), .integer(-5)),
            ("80", .integer(range: 70...100, step: 5), .integer(80)),
            ("300", .integerChoice([75, 300]), .integer(300)),
            ("1.5", .number(range: 0...2, step: 0.1), .number(1.5)),
            ("2", .number(range: nil, step: nil), .number(2)),
            ("color", .choice(["Gray", "Color"]), .text("Color")),
            ("abc", .text(maximumLength: 3), .text("abc")),
            ("", .text(maximumLength: nil), .text("")),
            ("now", .button, .bool(true)),
        ])
    func parses(_ text: String, _ type: OptionType, _ value: OptionValue) throws {
        #expect(try OpenDevice.parse(text, for: Self.option(type)) == value)
    }

    @Test(
        "The error for invalid text lists the valid values",
        arguments: [
            ("maybe", OptionType.toggle, "yes or no"),
            ("1200", .integer(range: 75...600, step: nil), "from 75 to 600 dpi, not 1200"),
            ("81", .integer(range: 70...100, step: 5), "in steps of 5"),
            ("ten", .integer(range: nil, step: nil), "a whole number"),
            ("99999999999999999999", .integer(range: nil, step: nil), "a whole number"),
            ("-9223372036854775808", .integer(range: 1...9, step: 3), "a whole number"),
            ("301", .integerChoice([75, 300]), "one of 75, 300 dpi, not 301"),
            ("1.55", .number(range: 0...2, step: 0.1), "in steps of 0.1"),
            ("nan", .number(range: nil, step: nil), "a number"),
            ("inf", .number(range: nil, step: nil), "a number"),
            ("Colr", .choice(["Gray", "Color"]), "Did you mean 'Color'?"),
            ("a", .choice(["A", "a "]), "one of A, a "),
            ("abcd", .text(maximumLength: 3), "at most 3 bytes"),
        ])
    func refuses(_ text: String, _ type: OptionType, _ words: String) throws {
        if text == "a" {
            #expect(try OpenDevice.parse(text, for: Self.option(type)) == .text("A"))
            return
        }
        #expect {
            _ = try OpenDevice.parse(text, for: Self.option(type, unit: .dpi))
        } throws: {
            ($0 as? HostError)?.code == .invalidValue
                && ($0 as? HostError)?.description.contains(words) == true
        }
    }

    @Test("A value that an option does not accept is never sent to the device")
    func checkedFirst() async throws {
        let bench = try Bench(FakeBackend())
        let device = try await bench.open()
        for (name, value, words) in [
            ("moed", OptionValue.text("Gray"), "Did you mean 'mode'?"),
            ("mode", .text("Grai"), "Did you mean 'Gray'?"), ("lamp", .bool(false), "is read-only"),
            ("pages", .integer(10), "from 1 to 9"), ("pages", .text("3"), "not '3'"),
        ] {
            await #expect {
                _ = try await device.set(name, to: value)
            } throws: { ($0 as? HostError)?.description.contains(words) == true }
        }
        #expect(try await device.set("pages", to: .number(2)).value == .integer(2))
        #expect(await bench.capture(device).pages.count == 2)
        await bench.host.shutdown()
    }
}
