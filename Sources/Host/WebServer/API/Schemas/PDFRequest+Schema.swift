import Listings

extension PDFRequest: Described {
    /// Reads the settings from a request's query.
    ///
    /// - Throws: ``Problem`` for an invalid value.
    init(_ call: Call) throws(Problem) {
        let quality = try call.text("quality").map { _ throws(Problem) in
            try call.number("quality", Self.qualities, default: 0)
        }
        self.init(
            compression: try call.choice("compression"), quality: quality,
            archival: try call.choice("archival"))
    }

    private static let details = [CodingKeys.quality: Schema.Detail.range(qualities)]

    /// The schema of a request's JSON; null means the default.
    static let schema = Schema.read(by: Self.self, details, isNullable: true)

    /// The same settings as names in a query.
    static let parameters = Schema.members(readBy: Self.self, details).map { member in
        let summary =
            switch member.name {
            case "compression": "How pictures in a PDF are coded; jpeg unless given"
            case "quality": "Of pictures in a PDF; 50 for gray and 70 for color unless given"
            default: "The form for archives; 2b is PDF/A-2b"
            }
        return Route.Parameter(name: member.name, schema: member.schema, summary: summary)
    }
}
