import CaptureHost
import CaptureKit

let setChecks = [
    ConformanceCheck("set.answers", .must, section: "set", title: "Answers when an option is set") {
        context in
        try context.withDevice { connection, handle in
            _ = try context.set(connection, handle, option: "no-such-option-0", value: .bool(true))
        }
    },
    ConformanceCheck("set.unknown", .must, section: "set", title: "Refuses an unknown option") {
        context in
        try context.withDevice { connection, handle in
            let answer = try context.set(
                connection, handle, option: "no-such-option-0", value: .bool(true))
            try context.refused(answer, "an unknown option", .noSuchOption)
        }
    },
    ConformanceCheck(
        "set.takes", .should, section: "set", title: "Accepts values that its options allow"
    ) {
        for setting in try $0.settings() {
            let error = setting.error.map { "the error \($0.code.rawValue): \($0.message)" }
            guard let came = error ?? setting.substitute else { continue }
            throw CheckFailure("'\(setting.name)' to accept \(setting.value.shown)", came: came)
        }
    },
    ConformanceCheck(
        "set.tells", .must, section: "set", title: "Lists the value that it reported as set"
    ) {
        for setting in try $0.settings() {
            guard let reported = setting.reported, let listed = setting.listed,
                !listed.isSame(reported)
            else {
                continue
            }
            throw CheckFailure(
                "'\(setting.name)' listed as \(reported.shown), as it was answered",
                came: listed.shown)
        }
    },
    ConformanceCheck(
        "set.reload", .must, section: "set", title: "Says when other options changed with one"
    ) {
        for setting in try $0.settings() where !setting.saysReload {
            guard let change = setting.otherChange else { continue }
            throw CheckFailure(
                "'reloadOptions' when '\(setting.name)' is set", came: "none, and \(change)")
        }
    },
    ConformanceCheck(
        "set.button", .must, section: "set", title: "Performs a button's action", isHarsh: true
    ) { context in
        try context.withOptions { connection, handle, options in
            let buttons = options.filter { $0.type == .button && $0.isActive && !$0.isReadOnly }
            if buttons.isEmpty { throw NotApplicable("no option is a button") }
            for button in buttons.prefix(10) {
                let answer = try context.set(
                    connection, handle, option: button.name, value: .bool(true))
                try context.accepted(answer, "set '\(button.name)'")
            }
        }
    },
    refusal("set.range", "Refuses numbers beyond an option's range") { option in
        switch option.type {
        case .integer(let range?, _):
            [
                range.lowerBound.subtractingReportingOverflow(1),
                range.upperBound.addingReportingOverflow(1),
            ]
            .filter { !$0.overflow }.map { .integer($0.partialValue) }
        case .number(let range?, _):
            [.number(range.lowerBound - 1), .number(range.upperBound + 1)]
        default: []
        }
    },
    refusal("set.choice", "Refuses values that are not among an option's choices") { option in
        switch option.type {
        case .choice: [.text("no such choice 0")]
        case .integerChoice(let choices):
            [choices.max().map { $0.addingReportingOverflow(1) }].compactMap { $0 }
                .filter { !$0.overflow }.map { .integer($0.partialValue) }
        default: []
        }
    },
    refusal("set.type", "Refuses values of another type") { option in
        switch option.type {
        case .toggle: [.integer(7), .text("perhaps")]
        case .integer, .number, .integerChoice: [.text("many"), .bool(true)]
        case .choice, .text: [.integer(1), .bool(true)]
        case .button: []
        }
    },
    refusal("set.length", "Refuses text that is too long") { option in
        if case .text(let most?) = option.type, most < 100_000 {
            [.text(String(repeating: "x", count: most + 1))]
        } else {
            []
        }
    },
    ConformanceCheck(
        "set.step", .must, section: "set",
        title: "Accepts only numbers on an option's steps"
    ) {
        let context = $0
        try context.withOptions { connection, handle, options in
            var hasAny = false
            for option in options where option.isSettable {
                guard let value = option.betweenSteps else { continue }
                hasAny = true
                let answer = try context.set(connection, handle, option: option.name, value: value)
                if answer.line.header.error != nil { continue }
                let now = try context.options(connection, handle).first { $0.name == option.name }?
                    .value
                guard let now, !option.fits(now) else { continue }
                throw CheckFailure(
                    "an error for '\(option.name)' = \(value.shown), or the nearest step",
                    came: now.shown)
            }
            if !hasAny { throw NotApplicable("no option has steps") }
        }
    },
    ConformanceCheck(
        "set.read-only", .must, section: "options", title: "Refuses to set read-only options"
    ) {
        context in
        try context.withOptions { connection, handle, options in
            let fixed = options.filter { $0.isReadOnly && $0.isActive && $0.value != nil }
            if fixed.isEmpty { throw NotApplicable("no option is read-only") }
            for option in fixed.prefix(20) {
                guard let value = option.value else { continue }
                let answer = try context.set(connection, handle, option: option.name, value: value)
                try context.refused(answer, "the read-only option '\(option.name)'", .invalidValue)
            }
        }
    },
    ConformanceCheck(
        "set.inactive", .should, section: "options",
        title: "Refuses to set inactive options"
    ) { context in
        try context.withOptions { connection, handle, options in
            if try context.refusesInactive(connection, handle, options) { return }
            // All are active now, but another may make one inactive, such as an automatic gain.
            for option in options.prefix(50) where option.isSettable {
                guard !(context.run.isReal && option.isAdvanced), let old = option.value else {
                    continue
                }
                for value in option.alternatives {
                    _ = try context.set(connection, handle, option: option.name, value: value)
                    let now = try context.options(connection, handle)
                    let isFound = try context.refusesInactive(connection, handle, now)
                    _ = try context.set(connection, handle, option: option.name, value: old)
                    if isFound { return }
                }
            }
            throw NotApplicable("every option is active")
        }
    },
    ConformanceCheck(
        "set.harmless", .must, section: "set", title: "Changes nothing when it refuses a value"
    ) {
        context in
        try context.withOptions { connection, handle, options in
            for option in options where option.isSettable && option.type != .button {
                let wrong: OptionValue =
                    if case .text = option.value { .integer(1) } else { .text("x") }
                let answer = try context.set(connection, handle, option: option.name, value: wrong)
                // Another check judges refusals.
                if answer.line.header.error == nil { continue }
                let now = try context.options(connection, handle).first { $0.name == option.name }
                guard let value = option.value, let other = now?.value, value != other else {
                    continue
                }
                throw CheckFailure("'\(option.name)' as it was, \(value.shown)", came: other.shown)
            }
        }
    },
]

extension CheckContext {
    /// True if there are inactive options, which must refuse to be set.
    fileprivate func refusesInactive(
        _ connection: CheckConnection, _ handle: Int, _ options: [DeviceOption]
    ) throws -> Bool {
        let inactive = options.filter { !$0.isActive && !$0.isReadOnly && $0.value != nil }
        for option in inactive.prefix(20) {
            guard let value = option.value else { continue }
            let answer = try set(connection, handle, option: option.name, value: value)
            try refused(answer, "the inactive option '\(option.name)'", .invalidValue)
        }
        return !inactive.isEmpty
    }
}

extension DeviceOption {
    /// Further values of an option on which others may depend.
    fileprivate var alternatives: [OptionValue] {
        switch (type, value) {
        case (.toggle, .bool(let value)): [.bool(!value)]
        case (.choice(let choices), .text(let value)):
            choices.filter { $0 != value }.prefix(5).map { .text($0) }
        default: []
        }
    }
}

/// A check that values of one sort are refused.
private func refusal(
    _ id: String, _ title: String,
    _ wrong: @escaping @Sendable (DeviceOption) -> [OptionValue]
) -> ConformanceCheck {
    ConformanceCheck(id, .must, section: "set", title: title) { context in
        try context.withOptions { connection, handle, options in
            var hasAny = false
            for option in options where option.isSettable {
                for value in wrong(option) {
                    hasAny = true
                    let answer = try context.set(
                        connection, handle, option: option.name, value: value)
                    try context.refused(answer, "'\(option.name)' = \(value.shown)", .invalidValue)
                }
            }
            if !hasAny { throw NotApplicable("no option is of such a type") }
        }
    }
}
