import FileNames
import Detection
import FoundationEssentials

extension Profile {
    private static func json(_ text: TextReading) -> JSONValue {
        var members: [String: JSONValue] = [
            "languages": .texts(text.languages)
        ]
        if let reader = text.reader { members["reader"] = .text(reader) }
        return .object(members)
    }

    /// The profile in plain JSON with every key but its name, as in a profile's file, for filling
    /// in a form.
    ///
    /// Values equal to the defaults are left out of `live` and of the steps' options.
    ///
    /// - Throws: an error of `JSONEncoder`, which does not occur for a valid profile.
    public func json() throws -> String {
        var members: [String: JSONValue] = [
            "title": .text(title), "description": .text(description),
            "looksFor": .text(looksFor.word), "steps": .list(steps.map(Self.json)),
            "text": text.map(Self.json) ?? "off",
            "sinks": .texts(sinks),
        ]
        if existingText != .keep { members["existingText"] = .text(existingText.rawValue) }
        if !splitAt.isEmpty { members["splitAt"] = .texts(splitAt) }
        if case .region(let region) = looksFor {
            members["region"] = [
                "left": .number(region.left), "top": .number(region.top),
                "width": .number(region.width), "height": .number(region.height),
            ]
        }
        let usual = AutoCaptureSettings(for: looksFor)
        let changed = ProfileReader.liveKeys.filter {
            live[keyPath: $0.path] != usual[keyPath: $0.path]
        }
        if !changed.isEmpty {
            members["live"] = .object(
                Dictionary(
                    uniqueKeysWithValues: changed.map {
                        ($0.name, JSONValue.number(live[keyPath: $0.path]))
                    }))
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return SafeJSON.text(try encoder.encode(JSONValue.object(members)))
    }

    private static func json(_ step: Step) -> JSONValue {
        step.settings.values.isEmpty
            ? .text(step.name)
            : .object([step.name: .object(step.settings.values.mapValues(JSONValue.init))])
    }
}

extension JSONValue {
    init(_ value: StepValue) {
        self =
            switch value {
            case .number(let number): .number(number)
            case .flag(let flag): .flag(flag)
            case .choice(let choice): .text(choice)
            }
    }
}
