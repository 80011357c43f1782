import HTTPServer

/// The part of a file that `Range` requests (RFC 9110, 14.1.2).
enum ByteRange: Equatable {
    /// The header is not understood or asks for several parts, so everything is sent.
    case whole
    /// Bytes beyond the end.
    case none
    case part(Range<Int>)

    init(_ header: String, of count: Int) {
        let sides = header.dropFirst(6).split(
            separator: "-", omittingEmptySubsequences: false
        ).map(String.init)
        guard header.lowercased().hasPrefix("bytes="), sides.count == 2,
            sides.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } })
        else {
            self = .whole
            return
        }
        switch (Int(sides[0]), Int(sides[1])) {
        case (let first?, let last?) where first <= last:
            // The last byte may be any number; the end of the part is at most the file's.
            self = first < count ? .part(first..<(min(last, count - 1) + 1)) : .none
        case (let first?, nil) where sides[1].isEmpty:
            self = first < count ? .part(first..<count) : .none
        case (nil, let length?) where sides[0].isEmpty:
            self = min(length, count) > 0 ? .part(max(0, count - length)..<count) : .none
        default: self = .whole
        }
    }
}

extension HTTPResponse {
    /// The requested part of a file with an `ETag`; any other answer unchanged.
    ///
    /// - Throws: ``Problem`` with status 416 when the file has no such bytes.
    func part(for head: HTTPRequestHead) throws(Problem) -> HTTPResponse {
        guard status == 200, case .file(let file) = body,
            let tag = headers.first(where: { $0.name == "ETag" })?.value
        else { return self }
        let whole = with("Accept-Ranges", "bytes")
        guard head.method == "GET", let asked = head.header("Range"),
            head.header("If-Range") ?? tag == tag
        else { return whole }
        switch ByteRange(asked, of: file.count) {
        case .whole: return whole
        case .none:
            var problem = Problem(
                416, "no-such-range",
                detail:
                    "The file has \(file.count) bytes. Ask for some of them, or leave out 'Range'.")
            problem.length = file.count
            throw problem
        case .part(let range):
            guard let part = file.part(range) else { return whole }
            var answer = whole.with(
                "Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.count)")
            (answer.status, answer.body) = (206, .file(part))
            return answer
        }
    }
}

extension Route.Answer {
    /// The answers of a route that returns a picture from the archive.
    static let picture: [Route.Answer] = [
        .init(status: 200, summary: "The picture", type: "image/*"),
        .init(status: 206, summary: "The part that 'Range' asks for", type: "image/*"),
        .init(status: 304, summary: "It is the same as before", type: nil),
    ]
}
