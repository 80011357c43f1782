import Glibc
import UserFiles

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

    /// The answer when a file of an upload can't be written, for the present `errno`.
    ///
    /// - Parameters:
    ///   - path: the file, which the answer does not name.
    ///   - needed: the bytes that the upload still needs.
    static func noRoom(at path: String, needed: Int) -> HTTPResponse {
        guard errno == ENOSPC || errno == EDQUOT, let disk = DiskState(of: path) else {
            return noRoom
        }
        let files = disk.takesNoFile ? ", no room for another file" : ""
        return problem(
            507, "no-room", title: "No room for the upload",
            detail:
                "No space is left on the host's disk: \(readable(disk.free)) free, \(readable(needed)) needed\(files). Free some space there, and try again."
        )
    }

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
