import CaptureKit

/// A kind of sensor, and drivers' names for the options that report it.
struct SensorSpelling: Sendable {
    var sensor: OptionSensor
    /// Complete names in lower case, as from ``OptionNames/folded(_:)``.
    var names: [String]
    /// A word before a number or one of the names, as in `button-1` and `button-scan`.
    var prefix: String?

    /// True for an option of that name.
    func covers(_ name: String) -> Bool {
        if names.contains(name) { return true }
        guard let prefix, name.hasPrefix(prefix) else { return false }
        let rest = String(name.dropFirst(prefix.count).drop { $0 == "-" })
        return !rest.isEmpty && (rest.allSatisfy(\.isNumber) || names.contains(rest))
    }
}

extension NativeOption {
    /// The quantity that the option senses; nil for an option that can be set, or reports something
    /// else.
    var sensor: OptionSensor? {
        guard !isSettable, isReadable, wordCount == 1 else { return nil }
        let name = OptionNames.folded(name)
        return Spellings.sensors.first { $0.covers(name) }?.sensor
    }

    /// True for a sensor's value that means on: on, not 0, or a text with the name of the pressed
    /// button.
    func isTripped(_ value: NativeValue?) -> Bool {
        switch value {
        case .toggle(let isOn): isOn
        case .numbers(let numbers): numbers.first.map { $0 != 0 } ?? false
        case .text(let text): !Spellings.nothingPressed.contains(text.lowercased())
        case nil: false
        }
    }
}

extension NativeOptions {
    /// True when a button is pressed.
    var hasPresses: Bool {
        all.contains { $0.sensor == .button && $0.isTripped($0.value) }
    }

    /// Releases every button: a press that was reported is not reported again.
    mutating func releaseButtons() {
        for index in all.indices where all[index].sensor == .button {
            switch all[index].value {
            case .toggle: all[index].value = .toggle(false)
            case .numbers: all[index].value = .numbers([0])
            case .text: all[index].value = .text("")
            case nil: break
            }
        }
    }
}

/// Button presses that were read from a driver without a request, for the next request.
///
/// Drivers forget a press once it was read, and options are read again whenever a setting changes
/// others.
struct UnreportedPresses {
    private var values: [Int: NativeValue] = [:]

    /// Keeps the presses among `options`.
    mutating func keep(_ options: NativeOptions) {
        for option in options.all where option.sensor == .button && option.isTripped(option.value) {
            values[option.index] = option.value
        }
    }

    /// Adds the stored presses to `options`, unless there are later ones, and removes them.
    mutating func report(in options: inout NativeOptions) {
        for index in options.all.indices {
            let option = options.all[index]
            guard let press = values[option.index], !option.isTripped(option.value) else {
                continue
            }
            options.all[index].value = press
        }
        values = [:]
    }
}
