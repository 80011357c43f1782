import Delivery
import ScanService

/// How PDFs are made, as a client wishes: those that a job sends to its named sinks, or the one
/// that is exported.
struct PDFRequest: Decodable {
    let compression: PDFOptions.Compression?
    let quality: Int?
    let archival: PDFOptions.Archival?

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case compression, quality, archival
    }

    /// Any name a client has thought of.
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Reads it; what it does not know is refused, since whoever asks for a password must not get a
    /// PDF without one.
    init(from decoder: any Decoder) throws {
        let names = try decoder.container(keyedBy: Name.self).allKeys.map(\.stringValue)
        let known = CodingKeys.allCases.map(\.rawValue)
        if let strange = names.sorted().first(where: { !known.contains($0) }) {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription:
                        "there is no '\(strange)', only \(known.joined(separator: ", ")). Passwords are given on the host's own machine, with copystand scan or copystand export."
                ))
        }
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        compression = try fields.decodeIfPresent(
            PDFOptions.Compression.self, forKey: .compression)
        quality = try fields.decodeIfPresent(Int.self, forKey: .quality)
        archival = try fields.decodeIfPresent(PDFOptions.Archival.self, forKey: .archival)
        if let quality, !Self.qualities.contains(quality) {
            throw DecodingError.dataCorruptedError(
                forKey: .quality, in: fields,
                debugDescription: "a whole number from 1 to 100 is meant")
        }
    }

    /// Reads it from the query of a request.
    ///
    /// - Throws: ``Problem`` for a value that is none.
    init(_ call: Call) throws(Problem) {
        compression = try call.choice("compression")
        archival = try call.choice("archival")
        quality =
            try call.text("quality").map { _ throws(Problem) in
                try call.number("quality", Self.qualities, default: 0)
            }
    }

    private static let qualities = 1...100

    private static let members: [(name: String, schema: Schema)] = [
        ("compression", .string(choices: PDFOptions.Compression.allCases.map(\.rawValue))),
        ("quality", .integer(minimum: qualities.lowerBound, maximum: qualities.upperBound)),
        ("archival", .string(choices: PDFOptions.Archival.allCases.map(\.rawValue))),
    ]

    /// What its JSON looks like; what is null is as usual.
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

    /// The order that it is.
    var order: PDFOrder {
        var order = PDFOrder()
        (order.compression, order.quality, order.archival) = (compression, quality, archival)
        return order
    }
}
