import CaptureKit

/// A device's options with their values: a value type, so that a change can be tried and discarded.
struct OptionTable: Sendable {
    private let specs: [OptionSpec]
    /// The present values.
    private(set) var settings = Settings()

    /// A table in which every option has its default.
    init(_ specs: [OptionSpec]) {
        self.specs = specs
        for spec in specs { settings.values[spec.option.name] = spec.option.value }
    }

    /// Every option with its value and its activity.
    var options: [DeviceOption] {
        specs.map { spec in
            var option = spec.option
            option.value = settings.values[option.name]
            option.isActive = spec.inactive(settings) == nil
            return option
        }
    }

    /// Checks a value without setting it, and returns the value that would be used.
    ///
    /// - Throws: ``CaptureError`` `noSuchOption`, `invalidValue`.
    func check(_ name: String, _ value: OptionValue) throws -> OptionValue {
        guard let spec = specs.first(where: { $0.option.name == name }) else {
            throw CaptureError(
                .noSuchOption, "There is no option '\(name)'",
                advice: "The options are \(specs.map(\.option.name).joined(separator: ", ")).")
        }
        guard !spec.option.isReadOnly else {
            throw CaptureError(.invalidValue, "Option '\(name)' is read-only and can't be set")
        }
        if let reason = spec.inactive(settings) {
            throw CaptureError(.invalidValue, "Option '\(name)' can't be set now: \(reason)")
        }
        return try spec.option.accepting(value)
    }

    /// Sets an option; returns the new value, and whether it changed other options.
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
        if name == "paper" { applyPaper() }
        keepAreaOnGlass(changed: name)
        namePaper()
        let others = zip(before, options).contains { $0 != $1 && $0.name != name }
        return OptionOutcome(value: settings.values[name], reloadOptions: others)
    }

    /// Sets the value of a sensor.
    mutating func report(_ name: String, _ value: OptionValue) {
        if settings.values[name] != nil { settings.values[name] = value }
    }

    /// Sets the area to the sheet that `paper` names; `custom` leaves it.
    private mutating func applyPaper() {
        let name = settings.text("paper")
        let paper = VirtualScannerOptions.papers.first { $0.name == name }
        guard paper != nil || name == "maximum" else { return }
        // The step of the area's sides is half a millimeter.
        func side(_ length: Double?, _ most: Double) -> Double {
            min((2 * (length ?? most)).rounded() / 2, most)
        }
        let width = side(paper?.width, VirtualScannerOptions.areaWidth)
        let height = side(paper?.height, VirtualScannerOptions.areaHeight)
        for (option, value) in [
            ("area-left", 0), ("area-top", 0), ("area-width", width), ("area-height", height),
        ] {
            settings.values[option] = .number(value)
        }
    }

    /// Sets `paper` to the name of the present area.
    private mutating func namePaper() {
        guard settings.values["paper"] != nil else { return }
        let (width, height) = (settings.number("area-width"), settings.number("area-height"))
        let isMaximum =
            width == VirtualScannerOptions.areaWidth && height == VirtualScannerOptions.areaHeight
        let named = VirtualScannerOptions.papers.first {
            abs($0.width - width) <= 0.5 && abs($0.height - height) <= 0.5
        }
        settings.values["paper"] = .text(isMaximum ? "maximum" : named?.name ?? "custom")
    }

    /// Keeps the scanned area within the glass: the value that was set last stays, and its
    /// counterpart adapts.
    private mutating func keepAreaOnGlass(changed: String) {
        for (start, length, most) in [
            ("area-left", "area-width", VirtualScannerOptions.areaWidth),
            ("area-top", "area-height", VirtualScannerOptions.areaHeight),
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
