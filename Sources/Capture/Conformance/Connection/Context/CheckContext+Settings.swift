import CaptureHost
import CaptureKit
import ExpectedFailures

// Sets options to values that the backend lists as possible.
extension CheckContext {
    /// The results of setting every option to another value that the backend lists as possible.
    ///
    /// Each option is set back before the next one is set. With a real device, advanced options are
    /// not touched.
    func settings() throws -> [SeenSetting] {
        if let known = findings.settings { return try known.get() }
        let result = Result { try withDevice(trySettings) }
        findings.settings = result
        return try result.get()
    }

    private func trySettings(_ connection: CheckConnection, _ handle: Int) throws -> [SeenSetting] {
        var seen: [SeenSetting] = []
        var before = try options(connection, handle)
        for name in before.map(\.name) {
            guard let option = before.first(where: { $0.name == name }), option.isSettable,
                let value = option.another ?? given(option), !(run.isReal && option.isAdvanced)
            else { continue }
            let answer = try set(connection, handle, option: name, value: value)
            let after = try options(connection, handle)
            seen.append(try SeenSetting(name, value, answer: answer, before: before, after: after))
            if let old = option.value { _ = try set(connection, handle, option: name, value: old) }
            // Setting this option may have changed other options, and setting it back need not undo
            // the changes.
            before = try options(connection, handle)
        }
        if seen.isEmpty {
            throw NotApplicable("no option is known to accept another value; give one with --set")
        }
        return seen
    }

    /// The value that the user gave for an option.
    ///
    /// A text option needs such a value, since no other valid value is known.
    private func given(_ option: DeviceOption) -> OptionValue? {
        run.settings.last { $0.name == option.name }.flatMap {
            setting in ofKnownForm { try OpenDevice.parse(setting.value, for: option) }
        }
    }

    /// Makes pages small if the device has an option for it: the checks are then the same, but
    /// faster.
    func lighten(_ connection: CheckConnection, _ handle: Int) throws {
        let options = try options(connection, handle)
        let resolution = options.first { $0.name == "resolution" && $0.isSettable }
        let least: OptionValue? =
            switch resolution?.type {
            case .integerChoice(let choices): choices.min().map { .integer($0) }
            case .integer(let range?, nil):
                .integer(max(range.lowerBound, min(50, range.upperBound)))
            case .number(let range?, nil): .number(max(range.lowerBound, min(50, range.upperBound)))
            default: nil
            }
        if let least { _ = try set(connection, handle, option: "resolution", value: least) }
    }
}

/// The outcome of setting an option.
struct SeenSetting {
    let name: String
    let value: OptionValue
    let error: CaptureError?
    /// The value in the answer, and then the value in the list of options afterward.
    let reported: OptionValue?
    let listed: OptionValue?
    let saysReload: Bool
    /// The changes of other options, in words.
    let otherChange: String?
    /// The value that the device used instead of a listed value, in words.
    let substitute: String?

    init(
        _ name: String, _ value: OptionValue, answer: ReceivedMessage, before: [DeviceOption],
        after: [DeviceOption]
    ) throws {
        func others(_ options: [DeviceOption]) -> [DeviceOption] {
            options.filter { $0.name != name && !$0.isReadOnly }
        }
        self.name = name
        self.value = value
        error = answer.line.header.error
        let outcome = try error == nil ? answer.line.decode(OptionOutcome.self) : nil
        reported = outcome?.value
        listed = after.first { $0.name == name }?.value
        saysReload = outcome?.reloadOptions ?? false
        otherChange = others(before).difference(from: others(after))
        let isListed =
            switch before.first(where: { $0.name == name })?.type {
            case .choice, .integerChoice, .toggle: true
            default: false
            }
        // Paper is `custom` while the area is not that of a sheet, and can't be set to `custom`.
        let isStatement = name == "paper" && value == .text("custom")
        let listed = listed
        let taken = reported.flatMap { listed?.isSame($0) == true ? $0 : nil }
        substitute =
            isListed && !isStatement
            ? taken.flatMap { $0.isSame(value) ? nil : "\($0.shown) in its place" } : nil
    }
}

extension DeviceOption {
    /// True if the option can be set now.
    var isSettable: Bool { isActive && !isReadOnly }

    /// A possible value other than the present one; nil if no such value is known.
    ///
    /// None is known for text, because any other text may name something that does not exist.
    var another: OptionValue? {
        switch (type, value) {
        case (.toggle, .bool(let value)): .bool(!value)
        case (.integer(let range?, _), .integer(let value)) where value != range.lowerBound:
            .integer(range.lowerBound)
        case (.integer(let range?, let step), .integer):
            fits(.integer(range.lowerBound &+ (step ?? 1)))
                ? .integer(range.lowerBound &+ (step ?? 1)) : nil
        case (.number(let range?, _), let value?) where !value.isSame(.number(range.lowerBound)):
            .number(range.lowerBound)
        case (.integerChoice(let choices), .integer(let value)):
            choices.last { $0 != value }.map { .integer($0) }
        case (.choice(let choices), .text(let value)):
            choices.last { $0 != value }.map { .text($0) }
        default: nil
        }
    }
}

extension DeviceOption {
    /// A value between two steps of the option; nil for an option without steps.
    var betweenSteps: OptionValue? {
        switch type {
        case .integer(let range?, let step?)
        where step > 1 && range.upperBound - range.lowerBound > step:
            .integer(range.lowerBound + 1)
        case .number(let range?, let step?) where range.upperBound - range.lowerBound > step:
            .number(range.lowerBound + step / 2)
        default: nil
        }
    }
}

extension OptionValue {
    /// True if two values are the same, where 2.0 and 2 are the same.
    func isSame(_ other: OptionValue) -> Bool {
        switch (self, other) {
        case (.integer(let one), .number(let two)), (.number(let two), .integer(let one)):
            Double(one) == two
        default: self == other
        }
    }
}
