import BlockingWork
import Documents
import ExpectedFailures
import HTTPServer
import Recognition

/// `/api/v1/session`: a browser exchanges a token or a one-time code for a cookie.
struct SessionRoutes {
    private let gate: Gate?

    init(_ gate: Gate?) { self.gate = gate }

    private struct Order: Decodable {
        var token: String?
        var code: String?

        static let schema = Schema.anyOf(["token": .string(), "code": .string()])
    }

    private struct CodeOrder: Decodable {
        var scope: AccessScope?

        static let schema = Schema.record(
            optional: ["scope": .string(choices: AccessScope.allCases.map(\.rawValue))])
    }

    private struct SessionJSON: Encodable {
        var isOpen: Bool
        var needsToken: Bool
        /// The client's scope; nil without access.
        var scope: AccessScope?
        /// The documents that the client sees; nil without access.
        var sees: ArchiveUser.Sees?
        /// The name of the client's token.
        var name: String?
    }

    private struct CodeJSON: Encodable {
        var code: String
        /// The address for signing in, with the host name from the request.
        var address: String
        /// The seconds for which the address is valid.
        var life: Int
        /// The QR code of the address: rows of dark (`1`) and light (`0`) fields.
        var qr: [String]

        static let schema = Schema.record([
            "code": .string(), "address": .string(), "life": .integer(minimum: 1),
            "qr": .array(.string(pattern: "^[01]+$")),
        ])
    }

    var routes: [Route] {
        [
            Route(
                "GET", "/api/v1/session", needs: .open, group: "System",
                "Say whether a token is needed, and what this client may do",
                answers: [
                    .init(
                        status: 200, summary: "Whether this client may use the host",
                        schema: .record(
                            ["isOpen": .boolean, "needsToken": .boolean],
                            optional: [
                                "scope": .string(choices: AccessScope.allCases.map(\.rawValue)),
                                "sees": .string(choices: ArchiveUser.Sees.allCases.map(\.rawValue)),
                                "name": .string(),
                            ]))
                ],
                work: { [self] in try show($0) }),
            Route(
                "POST", "/api/v1/session", needs: .open, group: "System",
                "Exchange a token, or a code that works once, for a cookie",
                body: Order.schema,
                answers: [.init(status: 204, summary: "The cookie", type: nil)],
                problems: [401, 415, 500, 507],
                work: { [self] in try await signIn($0) }),
            Route(
                "POST", "/api/v1/session/codes", needs: .admin, group: "System",
                "Make a code that signs in one browser within 15 minutes, with its QR code. Its scope is `scan` unless given",
                body: CodeOrder.schema,
                answers: [.init(status: 201, summary: "The code", schema: CodeJSON.schema)],
                problems: [409, 415],
                work: { [self] in try make($0) }),
            Route(
                "DELETE", "/api/v1/session", needs: .open, group: "System",
                "Sign out: end the cookie's session, and all that is being sent to it",
                answers: [.init(status: 204, summary: "It has ended", type: nil)],
                problems: [500, 507],
                work: { [gate] call in
                    guard let gate else { return .done }
                    try await onOwnThread { try gate.signOut(call.request.head) }
                    return HTTPResponse.done.with("Set-Cookie", gate.cookie(nil))
                }),
        ]
    }

    private func show(_ call: Call) throws -> HTTPResponse {
        guard let gate else {
            return try .json(
                SessionJSON(isOpen: true, needsToken: false, scope: .admin, sees: .all))
        }
        // A client without rights learns here that it needs them.
        let grant = ifSupported { try gate.check(call.request.head) }
        return try .json(
            SessionJSON(
                isOpen: grant != nil, needsToken: true, scope: grant?.scope, sees: grant?.sees,
                name: grant?.name))
    }

    private func signIn(_ call: Call) async throws -> HTTPResponse {
        let order = try call.decoded(Order.self)
        guard let gate else { return .done }
        let head = call.request.head
        if let code = order.code {
            let cookie = try await onOwnThread { try gate.signIn(code: code, head) }
            return HTTPResponse.done.with("Set-Cookie", gate.cookie(cookie))
        }
        guard let token = order.token else {
            throw Problem.invalid("'token' is missing, and so is 'code': give one of them.")
        }
        let cookie = try await onOwnThread { try gate.signIn(token: token, head) }
        return HTTPResponse.done.with("Set-Cookie", gate.cookie(cookie))
    }

    private func make(_ call: Call) throws -> HTTPResponse {
        guard let gate else { throw TokenRoutes.noTokens }
        let order = try call.decoded(CodeOrder.self)
        let grant = try gate.check(call.request.head)
        let code = gate.codes.make(order.scope ?? .scan, by: grant.isBrief ? nil : grant)
        let host = call.request.head.header("Host") ?? "localhost"
        let address = SignInAddress.text(host: host, isSecure: gate.isSecure, code: code)
        return try .json(
            CodeJSON(
                code: code, address: address, life: Int(SignInCodes.life),
                qr: try SignInAddress.fields(address)), status: 201)
    }
}
