import Delivery
import Listings

extension PDFRequest {
    /// Reads it from the query of a request.
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

    private static let members: [(name: String, schema: Schema)] = [
        ("compression", .string(choices: PDFOptions.Compression.allCases.map(\.rawValue))),
        ("quality", .integer(minimum: qualities.lowerBound, maximum: qualities.upperBound)),
        ("archival", .string(choices: PDFOptions.Archival.allCases.map(\.rawValue))),
    ]

    /// The schema of its JSON; null means the default.
    static let schema = Schema.object(
        members.map { ($0.name, .nullable($0.schema)) }, required: [])

    /// The same as names in a query.
    static let parameters = members.map { member in
        let summary =
            switch member.name {
            case "compression": "How pictures in a PDF are coded; jpeg unless given"
            case "quality": "Of pictures in a PDF; 50 for gray and 70 for color unless given"
            default: "The form for archives; 2b is PDF/A-2b"
            }
        return Route.Parameter(name: member.name, schema: member.schema, summary: summary)
    }
}
