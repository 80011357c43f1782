import CaptureKit

/// Colors: `bilevel`, `gray` or `color`.
///
/// Drivers without a mode for black and white have a depth of one bit in their gray mode instead.
struct ModeSetting: DriverSetting {
    func option(_ options: NativeOptions) -> DeviceOption? {
        guard let native = native(options) else { return nil }
        let mapped = mapped(native, options)
        guard !mapped.isEmpty else { return nil }
        return DeviceOption(
            name: "mode", title: "Mode", help: "Black and white, gray or color.",
            group: commonGroup,
            type: .choice(["bilevel", "gray", "color"].filter { mapped[$0] != nil }),
            value: current(native, mapped, options).map { .text($0) }, isActive: native.isWritable)
    }

    func covered(_ options: NativeOptions) -> [String] {
        native(options).map { [$0.name] } ?? []
    }

    func steps(to value: OptionValue, _ options: NativeOptions) -> [OptionStep] {
        guard case .text(let mode) = value, let native = native(options),
            let target = mapped(native, options)[mode]
        else { return [] }
        var steps = [OptionStep(native, .text(target))]
        if let depth = bilevelDepth(options) {
            let isBilevel = depth.value?.number == 1
            if mode == "bilevel", target == mapped(native, options)["gray"] {
                steps.append(OptionStep(depth, 1))
            } else if isBilevel {
                steps.append(OptionStep(depth, 8))
            }
        }
        return steps
    }

    private func native(_ options: NativeOptions) -> NativeOption? {
        guard let native = options.first(of: Spellings.modeOptions), case .texts = native.constraint
        else { return nil }
        return native
    }

    private func mapped(_ native: NativeOption, _ options: NativeOptions) -> [String: String] {
        guard case .texts(let texts) = native.constraint else { return [:] }
        var mapped = Dictionary(
            Spelling.sort(texts, Spellings.modes).map { ($0.common, $0.native) },
            uniquingKeysWith: { first, _ in first })
        if mapped["bilevel"] == nil, bilevelDepth(options) != nil {
            mapped["bilevel"] = mapped["gray"]
        }
        return mapped
    }

    private func current(
        _ native: NativeOption, _ mapped: [String: String], _ options: NativeOptions
    ) -> String? {
        guard let text = native.value?.text,
            let meaning = Spelling.meaning(of: text, Spellings.modes)
        else { return nil }
        let isByDepth = mapped["bilevel"] == mapped["gray"]
        if meaning == "gray", isByDepth, bilevelDepth(options)?.value?.number == 1 {
            return "bilevel"
        }
        return meaning
    }

    /// The option for the bits in a sample, if one bit is possible.
    private func bilevelDepth(_ options: NativeOptions) -> NativeOption? {
        guard let depth = options.first(of: Spellings.depthOptions), depth.isSettable,
            case .numbers(let bits) = depth.constraint, bits.contains(1), bits.contains(8)
        else { return nil }
        return depth
    }
}
