import HTTPServer

/// `/api/v1/session`: a browser trades a token for a cookie.
struct SessionRoutes {
    private let gate: Gate?

    init(_ gate: Gate?) { self.gate = gate }

    private struct Order: Decodable {
        var token: String
    }

    private struct SessionJSON: Encodable {
        var isOpen: Bool
        var needsToken: Bool
        /// What this client may do; nil for one that is not let in.
        var scope: AccessScope?
    }

    var routes: [Route] {
        [
            Route(
                "GET", "/api/v1/session", needs: .open, group: "System",
                "Say whether a token is needed, and what this client may do",
                answers: [
                    .init(
                        status: 200, summary: "Whether this client may use the host",
                        schema: .object(
                            [
                                ("isOpen", .boolean), ("needsToken", .boolean),
                                ("scope", .string(choices: AccessScope.allCases.map(\.rawValue))),
                            ], required: ["isOpen", "needsToken"]))
                ],
                work: { [gate] call in
                    let scope =
                        if let gate { try? gate.check(call.request.head).scope } else {
                            AccessScope.admin
                        }
                    return try .json(
                        SessionJSON(
                            isOpen: scope != nil, needsToken: gate != nil, scope: scope))
                }),
            Route(
                "POST", "/api/v1/session", needs: .open, group: "System",
                "Exchange a token for a cookie",
                body: .object([("token", .string())], required: ["token"], isOpen: true),
                answers: [.init(status: 204, summary: "The cookie", type: nil)],
                problems: [401, 415],
                work: { [gate] call in
                    let order = try call.decoded(Order.self)
                    guard let gate else { return .done }
                    try gate.check(order.token, from: call.request.head.peer)
                    return HTTPResponse.done.with("Set-Cookie", gate.cookie(order.token))
                }),
            Route(
                "DELETE", "/api/v1/session", needs: .open, group: "System", "Return the cookie",
                answers: [.init(status: 204, summary: "It is deleted", type: nil)],
                work: { [gate] _ in
                    guard let gate else { return .done }
                    return HTTPResponse.done.with("Set-Cookie", gate.cookie(nil))
                }),
        ]
    }
}
