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
    }

    var routes: [Route] {
        [
            Route(
                "GET", "/api/v1/session", group: "System", "Say whether a token is needed",
                answers: [
                    .init(
                        status: 200, summary: "Whether this client may use the host",
                        schema: .record([("isOpen", .boolean), ("needsToken", .boolean)]))
                ], isOpen: true,
                work: { [gate] call in
                    let isLetIn = (try? gate?.check(call.request.head)) != nil
                    return try .json(
                        SessionJSON(isOpen: gate == nil || isLetIn, needsToken: gate != nil))
                }),
            Route(
                "POST", "/api/v1/session", group: "System", "Trade a token for a cookie",
                body: .object([("token", .string())], required: ["token"], isOpen: true),
                answers: [.init(status: 204, summary: "The cookie", type: nil)],
                problems: [401, 415], isOpen: true,
                work: { [gate] call in
                    let order = try call.decoded(Order.self)
                    guard let gate else { return .done }
                    try gate.check(order.token)
                    return HTTPResponse.done.with("Set-Cookie", gate.cookie(order.token))
                }),
            Route(
                "DELETE", "/api/v1/session", group: "System", "Give the cookie back",
                answers: [.init(status: 204, summary: "It is gone", type: nil)], isOpen: true,
                work: { [gate] _ in
                    guard let gate else { return .done }
                    return HTTPResponse.done.with("Set-Cookie", gate.cookie(nil))
                }),
        ]
    }
}
