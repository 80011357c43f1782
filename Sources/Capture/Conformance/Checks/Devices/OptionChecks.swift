import CaptureHost
import CaptureKit
import ExpectedFailures

let optionChecks = [
    ConformanceCheck(
        "options.answers", .must, section: "options", title: "Lists the options of an open device"
    ) {
        try $0.withOptions { _, _, _ in }
    },
    ConformanceCheck(
        "options.form", .must, section: "options",
        title: "Describes options as the protocol requires"
    ) { context in
        try context.withDevice { connection, handle in
            let answer = try context.optionsAnswer(connection, handle)
            let options: [DeviceOption]
            do throws(WireError) {
                options = try answer.line.decode(Wire.Options.self).options
            } catch {
                throw CheckFailure("options that match the schema", came: error.message)
            }
            for option in options {
                if let fault = DeviceRules.fault([option]) {
                    throw CheckFailure(
                        "options that the protocol allows",
                        came: "one whose \(fault)")
                }
            }
            for words in try answer.line.decode(OptionWords.self).options {
                try words.type.kind.isOne(of: OptionType.kinds, "kind of an option")
                try words.unit?.isOne(of: OptionUnit.all.map(\.rawValue), "unit")
            }
        }
    },
    ConformanceCheck("options.unique", .must, section: "options", title: "Lists each option once") {
        try $0.withOptions { _, _, options in
            var names: Set<String> = []
            for option in options where !names.insert(option.name).inserted {
                throw CheckFailure("each name once", came: "'\(option.name)' twice")
            }
        }
    },
    ConformanceCheck(
        "options.values", .must, section: "options", title: "Has values that fit their types"
    ) {
        try $0.withOptions { _, _, options in
            for option in options where option.isActive {
                guard let value = option.value, !option.fits(value), option.type != .button else {
                    continue
                }
                throw CheckFailure(
                    "a value of '\(option.name)' that it takes", came: value.shown)
            }
        }
    },
    ConformanceCheck(
        "options.defaults", .should, section: "options", title: "Has defaults that fit their types"
    ) {
        try $0.withOptions { _, _, options in
            let defaults = options.filter { $0.defaultValue != nil }
            if defaults.isEmpty { throw NotApplicable("no option has a default") }
            for option in defaults {
                guard let value = option.defaultValue, !option.fits(value) else { continue }
                throw CheckFailure(
                    "a default of '\(option.name)' that it takes", came: value.shown)
            }
        }
    },
    ConformanceCheck(
        "options.button", .must, section: "options", title: "Has buttons without a value"
    ) {
        try $0.withOptions { _, _, options in
            let buttons = options.filter { $0.type == .button }
            if buttons.isEmpty { throw NotApplicable("no option is a button") }
            for button in buttons {
                guard let value = button.value else { continue }
                throw CheckFailure("no value of the button '\(button.name)'", came: value.shown)
            }
        }
    },
    ConformanceCheck(
        "options.sensor", .must, section: "options", title: "Has sensors only as read-only options"
    ) {
        try $0.withOptions { _, _, options in
            let sensors = options.filter { $0.sensor != nil }
            if sensors.isEmpty { throw NotApplicable("no option is a sensor") }
            for option in sensors where !option.isReadOnly {
                throw CheckFailure("a read-only sensor", came: "'\(option.name)', which can be set")
            }
        }
    },
    ConformanceCheck(
        "options.host-path", .must, section: "options",
        title: "Has paths only as text that can be set"
    ) {
        try $0.withOptions { _, _, options in
            let paths = options.filter(\.hostPath)
            if paths.isEmpty { throw NotApplicable("no option names a file") }
            for option in paths {
                if case .text = option.type, !option.isReadOnly { continue }
                throw CheckFailure(
                    "'hostPath' on a text that can be set", came: "it on '\(option.name)'")
            }
        }
    },
    ConformanceCheck(
        "options.steady", .must, section: "options", title: "Lists the same options again"
    ) { context in
        try context.withOptions { connection, handle, options in
            let again = try context.options(connection, handle)
            // A read-only option may change on its own.
            let before = options.filter { !$0.isReadOnly }
            let after = again.filter { !$0.isReadOnly }
            guard let change = before.difference(from: after) else { return }
            throw CheckFailure("the same options when nothing was set", came: change)
        }
    },
    ConformanceCheck(
        "options.common", .should, section: "Common settings",
        title: "Uses the names, words and units of common settings"
    ) {
        let context = $0
        let device = try context.device()
        try context.withOptions { _, _, options in
            for name in options.map(\.name) {
                guard let (expected, came) = options.oddity(of: name, on: device) else { continue }
                throw CheckFailure(expected, came: came)
            }
        }
    },
    ConformanceCheck(
        "options.words", .should, section: "options", title: "Says in words what its options do"
    ) {
        struct Words: Decodable {
            struct Option: Decodable {
                var name: String?
                var title: String?
                var help: String?
            }
            var options: [Lenient<Option>]
        }
        let context = $0
        try context.withDevice { connection, handle in
            let answer = try context.optionsAnswer(connection, handle)
            let options = try answer.line.decode(Words.self).options.compactMap(\.value)
            if options.isEmpty { throw NotApplicable("the device has no options") }
            for option in options where option.title?.isEmpty != false {
                throw CheckFailure("a title of '\(option.name ?? "")'", came: "none")
            }
        }
    },
]

extension CheckContext {
    /// Runs `body` with the opened device and its options.
    func withOptions(_ body: (CheckConnection, Int, [DeviceOption]) throws -> Void) throws {
        try withDevice { connection, handle in
            try body(connection, handle, options(connection, handle))
        }
    }
}

extension [DeviceOption] {
    /// The first difference from another list, in words; nil when both are equal.
    func difference(from other: [DeviceOption]) -> String? {
        if map(\.name) != other.map(\.name) { return "other names" }
        let change = zip(self, other).first { $0 != $1 }
        return change.map { one, two in
            one.value == two.value
                ? "another description of '\(one.name)'"
                : "'\(one.name)' as \(two.value?.shown ?? "nothing"), not \(one.value?.shown ?? "nothing")"
        }
    }
}

extension DeviceOption {
    /// True if the option could ever have this value.
    func fits(_ value: OptionValue) -> Bool {
        var open = self
        open.isReadOnly = false
        open.isActive = true
        guard let taken = ofKnownForm({ try open.accepting(value) }) else { return false }
        // A value must be spelled exactly as in the list of choices.
        if case .text = value { return taken == value }
        return true
    }
}

/// The words in options that hosts know, as they were sent.
private struct OptionWords: Decodable {
    struct Option: Decodable {
        var type: OptionType.KindOnly
        var unit: String?
    }
    var options: [Option]
}
