import BlockingWork
import Documents
import HTTPServer

/// `/api/v1/tokens`: the tokens of people on other machines.
///
/// Only a host that needs tokens makes any: otherwise, anyone who reaches the port could make a
/// permanent one.
struct TokenRoutes {
    private let gate: Gate?

    init(_ gate: Gate?) { self.gate = gate }

    private struct Order: Decodable {
        var name: String
        var scope: String?
        var sees: ArchiveUser.Sees?
    }

    private static let scope = Schema.string(choices: AccessScope.allCases.map(\.rawValue))
    private static let sees = Schema.string(choices: ArchiveUser.Sees.allCases.map(\.rawValue))

    private struct TokensJSON: Encodable {
        struct Token: Encodable {
            var name: String
            var made: String
            var scope: AccessScope
            var sees: ArchiveUser.Sees
        }
        var isAsked: Bool
        var tokens: [Token]
    }

    private struct MadeJSON: Encodable {
        var name: String
        var scope: AccessScope
        var sees: ArchiveUser.Sees
        var token: String
    }

    var routes: [Route] {
        [
            Route(
                "GET", "/api/v1/tokens", needs: .admin, group: "System",
                "List the tokens by name; `isAsked` is false where the host needs none",
                answers: [
                    .init(
                        status: 200,
                        summary: "The tokens' names, dates and scopes; not the tokens themselves",
                        schema: .record([
                            "isAsked": .boolean,
                            "tokens": .array(
                                .record([
                                    "name": .string(), "made": .moment, "scope": Self.scope,
                                    "sees": Self.sees,
                                ])),
                        ]))
                ], problems: [500],
                work: { [gate] _ in
                    let all = try gate?.tokens.all() ?? []
                    return try .json(
                        TokensJSON(
                            isAsked: gate != nil,
                            tokens: all.map {
                                .init(
                                    name: $0.name, made: $0.made, scope: $0.scope, sees: $0.sees)
                            }))
                }),
            Route(
                "POST", "/api/v1/tokens", needs: .admin, group: "System",
                "Make a token; it is shown only once. Its scope is `scan`, and it sees `all` documents unless given",
                body: .record(
                    ["name": .string(description: "Who or what it is for")],
                    optional: ["scope": Self.scope, "sees": Self.sees]),
                answers: [
                    .init(
                        status: 201, summary: "The token",
                        schema: .record([
                            "name": .string(), "scope": Self.scope, "sees": Self.sees,
                            "token": .string(),
                        ]))
                ], problems: [409, 415, 422, 500, 507],
                work: { [self] in try await make($0) }),
            Route(
                "DELETE", "/api/v1/tokens/{name}", needs: .admin, group: "System",
                "Remove a token or a browser; it no longer gives access, and all that is being sent to it ends",
                answers: [.init(status: 204, summary: "It is removed", type: nil)],
                problems: [404, 409, 500, 507],
                work: { [self] call in
                    let (gate, name) = (try asked(), call["name"])
                    try await onOwnThread { try gate.remove(token: name) }
                    return .done
                }),
        ]
    }

    private func asked() throws -> Gate {
        guard let gate else { throw Self.noTokens }
        return gate
    }

    static let noTokens = Problem(
        409, "no-tokens",
        detail:
            "This host needs no token. Start it with --token, or let it listen where other machines can reach it."
    )

    private func make(_ call: Call) async throws -> HTTPResponse {
        let tokens = try asked().tokens
        let order = try call.decoded(Order.self)
        let name = order.name
        guard let scope = AccessScope(rawValue: order.scope ?? AccessScope.scan.rawValue) else {
            let known = AccessScope.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem(
                422, "invalid-scope",
                detail:
                    "'\((order.scope ?? "").prefix(60))' is not a scope. Choose one of: \(known).")
        }
        let sees = order.sees ?? .all
        guard scope < .admin || sees == .all else {
            throw Problem(422, "invalid-scope", detail: AccessTokens.adminsSeeAll)
        }
        let isName =
            (1...40).contains(name.count)
            && name.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 }
        guard isName else {
            throw Problem(
                422, "invalid-name",
                detail:
                    "'\(name.prefix(60))' is not a name for a token. Give 1 to 40 characters without line breaks."
            )
        }
        let isTaken = Problem(
            409, "token-exists",
            detail: "There is a token '\(name)' already. Choose another name, or remove it first.")
        let token = try await onOwnThread {
            try tokens.make(name: name, scope: scope, sees: sees, isTaken: isTaken)
        }
        return try .json(
            MadeJSON(name: name, scope: scope, sees: sees, token: token), status: 201)
    }
}
