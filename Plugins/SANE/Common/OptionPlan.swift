import CaptureKit

/// The options of a scanner as the host sees them: the common settings first, then every option of
/// the driver.
struct OptionPlan: Sendable {
    /// The meaning of an option.
    enum Binding: Sendable {
        case native(NativeOption)
        case common(any DriverSetting)
    }

    /// An option and its meaning.
    struct Entry: Sendable {
        var option: DeviceOption
        var binding: Binding
    }

    private(set) var entries: [Entry] = []

    /// The plan for a driver's present options.
    ///
    /// - Parameters:
    ///   - deviceType: SANE's name for the type of the device.
    ///   - isAutomatic: true when the source is `auto`, which no driver's option shows.
    init(_ options: NativeOptions, deviceType: String, isAutomatic: Bool = false) {
        var names = OptionNames()
        var covered: Set<String> = []
        var placed: Set<Int> = []
        for setting in commonSettings(deviceType: deviceType, isAutomatic: isAutomatic) {
            guard let common = setting.option(options) else { continue }
            _ = names.unique(common.name)
            if let equal = setting.equal(options) {
                var option = equal.deviceOption(name: common.name, isAdvanced: false)
                option.group = commonGroup
                placed.insert(equal.index)
                entries.append(Entry(option: option, binding: .native(equal)))
            } else {
                covered.formUnion(setting.covered(options))
                entries.append(Entry(option: common, binding: .common(setting)))
            }
        }
        let common = Set(entries.map(\.option.name))
        for native in options.all where !placed.contains(native.index) {
            let folded = OptionNames.folded(native.name)
            let name =
                common.contains(folded)
                ? names.unique("sane-\(folded)")
                : names.legal(native.name, title: native.title, index: native.index)
            let option = native.deviceOption(name: name, isAdvanced: covered.contains(native.name))
            entries.append(Entry(option: option, binding: .native(native)))
        }
    }

    /// The options as the protocol lists them, without their defaults.
    var options: [DeviceOption] { entries.map(\.option) }

    /// The options as the protocol lists them.
    ///
    /// - Parameter defaults: the values when the scanner was opened.
    func options(defaults: [String: OptionValue]) -> [DeviceOption] {
        entries.map { entry in
            var option = entry.option
            option.defaultValue = defaults[option.name]
            return option
        }
    }

    /// The option of that name; nil when there is none.
    func option(_ name: String) -> DeviceOption? {
        entries.first { $0.option.name == name }?.option
    }

    /// True when an option other than `name` is different in `other`.
    func differs(from other: OptionPlan, besides name: String) -> Bool {
        let ours = entries.lazy.map(\.option).filter { $0.name != name }
        let theirs = other.entries.lazy.map(\.option).filter { $0.name != name }
        return !ours.elementsEqual(theirs)
    }

    /// The values of the options that can be set, by name.
    var values: [String: OptionValue] {
        let pairs = entries.compactMap { entry -> (String, OptionValue)? in
            guard !entry.option.isReadOnly, let value = entry.option.value else { return nil }
            return (entry.option.name, value)
        }
        return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }

    /// The option of that name, if it may be set.
    ///
    /// - Throws: ``CaptureError`` `noSuchOption`; `invalidValue` for one that can't be set now.
    func settable(_ name: String) throws(CaptureError) -> Entry {
        guard let entry = entries.first(where: { $0.option.name == name }) else {
            throw CaptureError(.noSuchOption, "The scanner has no option '\(name)'")
        }
        guard !entry.option.isReadOnly else {
            throw CaptureError(.invalidValue, "Option '\(name)' is read-only and can't be set")
        }
        guard entry.option.isActive else {
            throw CaptureError(
                .invalidValue,
                "Option '\(name)' can't be set with the current values of the other options")
        }
        return entry
    }
}

extension DeviceOption {
    /// Checks a value for a common setting.
    ///
    /// - Throws: ``CaptureError`` `invalidValue`.
    func check(_ value: OptionValue) throws(CaptureError) {
        let isRight =
            switch (type, value) {
            case (.choice(let choices), .text(let text)): choices.contains(text)
            case (.integer(let range, _), .integer(let number)): range?.contains(number) ?? true
            case (.number(let range, _), .number(let number)):
                number.isFinite && range?.contains(number) ?? true
            case (.number(let range, _), .integer(let number)):
                range?.contains(Double(number)) ?? true
            default: false
            }
        guard isRight else {
            throw CaptureError(
                .invalidValue, "Option '\(name)' does not accept \(words(value))",
                advice: "It accepts \(takes).")
        }
    }

    private var takes: String {
        switch type {
        case .choice(let choices): choices.joined(separator: ", ")
        case .integer(let range?, _):
            "whole numbers from \(range.lowerBound) to \(range.upperBound)"
        case .number(let range?, _): "numbers from \(range.lowerBound) to \(range.upperBound)"
        default: "another kind of value"
        }
    }

    private func words(_ value: OptionValue) -> String {
        switch value {
        case .bool(let value): String(value)
        case .integer(let value): String(value)
        case .number(let value): String(value)
        case .text(let value): "'\(value.prefix(80))'"
        }
    }
}
