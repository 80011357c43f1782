import CaptureKit

/// A setting that every scanner has, with any name in its driver.
protocol DriverSetting: Sendable {
    /// The setting with the driver's current options; nil when the driver has nothing for it.
    func option(_ options: NativeOptions) -> DeviceOption?

    /// The steps that bring the driver to `value`, which `option`'s type allows.
    func steps(to value: OptionValue, _ options: NativeOptions) -> [OptionStep]

    /// The driver's options that the setting covers, which then need not be shown to everyone.
    func covered(_ options: NativeOptions) -> [String]

    /// The driver's option that takes exactly these values, which makes the setting unnecessary;
    /// nil if there is none.
    func equal(_ options: NativeOptions) -> NativeOption?
}

extension DriverSetting {
    func equal(_ options: NativeOptions) -> NativeOption? { nil }
}

/// A step that sets one of the driver's options.
///
/// It is skipped while the option is inactive, and the value is adapted to the constraint at that
/// time, because earlier steps may have changed it.
struct OptionStep: Hashable, Sendable {
    var option: String
    var value: NativeValue
}

extension OptionStep {
    init(_ option: NativeOption, _ value: NativeValue) {
        self.init(option: option.name, value: value)
    }

    init(_ option: NativeOption, _ number: Double) {
        self.init(option: option.name, value: .numbers([number]))
    }
}

/// The common settings of a scanner, in the order in which they are listed.
func commonSettings(deviceType: String, isAutomatic: Bool) -> [any DriverSetting] {
    let geometry = AreaEdge.allCases.map { AreaSetting(edge: $0) as any DriverSetting }
    return [
        SourceSetting(deviceType: deviceType, isAutomatic: isAutomatic), ModeSetting(),
        ResolutionSetting(), PaperSetting(),
    ] + geometry + [
        LevelSetting(name: "brightness", title: "Brightness", names: Spellings.brightnessOptions),
        LevelSetting(name: "contrast", title: "Contrast", names: Spellings.contrastOptions),
    ]
}

/// The heading under which common settings are listed.
let commonGroup = "Common"
