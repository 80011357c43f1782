import ExpectedFailures

/// One setting of a device: its type, its possible values, and its present value.
public struct DeviceOption: Codable, Hashable, Sendable {
    /// The name used in `--set NAME=VALUE`: lowercase letters, digits and hyphens.
    public var name: String
    /// A short title for people.
    public var title: String
    /// A sentence about what the option does.
    public var help: String
    /// The heading under which the option is listed, such as "Geometry".
    public var group: String?
    /// The type of values that the option accepts.
    public var type: OptionType
    /// The unit of a number; nil for none.
    public var unit: OptionUnit?
    /// The value of the option before it is first set.
    public var defaultValue: OptionValue?
    /// The present value; nil for a button or an option that can't be read.
    public var value: OptionValue?
    /// False while other settings make the option meaningless.
    public var isActive: Bool
    /// True when the option can only be read, as a sensor can.
    public var isReadOnly: Bool
    /// True when most people never need the option.
    public var isAdvanced: Bool
    /// The sense of a read-only option that the host may watch; nil for every other option.
    public var sensor: OptionSensor?
    /// True when the value names a file or folder on the host's machine, which a user of the
    /// network may never choose.
    public var hostPath: Bool

    /// An option; active, writable and basic unless specified otherwise.
    public init(
        name: String, title: String, help: String, group: String? = nil, type: OptionType,
        unit: OptionUnit? = nil, defaultValue: OptionValue? = nil, value: OptionValue? = nil,
        isActive: Bool = true, isReadOnly: Bool = false, isAdvanced: Bool = false,
        sensor: OptionSensor? = nil, hostPath: Bool = false
    ) {
        self.name = name
        self.title = title
        self.help = help
        self.group = group
        self.type = type
        self.unit = unit
        self.defaultValue = defaultValue
        self.value = value
        self.isActive = isActive
        self.isReadOnly = isReadOnly
        self.isAdvanced = isAdvanced
        self.sensor = sensor
        self.hostPath = hostPath
    }
}

/// The quantity that a read-only option senses.
public enum OptionSensor: String, Codable, Hashable, Sendable, CaseIterable {
    /// A button of the device: any value other than false and 0 means that it was pressed since the
    /// options were last read.
    case button
    /// Paper in the feeder: any value other than false and 0 means paper.
    case paper
    /// A cover: any value other than false and 0 means that it is open.
    case cover
}

/// The values that an option accepts.
public enum OptionType: Hashable, Sendable {
    /// True or false.
    case toggle
    /// A whole number; `step` 1 unless given.
    case integer(range: ClosedRange<Int>?, step: Int?)
    /// A number: any within the range, or only multiples of `step` from the range's lower bound.
    case number(range: ClosedRange<Double>?, step: Double?)
    /// One of several whole numbers, such as the resolutions of a scanner.
    case integerChoice([Int])
    /// Some text, at most `maximumLength` UTF-8 bytes.
    case text(maximumLength: Int?)
    /// One of several texts.
    case choice([String])
    /// An action without a value: setting the option performs it.
    case button
}

/// The unit of a numeric option.
///
/// The host shows an unknown word unchanged.
public struct OptionUnit: RawRepresentable, Codable, Hashable, Sendable {
    /// The word on the wire.
    public let rawValue: String

    /// A unit by its word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Pixels.
    public static let pixels = OptionUnit(rawValue: "pixels")
    /// Bits.
    public static let bits = OptionUnit(rawValue: "bits")
    /// Millimeters.
    public static let millimeters = OptionUnit(rawValue: "millimetres")
    /// Dots per inch.
    public static let dpi = OptionUnit(rawValue: "dpi")
    /// Hundredths.
    public static let percent = OptionUnit(rawValue: "percent")
    /// Microseconds.
    public static let microseconds = OptionUnit(rawValue: "microseconds")
    /// Seconds.
    public static let seconds = OptionUnit(rawValue: "seconds")

    /// The words that the protocol has.
    package static let all: [OptionUnit] = [
        .pixels, .bits, .millimeters, .dpi, .percent, .microseconds, .seconds,
    ]
}

/// A value of an option.
public enum OptionValue: Hashable, Sendable {
    /// True or false.
    case bool(Bool)
    /// A whole number.
    case integer(Int)
    /// A number.
    case number(Double)
    /// Some text.
    case text(String)
}

extension OptionValue {
    /// The value as that of a sensor: anything but false and 0 means on.
    package var isOn: Bool {
        switch self {
        case .bool(let value): value
        case .integer(let number): number != 0
        case .number(let number): number != 0
        case .text(let text): !text.isEmpty && text != "0" && text != "false"
        }
    }
}

extension OptionValue: Codable {
    /// Reads a JSON boolean, number or string; a number without a fraction becomes an integer.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = container.decodeIfMatching(Bool.self) {
            self = .bool(value)
        } else if let value = container.decodeIfMatching(Int.self) {
            self = .integer(value)
        } else if let value = container.decodeIfMatching(Double.self) {
            // A fraction that a Double can't hold is lost, here and when the value is written
            // again.
            self = Int(exactly: value).map(OptionValue.integer) ?? .number(value)
        } else {
            self = .text(try container.decode(String.self))
        }
    }

    /// Writes a plain JSON boolean, number or string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        }
    }
}

/// The outcome of setting an option.
public struct OptionOutcome: Codable, Hashable, Sendable {
    /// The value that the device now has, which may be the nearest possible one.
    public var value: OptionValue?
    /// True when other options changed too, so that the host must read all options again.
    public var reloadOptions: Bool

    /// An outcome; other options are unchanged unless specified otherwise.
    public init(value: OptionValue?, reloadOptions: Bool = false) {
        self.value = value
        self.reloadOptions = reloadOptions
    }
}
