import CaptureKit

/// An option of a virtual device: its description, and the condition under which it is active.
struct OptionSpec: Sendable {
    /// The option before it is first set.
    var option: DeviceOption
    /// The reason why the option can't be set with these settings; nil if it can.
    var inactive: @Sendable (Settings) -> String?

    init(
        _ name: String, _ title: String, help: String, group: String, type: OptionType,
        unit: OptionUnit? = nil, value: OptionValue?, isReadOnly: Bool = false,
        isAdvanced: Bool = false, sensor: OptionSensor? = nil, hostPath: Bool = false,
        inactive: @escaping @Sendable (Settings) -> String? = { _ in nil }
    ) {
        option = DeviceOption(
            name: name, title: title, help: help, group: group, type: type, unit: unit,
            defaultValue: isReadOnly ? nil : value, value: value, isReadOnly: isReadOnly,
            isAdvanced: isAdvanced, sensor: sensor, hostPath: hostPath)
        self.inactive = inactive
    }
}

/// The values of a device's options by name, with defaults filled in.
struct Settings: Hashable, Sendable {
    /// The values; buttons have none.
    var values: [String: OptionValue] = [:]

    /// The text or choice of option `name`; empty when it has none.
    func text(_ name: String) -> String {
        if case .text(let text) = values[name] { text } else { "" }
    }

    /// The whole number of option `name`; 0 when it has none.
    func integer(_ name: String) -> Int {
        if case .integer(let number) = values[name] { number } else { 0 }
    }

    /// The number of option `name`; 0 when it has none.
    func number(_ name: String) -> Double {
        switch values[name] {
        case .number(let number): number
        case .integer(let number): Double(number)
        default: 0
        }
    }

    /// The state of toggle `name`; false when it has none.
    func isOn(_ name: String) -> Bool { values[name] == .bool(true) }
}
