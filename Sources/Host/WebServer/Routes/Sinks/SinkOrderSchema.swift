import FileNames
import Delivery

/// The schema of an order for a sink, with one form per kind, made from the declarations of the
/// kinds.
enum SinkOrderSchema {
    /// A text on one line, so that a secret can't begin another header of the request.
    private static let line = "^[^\\u0000-\\u001f\\u007f]*$"

    /// The settings of a kind that can be set over the network.
    static func settings(_ kind: SinkDefinition.Kind) -> [SinkSetting] {
        kind.settings.filter { setting in
            switch setting.place {
            case .url, .token, .user, .password, .template, .parameter: true
            case .headers, .form, .command, .environment, .timeLimit: false
            }
        }
    }

    /// The schema of an order for one of these kinds.
    static func schema(_ kinds: [SinkDefinition.Kind]) -> Schema {
        .limited(
            .record(
                [
                    "name": .string(
                        description: "Any name but 'archive' that no sink has yet",
                        pattern: "^[a-z0-9-]{1,40}$"),
                    "kind": .string(choices: kinds.map(\.name)),
                ],
                isOpen: true),
            ["oneOf": .list(kinds.map { form($0).json })])
    }

    private static func form(_ kind: SinkDefinition.Kind) -> Schema {
        let settings = settings(kind)
        var members: [(name: String, schema: Schema)] = [
            ("kind", .string(choices: [kind.name]))
        ]
        members += settings.filter { !$0.isParameter }.map { ($0.name, value($0, kind)) }
        let parameters = settings.filter(\.isParameter)
        var needed = ["kind"] + settings.filter { $0.isNeeded && !$0.isParameter }.map(\.name)
        if !parameters.isEmpty {
            let required = parameters.filter(\.isNeeded).map(\.name)
            members.append(
                (
                    "parameters",
                    .object(parameters.map { ($0.name, value($0, kind)) }, required: required)
                ))
            if !required.isEmpty { needed.append("parameters") }
        }
        return .object(members, required: needed, isOpen: true)
    }

    private static func value(_ setting: SinkSetting, _ kind: SinkDefinition.Kind) -> Schema {
        if setting.place == .url {
            return .string(
                description: "Without a user name",
                pattern: "^(\(kind.schemes.joined(separator: "|")))"
                    + #"://([A-Za-z0-9._:-]+|\[[0-9A-Fa-f:.]+\](:[0-9]+)?)([/?][!"$-~]*)?$"#)
        }
        guard setting.choices.isEmpty else { return .string(choices: setting.choices) }
        let text = Schema.string(description: setting.help, pattern: line)
        // A parameter without a value is left out.
        return setting.isNeeded || setting.isParameter ? text : .nullable(text)
    }
}
