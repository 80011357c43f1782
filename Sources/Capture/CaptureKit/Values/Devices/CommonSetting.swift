/// Options that hosts know by name, so that a setting has the same name for every driver.
///
///     OptionList([
///         CommonSetting.mode(.color), CommonSetting.resolution(300, among: [75, 150, 300, 600]),
///     ])
public enum CommonSetting {
    /// The kind of pixels in a page.
    public enum Mode: String, Hashable, Sendable, CaseIterable {
        /// Black and white.
        case bilevel
        /// Gray.
        case gray
        /// Color.
        case color

        /// The format of pages in this mode.
        ///
        /// - Parameter depth: bits per sample, 8 or 16; `bilevel` has one.
        public func format(depth: Int = 8) -> FrameFormat {
            switch self {
            case .bilevel: .bilevel
            case .gray: depth > 8 ? .gray16 : .gray8
            case .color: depth > 8 ? .rgb16 : .rgb8
            }
        }
    }

    /// The option `mode`.
    public static func mode(_ value: Mode, among modes: [Mode] = Mode.allCases) -> DeviceOption {
        choice(
            "mode", "Mode", value.rawValue, among: modes.map(\.rawValue),
            help: "What pages look like.")
    }

    /// The option `resolution`, in dots per inch.
    public static func resolution(_ value: Int, among choices: [Int]) -> DeviceOption {
        DeviceOption(
            name: "resolution", title: "Resolution", help: "Dots per inch.",
            type: .integerChoice(choices), unit: .dpi, defaultValue: .integer(value),
            value: .integer(value))
    }

    /// The option `source`.
    ///
    /// - Parameters:
    ///   - value: the initial source.
    ///   - sources: the device's sources, such as `flatbed` and `feeder`.
    public static func source(_ value: String, among sources: [String]) -> DeviceOption {
        choice("source", "Source", value, among: sources, help: "Where pages come from.")
    }

    /// The option `paper`: a sheet that fits onto an area, `maximum` for the whole area, or `custom`
    /// for the area in the options of ``area(of:)``.
    public static func paper(_ value: String, on area: AreaInMillimeters) -> DeviceOption {
        let sheets = Paper.fitting(width: area.width, height: area.height).map(\.name)
        return choice(
            "paper", "Paper", value, among: sheets + ["maximum", "custom"],
            help: "The sheet to capture.")
    }

    /// The options `area-left`, `area-top`, `area-width` and `area-height`, which start with the
    /// whole area.
    public static func area(of area: AreaInMillimeters) -> [DeviceOption] {
        [
            ("left", 0, area.width), ("top", 0, area.height), ("width", area.width, area.width),
            ("height", area.height, area.height),
        ].map { name, value, most in
            DeviceOption(
                name: "area-\(name)", title: "Area: \(name)", help: "A part of the page.",
                type: .number(range: 0...most, step: nil), unit: .millimeters,
                defaultValue: .number(value), value: .number(value))
        }
    }

    /// The option `brightness`, from -100 to 100 percent.
    public static func brightness(_ value: Double = 0) -> DeviceOption {
        level("brightness", "Brightness", value, help: "How light pages are.")
    }

    /// The option `contrast`, from -100 to 100 percent.
    public static func contrast(_ value: Double = 0) -> DeviceOption {
        level("contrast", "Contrast", value, help: "The difference between light and dark.")
    }

    /// A driver's value for a level in percent: 0 percent is the middle of the driver's range.
    public static func level(_ percent: Double, in range: ClosedRange<Double>) -> Double {
        let part = (min(100, max(-100, percent)) + 100) / 200
        return range.lowerBound + part * (range.upperBound - range.lowerBound)
    }

    private static func choice(
        _ name: String, _ title: String, _ value: String, among choices: [String], help: String
    ) -> DeviceOption {
        DeviceOption(
            name: name, title: title, help: help, type: .choice(choices),
            defaultValue: .text(value), value: .text(value))
    }

    private static func level(
        _ name: String, _ title: String, _ value: Double, help: String
    ) -> DeviceOption {
        DeviceOption(
            name: name, title: title, help: help, type: .number(range: -100...100, step: nil),
            unit: .percent, defaultValue: .number(value), value: .number(value))
    }
}
