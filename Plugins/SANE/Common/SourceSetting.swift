import CaptureKit

/// The source: `flatbed`, `feeder`, `feeder-duplex`, or `auto` for the feeder if it has paper, or
/// else the flatbed.
struct SourceSetting: DriverSetting {
    /// SANE's words for the kind of device.
    var deviceType: String
    /// True when the user wants the feeder if it has paper, and otherwise the flatbed.
    var isAutomatic: Bool

    func option(_ options: NativeOptions) -> DeviceOption? {
        let choices = choices(options)
        return DeviceOption(
            name: "source", title: "Source",
            help: choices.contains("auto")
                ? "Where pages come from; auto uses the feeder if it has paper, otherwise the flatbed."
                : "Where pages come from.",
            group: commonGroup, type: .choice(choices), value: current(options).map { .text($0) },
            isActive: choices.count == 1 || controls(options).contains(where: \.isWritable))
    }

    func covered(_ options: NativeOptions) -> [String] { controls(options).map(\.name) }

    func steps(to value: OptionValue, _ options: NativeOptions) -> [OptionStep] {
        guard case .text(let wanted) = value, wanted != "auto" || !isEmulated(options) else {
            return []
        }
        var steps: [OptionStep] = []
        if let native = native(options) {
            let place =
                wanted == "feeder-duplex" && mapped(options)[wanted] == nil
                ? "feeder" : wanted
            if let text = mapped(options)[place] { steps.append(OptionStep(native, .text(text))) }
        }
        if let sides = sides(options), wanted.hasPrefix("feeder") {
            steps.append(sides.step(wanted == "feeder-duplex"))
        }
        for companion in Spellings.feederSwitches where companion.native(in: options) != nil {
            steps.append(companion.step(wanted.hasPrefix("feeder")))
        }
        return steps
    }

    /// The sources a user can choose, in the usual order.
    func choices(_ options: NativeOptions) -> [String] {
        let places = Set(places(options))
        let order = ["flatbed", "feeder", "feeder-duplex", "auto"]
        return order.filter { places.contains($0) || ($0 == "auto" && isEmulated(options)) }
    }

    /// The driver's current source in our terms; nil for a source that we don't know.
    func current(_ options: NativeOptions) -> String? {
        if isAutomatic { return "auto" }
        guard let native = native(options) else {
            let only = places(options)
            guard let sides = sides(options) else { return only.first }
            return sides.isOn(options) ? "feeder-duplex" : only.first
        }
        guard let text = native.value?.text,
            let meaning = Spelling.meaning(of: text, Spellings.sources)
        else { return nil }
        if meaning == "feeder", let sides = sides(options), sides.isOn(options) {
            return "feeder-duplex"
        }
        return meaning
    }

    /// True when pages come from a feeder until it is empty.
    func isFeeding(_ options: NativeOptions) -> Bool {
        if let source = current(options) { return source.hasPrefix("feeder") }
        // A side of the feeder that we have no name for, such as "ADF Back".
        let text = native(options)?.value?.text?.lowercased() ?? ""
        return text.contains("adf") || text.contains("feeder")
    }

    /// True when Copystand implements `auto` itself, because both places exist.
    ///
    /// A driver's own `auto` is then not used: it does not report the chosen source, and a glass
    /// would be scanned endlessly.
    func isEmulated(_ options: NativeOptions) -> Bool {
        let mapped = mapped(options)
        return mapped["flatbed"] != nil && mapped["feeder"] != nil
    }

    private func places(_ options: NativeOptions) -> [String] {
        var places = Array(mapped(options).keys)
        if native(options) == nil {
            let type = deviceType.lowercased()
            let isFeeder = Spellings.feederOnlyTypes.contains { type.contains($0) }
            places = [isFeeder || sides(options) != nil ? "feeder" : "flatbed"]
        }
        if sides(options) != nil, places.contains("feeder"), !places.contains("feeder-duplex") {
            places.append("feeder-duplex")
        }
        return places
    }

    private func mapped(_ options: NativeOptions) -> [String: String] {
        guard case .texts(let texts) = native(options)?.constraint else { return [:] }
        return Dictionary(
            Spelling.sort(texts, Spellings.sources).map { ($0.common, $0.native) },
            uniquingKeysWith: { first, _ in first })
    }

    private func native(_ options: NativeOptions) -> NativeOption? {
        guard let native = options.first(of: Spellings.sourceOptions),
            case .texts(let texts) = native.constraint,
            !Spelling.sort(texts, Spellings.sources).isEmpty
        else { return nil }
        return native
    }

    private func sides(_ options: NativeOptions) -> Switch? {
        Spellings.sides.first { $0.native(in: options) != nil }
    }

    private func controls(_ options: NativeOptions) -> [NativeOption] {
        [native(options), sides(options)?.native(in: options)].compactMap { $0 }
    }
}

extension Switch {
    fileprivate func isOn(_ options: NativeOptions) -> Bool {
        guard let native = native(in: options), native.isActive else { return false }
        return native.value == on
    }

    fileprivate func step(_ isOn: Bool) -> OptionStep {
        OptionStep(option: option, value: isOn ? on : off)
    }
}
