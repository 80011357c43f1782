import CaptureKit

/// The resolution in dots per inch, in both directions; the nearest possible value is used.
struct ResolutionSetting: DriverSetting {
    func option(_ options: NativeOptions) -> DeviceOption? {
        guard let native = native(options), let range = range(native) else { return nil }
        let current = native.value.flatMap(dpi).map { Int($0.rounded()) }
        return DeviceOption(
            name: "resolution", title: "Resolution", help: help(native), group: commonGroup,
            type: .integer(range: range, step: nil), unit: .dpi,
            value: current.map { .integer(min(range.upperBound, max(range.lowerBound, $0))) },
            isActive: native.isWritable)
    }

    func covered(_ options: NativeOptions) -> [String] {
        [native(options), vertical(options)].compactMap { $0?.name }
    }

    func equal(_ options: NativeOptions) -> NativeOption? {
        guard let native = native(options), vertical(options) == nil, native.kind == .integer,
            case .range(_, _, let step) = native.constraint, step <= 1
        else { return nil }
        return native
    }

    func steps(to value: OptionValue, _ options: NativeOptions) -> [OptionStep] {
        guard case .integer(let wanted) = value else { return [] }
        return [native(options), vertical(options)].compactMap { native in
            guard let native else { return nil }
            let value = choices(native)?.min {
                abs($0.dpi - Double(wanted)) < abs($1.dpi - Double(wanted))
            }?.value
            return OptionStep(native, value ?? .numbers([Double(wanted)]))
        }
    }

    /// The resolution that the driver is set to, both ways.
    func current(_ options: NativeOptions) -> Resolution? {
        guard let x = native(options)?.value.flatMap(dpi), (1...100_000).contains(x) else {
            return nil
        }
        let y = vertical(options)?.value.flatMap(dpi)
        return Resolution(x: x, y: y.flatMap { (1...100_000).contains($0) ? $0 : nil })
    }

    private func native(_ options: NativeOptions) -> NativeOption? {
        options.first(of: Spellings.resolutionOptions)
    }

    private func vertical(_ options: NativeOptions) -> NativeOption? {
        guard let vertical = options.first(of: Spellings.verticalResolutionOptions),
            vertical.isActive
        else { return nil }
        return vertical
    }

    private func range(_ native: NativeOption) -> ClosedRange<Int>? {
        let numbers = choices(native).map { $0.map(\.dpi) }
        let bounds =
            if let numbers, let least = numbers.min(), let most = numbers.max() {
                least...most
            } else { native.bounds }
        guard let bounds, bounds.upperBound <= 1_000_000 else { return nil }
        let least = max(1, Int(bounds.lowerBound.rounded(.up)))
        let most = Int(bounds.upperBound.rounded(.down))
        return least <= most ? least...most : nil
    }

    /// The resolutions of a list; some drivers list texts such as "300dpi".
    private func choices(_ native: NativeOption) -> [(dpi: Double, value: NativeValue)]? {
        let choices: [NativeValue]
        switch native.constraint {
        case .numbers(let numbers): choices = numbers.map { .numbers([$0]) }
        case .texts(let texts): choices = texts.map { .text($0) }
        case .range, .none: return nil
        }
        // Some drivers list 0 for an automatic choice.
        return choices.compactMap { value in
            dpi(value).flatMap { $0 >= 1 ? ($0, value) : nil }
        }
    }

    private func dpi(_ value: NativeValue) -> Double? {
        value.number ?? value.text.flatMap { Double($0.prefix { $0.isASCII && $0.isNumber }) }
    }

    private func help(_ native: NativeOption) -> String {
        let start = "How finely pages are scanned."
        guard let choices = choices(native), !choices.isEmpty else { return start }
        let list = choices.prefix(24).map { "\(Int($0.dpi.rounded()))" }.joined(separator: ", ")
        let more = choices.count > 24 ? ", …" : ""
        return "\(start) The nearest of \(list)\(more) is used."
    }
}
