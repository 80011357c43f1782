import HTTPServer

/// `/api/v1/tokens`: by what people on other machines come in.
///
/// Only a host that asks for a token gives any: elsewhere whoever reaches the port could make one that lasts.
struct TokenRoutes {
    private let tokens: AccessTokens?
    /// Held while the list is changed, so that two changes at once don't lose one.
    private let changing = Turns()

    init(_ tokens: AccessTokens?) { self.tokens = tokens }

    private struct Order: Decodable {
        var name: String
    }

    private struct TokensJSON: Encodable {
        struct Token: Encodable {
            var name: String
            var made: String
        }
        var isAsked: Bool
        var tokens: [Token]
    }

    private struct MadeJSON: Encodable {
        var name: String
        var token: String
    }

    var routes: [Route] {
        [
            Route(
                "GET", "/api/v1/tokens", group: "System",
                "List the tokens by name; `isAsked` is false where the host asks nobody for one",
                answers: [
                    .init(
                        status: 200, summary: "The tokens, without what they are",
                        schema: .record([
                            ("isAsked", .boolean),
                            (
                                "tokens",
                                .array(.record([("name", .string()), ("made", .string())]))
                            ),
                        ]))
                ], problems: [500],
                work: { [tokens] _ in
                    let all = try tokens?.all() ?? []
                    return try .json(
                        TokensJSON(
                            isAsked: tokens != nil,
                            tokens: all.map { .init(name: $0.name, made: $0.made) }))
                }),
            Route(
                "POST", "/api/v1/tokens", group: "System",
                "Make a token; it is told this once",
                body: .record([("name", .string(description: "Whose it is, or what for"))]),
                answers: [
                    .init(
                        status: 201, summary: "The token",
                        schema: .record([("name", .string()), ("token", .string())]))
                ], problems: [409, 415, 422, 500, 507],
                work: { [self] in try await make($0) }),
            Route(
                "DELETE", "/api/v1/tokens/{name}", group: "System",
                "Take a token back; whoever has it is let in no more",
                answers: [.init(status: 204, summary: "It is taken back", type: nil)],
                problems: [404, 409, 500, 507],
                work: { [self] call in
                    let (tokens, name) = (try asked(), call["name"])
                    try await onOwnThread { [changing] in
                        try changing.take { try tokens.remove(name: name) }
                    }
                    return .done
                }),
        ]
    }

    private func asked() throws -> AccessTokens {
        guard let tokens else {
            throw Problem(
                409, "no-tokens", "No tokens here",
                "This host asks nobody for a token. Start it with --token, or let it listen where other machines can reach it."
            )
        }
        return tokens
    }

    private func make(_ call: Call) async throws -> HTTPResponse {
        let tokens = try asked()
        let name = try call.decoded(Order.self).name
        let isName =
            (1...40).contains(name.count)
            && name.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 }
        guard isName else {
            throw Problem(
                422, "invalid-name", "No name",
                "'\(name.prefix(60))' is no name for a token: 1 to 40 letters without line breaks are meant."
            )
        }
        let token = try await onOwnThread { [changing] in
            try changing.take {
                guard try !tokens.all().contains(where: { $0.name == name }) else {
                    throw Problem(
                        409, "token-exists", "The token exists",
                        "There is a token '\(name)' already. Choose another name, or take it back first."
                    )
                }
                return try tokens.make(name: name)
            }
        }
        return try .json(MadeJSON(name: name, token: token), status: 201)
    }
}
