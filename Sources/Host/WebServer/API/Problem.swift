import FileNames
import HTTPServer

/// The reason why a request failed, for people and programs (RFC 9457).
struct Problem: Error, Sendable {
    /// The HTTP status, 400…599.
    var status: Int
    /// The kind of problem, for programs, such as `no-such-job`.
    var code: String
    /// The kind in words: one code has one title.
    var title: String {
        code.prefix(1).uppercased() + code.dropFirst().map { $0 == "-" ? " " : String($0) }.joined()
    }
    /// The failure, with the value at fault, and the advice.
    var detail: String
    /// The seconds after which a repetition makes sense.
    var retryAfter: Int?
    /// The methods that are known at the address, when only the method was wrong.
    var allowed: [String]?
    /// The number of bytes that exist, when others were requested.
    var length: Int?
    /// The scope that a token needs, when only that was missing.
    var scope: AccessScope?

    init(
        _ status: Int, _ code: String, detail: String, retryAfter: Int? = nil
    ) {
        self.status = status
        self.code = code
        self.detail = detail
        self.retryAfter = retryAfter
    }

    /// The answer with the problem; it contains no path of this machine.
    var response: HTTPResponse {
        let body: JSONValue = [
            "type": .text("urn:copystand:problem:\(code)"), "title": .text(title),
            "status": .integer(status), "detail": .text(PlaceNames.removed(from: detail)),
            "code": .text(code),
        ]
        var response = HTTPResponse(
            status: status, type: "application/problem+json", text: body.written)
        // RFC 9110, 11.6.1.
        if status == 401 { response = response.with("WWW-Authenticate", "Bearer") }
        // RFC 6750, 3.1.
        if let scope {
            response = response.with(
                "WWW-Authenticate",
                "Bearer error=\"insufficient_scope\", scope=\"\(scope.rawValue)\"")
        }
        if let retryAfter { response = response.with("Retry-After", String(retryAfter)) }
        if let allowed { response = response.with("Allow", allowed.joined(separator: ", ")) }
        // RFC 9110, 15.5.17.
        if let length { response = response.with("Content-Range", "bytes */\(length)") }
        return response
    }

    /// The schema of the JSON.
    static let schema = Schema.record([
        "type": .string(), "title": .string(), "status": .integer(minimum: 400, maximum: 599),
        "detail": .string(), "code": .string(),
    ])
}

extension Problem {
    static func noSuchThing(_ what: String, _ name: String, _ advice: String) -> Problem {
        let word = what.split(separator: " ").joined(separator: "-")
        return Problem(
            404, "no-such-\(word)",
            detail: "There is no \(what) '\(name)'. \(advice)")
    }

    static func invalid(_ detail: String) -> Problem {
        Problem(400, "invalid", detail: detail)
    }

    /// - Parameter advice: the things that the body could change.
    static func noChange(_ advice: String) -> Problem {
        Problem(422, "no-change", detail: "The body changes nothing. \(advice)")
    }
}
