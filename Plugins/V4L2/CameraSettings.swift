import CaptureKit

/// The settings of a camera that are chosen rather than controlled: size, rate and format of live
/// frames, size of stills.
///
/// A value type, so that a change can be tried and discarded; the camera keeps it behind its lock.
struct CameraSettings: Hashable, Sendable {
    /// The names that no control may have.
    static let names = ["size", "rate", "format", "still-size", "warm-up"]
    /// The names of options of a camera's other parts, which no control may have either.
    private static let reservedNames =
        names + [CameraInputs.inputName, CameraInputs.timingsName, CameraButton.optionName]

    /// The controls of a camera, beside these options.
    static func panel(of node: CameraNode) -> ControlPanel {
        ControlPanel(node: node, reserved: reservedNames)
    }

    private static let automatic = "automatic"
    /// The seconds that a camera may get to settle.
    private static let warmUps = 0.0...30.0

    private let modes: [CameraMode]
    private var format: FourCC?
    private var size: FrameSize
    private var stillSize: FrameSize
    private var rate = 30.0
    /// The seconds of streaming before a still, so that exposure and focus settle.
    private(set) var warmUp = 0.7

    /// The settings of a camera with these modes; nil when none of them can be used.
    init?(_ modes: [CameraMode]) {
        self.modes = ModeChoice.usable(modes)
        guard let size = ModeChoice.liveSize(modes), let still = ModeChoice.stillSize(modes) else {
            return nil
        }
        (self.size, stillSize) = (size, still)
    }

    /// The modes of the chosen format, or all.
    private var fitting: [CameraMode] { modes.filter { format == nil || $0.format == format } }

    /// The mode of live frames.
    var live: ModeChoice? { ModeChoice.live(fitting, size: size, rate: rate) }

    /// The mode of a still.
    var still: ModeChoice? { ModeChoice.still(fitting, size: stillSize) }

    /// The settings in words, such as "MJPEG 1920x1080 at 30 a second".
    var summary: String? {
        guard let live else { return nil }
        let rate = live.rate
        let text = rate == rate.rounded() ? "\(Int(rate))" : "\((rate * 100).rounded() / 100)"
        return "\(live.mode.format) \(live.mode.size) at \(text) a second"
    }

    // MARK: As options

    /// The options, in the order in which they are listed.
    var options: [DeviceOption] {
        let sizes = sizes.map(\.description)
        var options = [
            DeviceOption(
                name: "size", title: "Size",
                help: "Size of a live frame, in pixels.", group: "Picture",
                type: .choice(sizes), value: .text(size.description))
        ]
        if let range = rates {
            options.append(
                DeviceOption(
                    name: "rate", title: "Frame rate",
                    help: "Live frames per second; the camera uses the next higher rate it has.",
                    group: "Picture", type: .number(range: range, step: nil),
                    value: .number(live?.rate ?? rate)))
        }
        return options + [
            DeviceOption(
                name: "format", title: "Format",
                help:
                    "How the camera sends frames; 'automatic' chooses the best for size and rate.",
                group: "Picture", type: .choice([CameraSettings.automatic] + formats),
                defaultValue: .text(CameraSettings.automatic),
                value: .text(format?.description ?? CameraSettings.automatic), isAdvanced: true),
            DeviceOption(
                name: "still-size", title: "Size of a still",
                help: "Size of a single picture, in pixels.",
                group: "Picture", type: .choice(sizes), value: .text(stillSize.description)),
            DeviceOption(
                name: "warm-up", title: "Warm-up",
                help:
                    "How long the camera runs before a still, so that exposure and focus settle.",
                group: "Picture", type: .number(range: CameraSettings.warmUps, step: nil),
                unit: .seconds, defaultValue: .number(0.7), value: .number(warmUp),
                isAdvanced: true),
        ]
    }

    /// Sets one of these options; nil if none has that name.
    ///
    /// - Throws: ``CaptureError`` `invalidValue`.
    mutating func set(_ name: String, to value: OptionValue) throws(CaptureError) -> OptionOutcome?
    {
        switch (name, value) {
        case ("size", .text(let text)):
            size = try chosen(text, name)
            return OptionOutcome(value: .text(text), reloadOptions: true)
        case ("still-size", .text(let text)):
            stillSize = try chosen(text, name)
            return OptionOutcome(value: .text(text))
        case ("format", .text(let text)): return try set(format: text)
        case ("rate", .number), ("rate", .integer):
            rate = try number(value, within: rates, name)
            return OptionOutcome(value: .number(live?.rate ?? rate))
        case ("warm-up", .number), ("warm-up", .integer):
            warmUp = try number(value, within: CameraSettings.warmUps, name)
            return OptionOutcome(value: .number(warmUp))
        case (let name, _) where CameraSettings.names.contains(name):
            throw CaptureError(.invalidValue, "Option '\(name)' takes another kind of value")
        default: return nil
        }
    }

    private mutating func set(format text: String) throws(CaptureError) -> OptionOutcome {
        if text == CameraSettings.automatic {
            format = nil
        } else if let mode = modes.first(where: { $0.format.description == text }) {
            format = mode.format
        } else {
            throw CaptureError(
                .invalidValue, "Option 'format' does not accept '\(text.prefix(80))'",
                advice: "The camera has \(formats.joined(separator: ", ")).")
        }
        // A format may lack the sizes that others have.
        if !sizes.contains(size) { size = ModeChoice.liveSize(fitting) ?? size }
        if !sizes.contains(stillSize) { stillSize = ModeChoice.stillSize(fitting) ?? stillSize }
        return OptionOutcome(value: .text(text), reloadOptions: true)
    }

    private var sizes: [FrameSize] { Set(fitting.map(\.size)).sorted(by: >) }

    private var formats: [String] {
        modes.map(\.format.description).reduce(into: []) { names, name in
            if !names.contains(name) { names.append(name) }
        }
    }

    /// The rates at the chosen size; nil when the driver does not report them.
    private var rates: ClosedRange<Double>? {
        let all = fitting.filter { $0.size == size }.flatMap { $0.intervals.map(\.rate) }
        guard let least = all.min(), let most = all.max() else { return nil }
        return least...most
    }

    private func chosen(_ text: String, _ name: String) throws(CaptureError) -> FrameSize {
        if let size = FrameSize(text), sizes.contains(size) { return size }
        throw CaptureError(
            .invalidValue, "Option '\(name)' does not accept '\(text.prefix(80))'",
            advice: "The camera has \(sizes.map(\.description).joined(separator: ", ")).")
    }

    private func number(
        _ value: OptionValue, within range: ClosedRange<Double>?, _ name: String
    ) throws(CaptureError) -> Double {
        guard let range else {
            throw CaptureError(
                .invalidValue,
                "The camera does not allow option '\(name)' to be set")
        }
        let number: Double =
            switch value {
            case .number(let number): number
            case .integer(let number): Double(number)
            default: .nan
            }
        guard range.contains(number) else {
            throw CaptureError(
                .invalidValue,
                "Option '\(name)' takes \(range.lowerBound) to \(range.upperBound), not \(number)")
        }
        return number
    }
}
