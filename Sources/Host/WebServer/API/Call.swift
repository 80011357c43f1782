import Archive
import Documents
import FileNames
import FoundationEssentials
import HTTPServer
import Listings

/// A request that a route handles.
struct Call: Sendable {
    /// The request.
    var request: HTTPRequest
    /// The values of the path's parameters.
    var parameters: [String: String]
    /// The client's scope; the widest on a host that needs no token.
    var scope = AccessScope.read
    /// The client's identity; one that sees no documents unless given.
    var user = ArchiveUser.stranger
    /// The client to which uploads, previews and live views belong: the hash of its token, or its
    /// address where none is needed.
    var client = ""

    /// The value of a parameter of the path.
    ///
    /// - Precondition: the route's path has it.
    subscript(_ name: String) -> String { parameters[name] ?? "" }

    /// The text of a name in the query; nil when it is absent.
    func text(_ name: String) -> String? { request.head.parameter(name) }

    /// The whole number of a name in the query.
    ///
    /// - Throws: ``Problem`` when it is not a whole number, or out of range.
    func number(
        _ name: String, _ range: ClosedRange<Int>, default usual: Int
    ) throws(Problem) -> Int {
        guard let text = text(name) else { return usual }
        guard let number = Int(text), range.contains(number) else {
            throw Problem.invalid(
                "'\(text)' is not a value for '\(name)'. Give a whole number from \(range.lowerBound) to \(range.upperBound)."
            )
        }
        return number
    }

    /// The text of a name in the query.
    ///
    /// - Throws: ``Problem`` when it is absent.
    func needed(_ name: String, _ advice: String) throws(Problem) -> String {
        guard let text = text(name) else {
            throw Problem.invalid("'\(name)' is missing. \(advice)")
        }
        return text
    }

    /// The versions in `If-Match` (RFC 9110, 13.1.1): the document is changed only if its version
    /// is one of them; nil for any version.
    ///
    /// - Throws: ``Problem`` for anything but a list of them.
    func seen() throws(Problem) -> Set<DocumentVersion>? {
        guard let text = request.head.header("If-Match"), text != "*" else { return nil }
        var seen: Set<DocumentVersion> = []
        for part in text.split(separator: ",") {
            let tag = part.drop { $0 == " " }
            guard tag.count > 2, tag.hasPrefix("\""), tag.hasSuffix("\"") else {
                throw Problem.invalid(
                    "'\(text)' is not a value for 'If-Match'. Give the document's 'version' in quotation marks."
                )
            }
            seen.insert(DocumentVersion(rawValue: String(tag.dropFirst().dropLast())))
        }
        return seen
    }

    /// A value from the query, which must be one of several; nil when absent.
    ///
    /// - Throws: ``Problem`` when it is none of them.
    func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String
    ) throws(Problem) -> Choice? {
        guard let text = text(name) else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem.invalid("'\(text)' is not a value for '\(name)'. Give one of \(known).")
        }
        return choice
    }

    /// The Boolean value of a name in the query: `true` or `false`; false when it is absent.
    ///
    /// - Throws: ``Problem`` when it is neither.
    func truth(_ name: String) throws -> Bool {
        switch text(name) {
        case nil, "false": return false
        case "true": return true
        case .some(let text):
            throw Problem.invalid("'\(text)' is not a value for '\(name)'. Give true or false.")
        }
    }

    /// The body's bytes, which are declared as JSON.
    ///
    /// - Throws: ``Problem`` when they are declared as anything else.
    private func json() throws -> [UInt8] {
        guard case .bytes(let bytes) = request.body else {
            throw Problem.invalid("A file was sent instead of JSON.")
        }
        guard bytes.isEmpty || isJSON else {
            let media = request.head.header("Content-Type").map { "'\($0)'" }
            throw Problem(
                415, "unsupported-media-type",
                detail:
                    "\(media ?? "A body without a 'Content-Type'") is not accepted here: send application/json."
            )
        }
        return bytes
    }

    /// True if the body is declared as JSON, once; a form of another site can't do that.
    private var isJSON: Bool {
        guard request.head.count(ofHeader: "Content-Type") == 1 else { return false }
        let type = request.head.header("Content-Type")?.prefix { $0 != ";" }.lowercased() ?? ""
        return type.split(whereSeparator: \.isWhitespace) == ["application/json"]
    }

    /// The bytes of a body that is a JSON object; its contents are not checked.
    ///
    /// - Throws: ``Problem`` for anything else.
    func object() throws -> [UInt8] {
        let bytes = try json()
        guard bytes.first(where: { !" \t\r\n".utf8.contains($0) }) == UInt8(ascii: "{") else {
            throw Problem.invalid("The body is not a JSON object { … }.")
        }
        return bytes
    }

    /// The body, decoded.
    ///
    /// - Throws: ``Problem`` with the mistake and its place.
    func decoded<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let bytes = try json()
        do {
            return try JSONDecoder().decode(type, from: Data(bytes))
        } catch let error as DecodingError {
            throw Problem.invalid(Self.sentence(error))
        }
    }

    private static func sentence(_ error: DecodingError) -> String {
        func place(_ path: [any CodingKey]) -> String {
            path.isEmpty
                ? "the body"
                : "'"
                    + path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(
                        separator: ".") + "'"
        }
        return switch error {
        case .keyNotFound(let key, let context): "\(place(context.codingPath + [key])) is missing."
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            "\(place(context.codingPath)) has the wrong type. See /api/v1/openapi.json."
        case .dataCorrupted(let context):
            "\(place(context.codingPath)) can't be read: \(context.debugDescription)"
        @unknown default: "The body can't be read."
        }
    }
}

extension WholeDocumentJSON {
    /// The document as a client may see it: only those who manage the host learn its places.
    func shown(to call: Call) -> WholeDocumentJSON {
        cleaned(showsPlaces: call.scope == .admin, PublicView.words)
    }
}

extension ArchiveUser {
    /// A client without a token.
    static let stranger = ArchiveUser(name: nil, station: ThisStation.name, sees: .own)
}

extension HTTPResponse {
    /// An answer with the JSON of a value.
    static func json(_ value: some Encodable, status: Int = 200) throws -> HTTPResponse {
        HTTPResponse(
            status: status, headers: [("Content-Type", "application/json")],
            body: .bytes(try bytes(ofJSON: value)))
    }

    /// An answer that is a document, with its version.
    static func document(_ document: ArchivedDocument, for call: Call) throws -> HTTPResponse {
        try .json(WholeDocumentJSON(document, withText: false).shown(to: call))
            .with(document.version)
    }

    /// The answer with a document's version.
    func with(_ version: DocumentVersion) -> HTTPResponse {
        with("ETag", "\"\(version.rawValue)\"")
    }

    /// The JSON of a value.
    static func bytes(ofJSON value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(SafeJSON.text(try encoder.encode(value)).utf8)
    }

    /// An answer without a body.
    static let done = HTTPResponse(status: 204)
}
