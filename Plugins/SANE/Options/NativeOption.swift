/// A driver's description of an option (`SANE_Option_Descriptor`), copied from the driver's memory.
struct NativeOption: Hashable, Sendable {
    /// The type of a value.
    enum Kind: Hashable, Sendable {
        case toggle, integer, fixed, text, button
    }

    /// The values that a driver allows for an option.
    enum Constraint: Hashable, Sendable {
        case none
        /// From `lower` to `upper` in steps of `step`; any value if `step` is 0.
        case range(lower: Double, upper: Double, step: Double)
        case numbers([Double])
        case texts([String])
    }

    /// A `SANE_Unit`.
    enum Unit: Hashable, Sendable {
        case none, pixels, bits, millimeters, dpi, percent, microseconds
    }

    /// The number of the option in SANE.
    var index: Int
    /// SANE's name; empty for an option that has none.
    var name: String
    var title: String
    /// The driver's description of the option, on one line.
    var help = ""
    /// The title of the option's group.
    var group: String?
    var kind: Kind
    var unit = Unit.none
    var constraint = Constraint.none
    /// Bytes a value takes (`opt->size`).
    var size = 4
    var isActive = true
    /// True when software can set the option (`SANE_CAP_SOFT_SELECT`).
    var isSettable = true
    /// True when software can read the option (`SANE_CAP_SOFT_DETECT`).
    var isReadable = true
    var isAdvanced = false
    /// The present value; nil for a button, an inactive option, and an unreadable one.
    var value: NativeValue?

    /// Words a value has; above 1 for gamma tables and the like.
    var wordCount: Int { kind == .integer || kind == .fixed ? max(1, size / 4) : 1 }

    /// True when software may set the option now.
    var isWritable: Bool { isActive && isSettable }
}

/// A value in a driver's own terms.
enum NativeValue: Hashable, Sendable {
    case toggle(Bool)
    /// One number, or one for each of the option's words.
    case numbers([Double])
    case text(String)

    /// The only number of the value.
    var number: Double? {
        if case .numbers(let numbers) = self, numbers.count == 1 { numbers[0] } else { nil }
    }

    /// The text of the value.
    var text: String? { if case .text(let text) = self { text } else { nil } }
}

extension NativeOption {
    /// The minimum and the maximum number that the option accepts; nil if there is no such
    /// constraint.
    var bounds: ClosedRange<Double>? {
        switch constraint {
        case .range(let lower, let upper, _): lower <= upper ? lower...upper : nil
        case .numbers(let numbers):
            if let least = numbers.min(), let most = numbers.max() { least...most } else { nil }
        case .none, .texts: nil
        }
    }

    /// The number nearest to `number` that the driver's constraint allows.
    func nearest(_ number: Double) -> Double {
        switch constraint {
        case .none, .texts: return number
        case .numbers(let numbers):
            return numbers.min { abs($0 - number) < abs($1 - number) } ?? number
        case .range(let lower, let upper, let step):
            guard lower <= upper else { return number }
            let clamped = min(upper, max(lower, number))
            guard step > 0 else { return clamped }
            let steps = ((clamped - lower) / step).rounded()
            let value = lower + steps * step
            return value > upper ? value - step : value
        }
    }

    /// The nearest value that the constraint allows; texts stay unchanged.
    func nearest(_ value: NativeValue) -> NativeValue {
        guard case .numbers(let numbers) = value else { return value }
        return .numbers(numbers.map { nearest($0) })
    }
}

/// The options of a driver, by name.
struct NativeOptions: Hashable, Sendable {
    var all: [NativeOption]

    /// The option with that name; if a driver has several, the one that can be set now.
    subscript(_ name: String) -> NativeOption? {
        // A list of options needs some hundred look-ups, so only the found option is copied.
        var found: Int?
        for index in all.indices where all[index].name == name {
            if all[index].isWritable { return all[index] }
            found = found ?? index
        }
        return found.map { all[$0] }
    }

    /// The first of `names` that the driver has, preferably one that can be set now.
    func first(of names: [String]) -> NativeOption? {
        let named = names.lazy.compactMap { self[$0] }
        return named.first(where: \.isWritable) ?? named.first
    }
}
