/// The server's own answers, before a handler is called (RFC 9457).
enum Problems {
    static let malformed = problem(
        400, "malformed", title: "Malformed request",
        detail: "The path or the query is not percent-encoded UTF-8."
    )
    static func malformed(_ fault: RequestScanner.Fault) -> HTTPResponse {
        problem(
            fault.status, "malformed", title: "Malformed request",
            detail: fault.words + " Nothing was done, and the connection is closed.")
    }

    static let tooManyStreams = problem(
        503, "too-many-streams", title: "Too many streams",
        detail: "Too many event streams and live views are open. Close some, then try again."
    ).with("Retry-After", "10")
    static let tooBusy = problem(
        503, "too-busy", title: "Too busy",
        detail: "Too much is being sent to this host at once. Try again in a few seconds."
    ).with("Retry-After", "5")
    static let stopping = problem(
        503, "stopping", title: "Stopping", detail: "The host is being stopped."
    ).with(
        "Retry-After", "5")
    static let noRoom = problem(
        507, "no-room", title: "No room for the upload",
        detail:
            "The host has no room for the upload. Try again once other uploads are scanned, or free space on its disk."
    )

    static func tooLarge(_ limit: Int) -> HTTPResponse {
        problem(
            413, "too-large", title: "Too large",
            detail: "At most \(limit) bytes are accepted here.")
    }

    /// A problem in the common form; its texts are literals without quotation marks.
    private static func problem(
        _ status: Int, _ code: String, title: String, detail: String
    ) -> HTTPResponse {
        HTTPResponse(
            status: status, type: "application/problem+json",
            text:
                #"{"type":"urn:copystand:problem:\#(code)","title":"\#(title)","status":\#(status),"detail":"\#(detail)","code":"\#(code)"}"#
        )
    }
}
