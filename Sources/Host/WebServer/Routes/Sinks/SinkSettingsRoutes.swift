import BlockingWork
import Delivery
import FileNames
import HTTPServer

/// `/api/v1/sinks/{name}`: the settings of a service, and changes to them.
///
/// Only services can be changed over the network, as only they can be added: see ``SinkRoutes``.
struct SinkSettingsRoutes {
    let context: ServerContext

    private struct Change: Decodable {
        /// The new texts by the names of the settings; nil removes one.
        var settings: [String: String?]
    }

    private struct SettingsJSON: Encodable {
        var name: String
        var kind: String
        var settings: [String: String] = [:]
        /// The settings that are set but not shown: secrets, and addresses with secrets in them.
        var hidden: [String] = []
    }

    var routes: [Route] {
        [
            Route(
                "GET", "/api/v1/sinks/{name}", needs: .admin, group: "Sinks",
                "Show what is set for a service, without its secrets",
                answers: [
                    .init(
                        status: 200,
                        summary:
                            "The settings, by the names that /api/v1/sink-kinds has for the kind, and the names of those that are not shown",
                        schema: .record([
                            "name": .string(), "kind": .string(),
                            "settings": .dictionary(.string()), "hidden": .array(.string()),
                        ]))
                ], problems: [404, 422, 500],
                work: { [context] call in
                    try .json(Self.shown(call["name"], try Self.service(call["name"], context)))
                }),
            Route(
                "PATCH", "/api/v1/sinks/{name}", needs: .admin, group: "Sinks",
                "Change settings of a service: others stay, null removes one. If its address leads to another host, its secrets must be given again",
                body: .record([
                    "settings": .limited(.dictionary(.nullable(.string())), ["minProperties": 1])
                ]),
                answers: [.init(status: 204, summary: "It is changed", type: nil)],
                problems: [404, 415, 422, 500, 507],
                work: { [context] call in
                    let (name, change) = (call["name"], try call.decoded(Change.self))
                    _ = try Self.service(name, context)
                    try await onOwnThread {
                        try context.sinks.change { registry in
                            let before = try registry.sink(name)
                            try registry.add(name, try Self.changed(before, by: change.settings))
                        }
                    }
                    return .done
                }),
        ]
    }

    private static func service(_ name: String, _ context: ServerContext) throws -> SinkDefinition {
        let definition = try SinkRoutes.known(name, context)
        guard definition.kind.isRemote else {
            throw Problem(
                422, "invalid-sink",
                detail:
                    "'\(name)' is a folder or a program of the host, and can't be changed over the network. Change it there, with: copystand sinks add \(name)"
            )
        }
        return definition
    }

    private static func shown(_ name: String, _ sink: SinkDefinition) -> SettingsJSON {
        var shown = SettingsJSON(name: name, kind: sink.kind.name)
        for setting in SinkOrderSchema.settings(sink.kind) {
            guard let text = sink[setting] else { continue }
            let isHidden = setting.isSecret || setting.place == .url && sink.shownTarget != text
            if isHidden {
                shown.hidden.append(setting.name)
            } else {
                shown.settings[setting.name] = text
            }
        }
        return shown
    }

    private static func changed(
        _ before: SinkDefinition, by settings: [String: String?]
    ) throws -> SinkDefinition {
        let known = SinkOrderSchema.settings(before.kind)
        var sink = before
        for (name, text) in settings.sorted(by: { $0.key < $1.key }) {
            guard let setting = known.first(where: { $0.name == name }) else {
                let names = known.map(\.name).joined(separator: ", ")
                throw Problem(
                    422, "invalid-sink",
                    detail:
                        "A sink of the kind '\(before.kind.name)' has no setting '\(name)'. The known ones are: \(names)."
                )
            }
            sink[setting] = text
        }
        try SinkRoutes.checkLines(sink)
        // A secret that is kept would be sent to another host.
        let kept = known.filter { $0.isSecret && before[$0] != nil && settings[$0.name] == nil }
        guard before.origins == sink.origins || kept.isEmpty && before.headers == nil else {
            throw Problem(
                422, "secret-needed",
                detail:
                    "The service would be at another address, and its secrets would be sent there. Give its token or password again; a sink with headers of its own is changed on the host, with: copystand sinks add"
            )
        }
        return sink
    }
}
