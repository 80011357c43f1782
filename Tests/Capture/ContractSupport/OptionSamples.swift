import CaptureKit

/// Returns true if an option of this type may have the value.
func fits(_ value: OptionValue, _ type: OptionType) -> Bool {
    switch (type, value) {
    case (.toggle, .bool), (.text, .text): true
    case (.integer(let range, _), .integer(let value)): range?.contains(value) ?? true
    case (.number(let range, _), .number(let value)): range?.contains(value) ?? true
    case (.number(let range, _), .integer(let value)): range?.contains(Double(value)) ?? true
    case (.integerChoice(let choices), .integer(let value)): choices.contains(value)
    case (.choice(let choices), .text(let value)): choices.contains(value)
    default: false
    }
}

/// A valid value of the option that differs from `value`; nil if the type does not determine one.
func another(than value: OptionValue, _ type: OptionType) -> OptionValue? {
    switch (type, value) {
    case (.toggle, .bool(let value)): .bool(!value)
    case (.integer(let range?, _), .integer(let value)):
        value == range.lowerBound ? nil : .integer(range.lowerBound)
    case (.number(let range?, _), _): .number(range.lowerBound)
    case (.integerChoice(let choices), .integer(let value)):
        choices.last { $0 != value }.map { .integer($0) }
    case (.choice(let choices), .text(let value)):
        choices.last { $0 != value }.map { .text($0) }
    default: nil
    }
}

/// A value that the option must refuse; nil if every value of its kind may be valid.
func wrongValue(_ type: OptionType) -> OptionValue? {
    switch type {
    case .toggle: .text("perhaps")
    case .integer(let range, _):
        if let range, range.upperBound < .max {
            .integer(range.upperBound + 1)
        } else {
            .text("many")
        }
    case .number(let range, _):
        if let range { .number(range.upperBound + 1) } else { .text("many") }
    case .integerChoice(let choices): .integer((choices.max() ?? 0) + 1)
    case .choice: .text("no such choice 0")
    case .text: .integer(1)
    case .button: nil
    }
}

/// Returns true for equal values; an integer equals the same number as a decimal.
func same(_ one: OptionValue, _ other: OptionValue) -> Bool {
    switch (one, other) {
    case (.integer(let one), .number(let other)), (.number(let other), .integer(let one)):
        Double(one) == other
    default: one == other
    }
}
