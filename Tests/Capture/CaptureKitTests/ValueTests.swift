import FoundationEssentials
import Testing

@testable import CaptureKit

@Suite struct ValueTests {
    @Test(
        "An option's type is the same after encoding and decoding",
        arguments: [
            OptionType.toggle, .button, .integer(range: nil, step: nil),
            .integer(range: -5...5, step: 5), .number(range: 0.1...0.5, step: 0.1),
            .number(range: nil, step: nil), .integerChoice([75, 150]), .choice(["a", "b"]),
            .text(maximumLength: 10), .text(maximumLength: nil),
        ])
    func roundTrip(_ type: OptionType) throws {
        let data = try JSONEncoder().encode(type)
        #expect(try JSONDecoder().decode(OptionType.self, from: data) == type)
    }

    @Test("An option's type has the JSON form of the specification")
    func form() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let text = String(
            decoding: try encoder.encode(OptionType.integer(range: 75...600, step: 5)),
            as: UTF8.self)
        #expect(text == #"{"kind":"integer","maximum":600,"minimum":75,"step":5}"#)
    }

    @Test(
        "An impossible type of an option is refused",
        arguments: [
            #"{}"#, #"{"kind":"color"}"#, #"{"kind":"integer","minimum":5}"#,
            #"{"kind":"integer","minimum":5,"maximum":4}"#, #"{"kind":"number","step":0}"#,
            #"{"kind":"number","minimum":0,"maximum":1e999}"#, #"{"kind":"choice","choices":[]}"#,
            #"{"kind":"choice"}"#, #"{"kind":"integerChoice","choices":["a"]}"#,
            #"{"kind":"text","maximumLength":-1}"#, #""toggle""#,
        ])
    func refused(_ json: String) {
        #expect(throws: (any Error).self) {
            try JSONDecoder().decode(OptionType.self, from: Data(json.utf8))
        }
    }

    @Test(
        "A number without a fraction becomes an integer in any notation",
        arguments: [
            ("3", OptionValue.integer(3)), ("3.0", .integer(3)), ("-0.0", .integer(0)),
            ("3e2", .integer(300)), ("0.5", .number(0.5)), ("1e300", .number(1e300)),
            // Neighboring doubles are 8 apart here, so that there is no fraction.
            ("36666666666666660.1666666666666666600", .integer(36_666_666_666_666_664)),
            // The number is one more than the largest whole number.
            ("9223372036854775808", .number(9_223_372_036_854_775_808)),
        ])
    func wholeNumbers(_ text: String, _ value: OptionValue) throws {
        #expect(try JSONDecoder().decode(OptionValue.self, from: Data(text.utf8)) == value)
    }

    @Test("Missing fields of a simple backend have neutral values")
    func lenient() throws {
        let device = try JSONDecoder().decode(
            DeviceDescriptor.self, from: Data(#"{"id":"a","name":"b","kind":"camera"}"#.utf8))
        #expect(device == DeviceDescriptor(id: "a", name: "b", kind: .camera))
        let option = try JSONDecoder().decode(
            DeviceOption.self, from: Data(#"{"name":"a","type":{"kind":"toggle"}}"#.utf8))
        #expect(option == DeviceOption(name: "a", title: "a", help: "", type: .toggle))
        #expect(
            try JSONDecoder().decode(OptionOutcome.self, from: Data("{}".utf8))
                == OptionOutcome(value: nil))
    }

    @Test("A complete description survives JSON")
    func whole() throws {
        let device = DeviceDescriptor(
            id: "a", name: "b", vendor: "c", model: "d", kind: .scanner, connection: "USB",
            sources: ["flatbed"], maximumArea: AreaInMillimeters(width: 216, height: 297),
            state: .busy, advice: "wait")
        let data = try JSONEncoder().encode(device)
        #expect(try JSONDecoder().decode(DeviceDescriptor.self, from: data) == device)
    }
}
