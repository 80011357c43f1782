import HTTPServer

/// An operation of the API: its address, input and answers, and the function that does it.
struct Route: Sendable {
    /// The method in capitals.
    var method: String
    /// The path's parts; a part that begins with `{` matches any value, and is a parameter with
    /// that name.
    var path: [String]
    /// A line about the route for the API's description.
    var summary: String
    /// The route's group in the description.
    var group: String
    /// The names in the query that the route takes.
    var query: [Parameter] = []
    /// True if `If-Match` restricts it to versions of the document.
    var takesVersion = false
    /// The schema of the JSON body; nil for none.
    var body: Schema?
    /// The maximum size in bytes of a file as the body instead of JSON; nil for no file.
    var upload: Int?
    /// The answers on success.
    var answers: [Answer]
    /// The statuses of problems, besides those of every route.
    var problems: [Int] = []
    /// The clients that may use the route.
    var access: Access
    /// The function that does the work.
    var work: @Sendable (Call) async throws -> HTTPResponse

    /// The clients that may use a route, on a host that needs tokens.
    enum Access: Hashable, Sendable {
        /// Anyone who reaches the port.
        case open
        /// Anyone with a token of this scope or a wider one.
        case scope(AccessScope)

        static let read = Access.scope(.read)
        static let scan = Access.scope(.scan)
        static let admin = Access.scope(.admin)
    }

    /// A parameter in the query.
    struct Parameter: Sendable {
        var name: String
        var schema: Schema
        var isRequired = false
        var summary: String
    }

    /// An answer with its status.
    struct Answer: Sendable {
        var status: Int
        var summary: String
        /// The media type; nil without a body.
        var type: String? = "application/json"
        var schema: Schema?
        /// True if the `ETag` is the document's version.
        var hasVersion = false
        /// More media types that it may have.
        var otherTypes: [String] = []
        /// All possible media types; empty without a body.
        var types: [String] { (type.map { [$0] } ?? []) + otherTypes }
    }

    /// A route at a path such as `/api/v1/jobs/{id}`; only administrators may use it unless
    /// specified otherwise.
    init(
        _ method: String, _ path: String, needs access: Access = .admin, group: String,
        _ summary: String, query: [Parameter] = [], takesVersion: Bool = false,
        body: Schema? = nil, upload: Int? = nil, answers: [Answer], problems: [Int] = [],
        work: @escaping @Sendable (Call) async throws -> HTTPResponse
    ) {
        self.method = method
        self.path = path.split(separator: "/").map(String.init)
        self.summary = summary
        self.group = group
        self.query = query
        self.takesVersion = takesVersion
        self.body = body
        self.upload = upload
        self.answers = answers
        self.problems = problems + (takesVersion ? [412] : [])
        self.access = access
        self.work = work
    }

    /// The operation's name for programs that are generated from the description, such as
    /// `get_documents_by_id`.
    var operationID: String {
        let parts = path.first == "api" ? path.dropFirst(2) : path[...]
        return
            ([method.lowercased()]
            + parts.map { part in
                part.hasPrefix("{") ? "by_" + part.dropFirst().dropLast() : part
            }).joined(separator: "_").map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined()
    }

    /// The values of the parameters for a path; nil when the route has another path.
    func parameters(at place: [String]) -> [String: String]? {
        guard place.count == path.count else { return nil }
        var values: [String: String] = [:]
        for (mine, theirs) in zip(path, place) {
            if mine.hasPrefix("{") {
                guard !theirs.isEmpty else { return nil }
                values[String(mine.dropFirst().dropLast())] = theirs
            } else if mine != theirs {
                return nil
            }
        }
        return values
    }
}
