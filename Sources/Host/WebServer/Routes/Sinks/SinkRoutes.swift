import BlockingWork
import Delivery
import FileNames
import HTTPServer

/// `/api/v1/sinks`: the named sinks.
///
/// Only services can be added over the network: with a folder or a program, anyone who reaches the
/// host could write and run anything there.
struct SinkRoutes {
    let context: ServerContext

    /// A service in a client's request.
    private struct Order: Decodable {
        var name: String
        var kind: String
        var url: String
        var token: String?
        var user: String?
        var password: String?
        var parameters: [String: String]?

        var template: String?
    }

    private struct SinksJSON: Encodable {
        struct Named: Encodable {
            var name: String
            var kind: String
            var target: String?
        }
        var sinks: [String]
        var named: [Named]
    }

    private struct AnswerJSON: Encodable {
        var works: Bool
        var answer: String
    }

    private struct KindsJSON: Encodable {
        struct Kind: Encodable {
            var name: String
            var schemes: [String]
            var settings: [Setting]
        }
        struct Setting: Encodable {
            var name: String
            var isNeeded: Bool
            var isSecret: Bool
            var isParameter: Bool
            var choices: [String]
        }
        var kinds: [Kind]

        init(_ kinds: [SinkDefinition.Kind]) {
            self.kinds = kinds.map { kind in
                Kind(
                    name: kind.name, schemes: kind.schemes,
                    settings: SinkOrderSchema.settings(kind).map {
                        Setting(
                            name: $0.name, isNeeded: $0.isNeeded, isSecret: $0.isSecret,
                            isParameter: $0.isParameter, choices: $0.choices)
                    })
            }
        }

        static let schema = Schema.record([
            "kinds": .array(
                .record([
                    "name": .string(), "schemes": .array(.string()),
                    "settings": .array(
                        .record([
                            "name": .string(), "isNeeded": .boolean, "isSecret": .boolean,
                            "isParameter": .boolean, "choices": .array(.string()),
                        ])),
                ]))
        ])
    }

    private static let kinds = SinkDefinition.Kind.all.filter(\.isRemote)

    var routes: [Route] {
        [
            Route(
                "GET", "/api/v1/sinks", needs: .scan, group: "Sinks", "List the named sinks",
                answers: [
                    .init(
                        status: 200,
                        summary:
                            "The names for an order: the archive, the named sinks, and 'email:NAME' for each name in the address book. Also the kind of each named sink",
                        schema: .record([
                            "sinks": .array(.string()),
                            "named": .array(
                                .record(
                                    ["name": .string(), "kind": .string()],
                                    optional: ["target": .string()])),
                        ]))
                ],
                problems: [500],
                work: { [context] call in
                    let named = try context.sinks.all().map {
                        SinksJSON.Named(
                            name: $0.name, kind: $0.definition.kind.name,
                            // Paths and programs of the host's machine are not shown; addresses
                            // only to those who may change them.
                            target: call.scope == .admin && $0.definition.kind.isRemote
                                ? $0.definition.shownTarget : nil)
                    }
                    return try .json(
                        SinksJSON(sinks: ["archive"] + context.sinks.names(), named: named))
                }),
            Route(
                "GET", "/api/v1/sink-kinds", needs: .scan, group: "Sinks",
                "List the kinds of services that can be added, and the settings of each",
                answers: [
                    .init(
                        status: 200, summary: "The kinds, and the settings for a form",
                        schema: KindsJSON.schema)
                ],
                work: { _ in try .json(KindsJSON(Self.kinds)) }),
            Route(
                "POST", "/api/v1/sinks", needs: .admin, group: "Sinks",
                "Add a service that documents can be sent to; its secrets are never shown again",
                body: SinkOrderSchema.schema(Self.kinds),
                answers: [.init(status: 201, summary: "The service is added", type: nil)],
                problems: [409, 415, 422, 500, 507],
                work: { [context] call in
                    let order = try call.decoded(Order.self)
                    let definition = try Self.definition(order)
                    try await onOwnThread {
                        try context.sinks.change { registry in
                            guard registry.definition(order.name) == nil else {
                                throw Problem(
                                    409, "sink-exists",
                                    detail:
                                        "There is a sink '\(order.name)' already. Choose another name, or remove it first."
                                )
                            }
                            try registry.add(order.name, definition)
                        }
                    }
                    return HTTPResponse(
                        status: 201, headers: [("Location", "/api/v1/sinks")])
                }),
            Route(
                "POST", "/api/v1/sinks/{name}/test", needs: .scan, group: "Sinks",
                "Check whether a sink answers and accepts the host; no document is sent. Only administrators see its answer",
                answers: [
                    .init(
                        status: 200, summary: "Its answer, in words",
                        schema: .record(["works": .boolean, "answer": .string()]))
                ], problems: [404, 500],
                work: { [context] call in
                    let definition = try Self.known(call["name"], context)
                    let outbox = try context.sinks.outbox()
                    let answer = await onOwnThread {
                        Result { () throws(DeliveryError) in try outbox.test(definition) }
                    }
                    let tested =
                        switch answer {
                        case .success(let words): AnswerJSON(works: true, answer: words)
                        case .failure(let error): AnswerJSON(works: false, answer: error.message)
                        }
                    // A service's answer may contain texts that others on the network must not
                    // read.
                    let words =
                        call.scope == .admin
                        ? PlaceNames.removed(from: tested.answer)
                        : tested.works
                            ? "it answers" : "The test failed. Only an administrator can see why."
                    return try .json(AnswerJSON(works: tested.works, answer: words))
                }),
            Route(
                "DELETE", "/api/v1/sinks/{name}", needs: .admin, group: "Sinks",
                "Remove a sink; documents that wait for it stay in the outbox",
                answers: [.init(status: 204, summary: "It is removed", type: nil)],
                problems: [404, 500, 507],
                work: { [context] call in
                    let name = call["name"]
                    _ = try Self.known(name, context)
                    try await onOwnThread { try context.sinks.change { try $0.remove(name) } }
                    return .done
                }),
        ]
    }

    static func known(_ name: String, _ context: ServerContext) throws -> SinkDefinition {
        guard let definition = try context.sinks.definition(name) else {
            throw Problem.noSuchThing("sink", name, "See /api/v1/sinks for the list.")
        }
        return definition
    }

    private static func definition(_ order: Order) throws -> SinkDefinition {
        guard let kind = SinkDefinition.Kind.named(order.kind), kind.isRemote else {
            let known = kinds.map(\.name).joined(separator: ", ")
            throw Problem(
                422, "invalid-sink",
                detail:
                    "'\(order.kind)' can't be added over the network. Choose one of: \(known). Folders and programs are added on the host, with: copystand sinks add"
            )
        }
        var sink = SinkDefinition(kind: kind)
        sink.url = order.url
        (sink.token, sink.user, sink.password) = (order.token, order.user, order.password)
        sink.parameters = order.parameters
        sink.template = order.template
        try checkLines(sink)
        return sink
    }

    /// Refuses a line break in a secret, which would begin another header of the request.
    static func checkLines(_ sink: SinkDefinition) throws(Problem) {
        let texts = [sink.token, sink.user, sink.password].compactMap { $0 }
        guard
            texts.allSatisfy({ $0.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 } })
        else {
            throw Problem(
                422, "invalid-sink",
                detail:
                    "A token, user name or password has a control character. Give it on one line.")
        }
    }
}
