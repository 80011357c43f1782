/// The answers that the server gives before a handler is asked (RFC 9457).
enum Problems {
    static let malformed = problem(
        400, "malformed", "Malformed request", "The path or the query is not percent-encoded UTF-8."
    )
    static let stopping = problem(503, "stopping", "Stopping", "The host is being stopped.").with(
        "Retry-After", "5")
    static let noRoom = problem(
        507, "no-room", "No room for the upload",
        "The host can't write what is sent. Its log says why.")

    static func tooLarge(_ limit: Int) -> HTTPResponse {
        problem(413, "too-large", "Too large", "At most \(limit) bytes are taken here.")
    }

    /// A problem in the form of every other one: its texts are literals, without quotation marks.
    private static func problem(
        _ status: Int, _ code: String, _ title: String, _ detail: String
    ) -> HTTPResponse {
        HTTPResponse(
            status: status, type: "application/problem+json",
            text:
                #"{"type":"urn:copystand:problem:\#(code)","title":"\#(title)","status":\#(status),"detail":"\#(detail)","code":"\#(code)"}"#
        )
    }
}
