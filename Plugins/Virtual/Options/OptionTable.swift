import CaptureKit

/// A device's options with their values: a value type, so that a change can be tried and thrown away.
struct OptionTable: Sendable {
    private let specs: [OptionSpec]
    /// The values now.
    private(set) var settings = Settings()

    /// A table in which every option has its default.
    init(_ specs: [OptionSpec]) {
        self.specs = specs
        for spec in specs { settings.values[spec.option.name] = spec.option.value }
    }

    /// Every option with its value and whether it is active.
    var options: [DeviceOption] {
        specs.map { spec in
            var option = spec.option
            option.value = settings.values[option.name]
            option.isActive = spec.inactive(settings) == nil
            return option
        }
    }

    /// Checks a value without setting it; the value that would be taken.
    ///
    /// - Throws: ``CaptureError`` `noSuchOption`, `invalidValue`.
    func check(_ name: String, _ value: OptionValue) throws -> OptionValue {
        guard let spec = specs.first(where: { $0.option.name == name }) else {
            throw CaptureError(
                .noSuchOption, "There is no option '\(name)'",
                advice: "The options are \(specs.map(\.option.name).joined(separator: ", ")).")
        }
        guard !spec.option.isReadOnly else {
            throw CaptureError(.invalidValue, "Option '\(name)' only reports and can't be set")
        }
        if let reason = spec.inactive(settings) {
            throw CaptureError(.invalidValue, "Option '\(name)' can't be set now: \(reason)")
        }
        return try spec.option.accepted(value)
    }

    /// Sets an option; its outcome says what was taken and whether other options changed with it.
    ///
    /// - Throws: ``CaptureError`` `noSuchOption`, `invalidValue`.
    mutating func set(_ name: String, to value: OptionValue) throws -> OptionOutcome {
        let taken = try check(name, value)
        let before = options
        if name == "calibrate" {
            settings.values["calibrations"] = .integer(settings.integer("calibrations") + 1)
        } else {
            settings.values[name] = taken
        }
        keepAreaOnGlass(changed: name)
        let others = zip(before, options).contains { $0 != $1 && $0.name != name }
        return OptionOutcome(value: settings.values[name], reloadOptions: others)
    }

    /// Sets what a sensor reports.
    mutating func report(_ name: String, _ value: OptionValue) {
        if settings.values[name] != nil { settings.values[name] = value }
    }

    /// The scanned area may not reach beyond the glass: what was set last stays, its partner gives way.
    private mutating func keepAreaOnGlass(changed: String) {
        for (start, length, most) in [
            ("left", "width", ScannerOptions.areaWidth),
            ("top", "height", ScannerOptions.areaHeight),
        ] where changed == start || changed == length {
            let (from, size) = (settings.number(start), settings.number(length))
            guard from + size > most else { continue }
            if changed == start {
                settings.values[length] = .number(most - from)
            } else {
                settings.values[start] = .number(most - size)
            }
        }
    }
}
