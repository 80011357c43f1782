import CaptureKit

/// Brightness or contrast from −100 to 100 percent, 0 being the scanner's own middle.
struct LevelSetting: DriverSetting {
    var name: String
    var title: String
    var names: [String]

    func option(_ options: NativeOptions) -> DeviceOption? {
        guard let native = native(options), let bounds = native.bounds else { return nil }
        let value = native.value?.number.map { percent($0, bounds) }
        return DeviceOption(
            name: name, title: title, help: "In percent; 0 leaves pages as the scanner sees them.",
            group: commonGroup, type: .number(range: -100...100, step: nil), unit: .percent,
            value: value.map { .number($0) }, isActive: native.isWritable)
    }

    func covered(_ options: NativeOptions) -> [String] { native(options).map { [$0.name] } ?? [] }

    func equal(_ options: NativeOptions) -> NativeOption? {
        guard let native = native(options), native.bounds == -100...100,
            case .range = native.constraint
        else { return nil }
        return native
    }

    func steps(to value: OptionValue, _ options: NativeOptions) -> [OptionStep] {
        guard let native = native(options), let bounds = native.bounds else { return [] }
        let percent: Double
        switch value {
        case .number(let number): percent = number
        case .integer(let number): percent = Double(number)
        default: return []
        }
        let middle = middle(bounds)
        let reach = percent < 0 ? middle - bounds.lowerBound : bounds.upperBound - middle
        return [OptionStep(native, middle + percent / 100 * reach)]
    }

    private func native(_ options: NativeOptions) -> NativeOption? {
        guard let native = options.first(of: names), native.wordCount == 1,
            let bounds = native.bounds, bounds.lowerBound < bounds.upperBound
        else { return nil }
        return native
    }

    /// 0 if it is within the scale, otherwise the middle of the scale: 128 of 0…255, 50 of 0…100.
    private func middle(_ bounds: ClosedRange<Double>) -> Double {
        if bounds.lowerBound < 0, bounds.upperBound > 0 { return 0 }
        return ((bounds.lowerBound + bounds.upperBound) / 2).rounded()
    }

    private func percent(_ value: Double, _ bounds: ClosedRange<Double>) -> Double {
        let middle = middle(bounds)
        let reach = value < middle ? middle - bounds.lowerBound : bounds.upperBound - middle
        let percent = reach > 0 ? (value - middle) / reach * 100 : 0
        return min(100, max(-100, (percent * 100).rounded() / 100))
    }
}
