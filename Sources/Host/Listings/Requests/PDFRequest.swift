package import Delivery
package import ScanService

/// A client's settings for the PDFs that a job sends to its named sinks, or for an exported PDF.
///
/// Passwords stay on the machine where they were given.
package struct PDFRequest: Codable, Sendable {
    package let compression: PDFOptions.Compression?
    package let quality: Int?
    package let archival: PDFOptions.Archival?

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case compression, quality, archival
    }

    /// The qualities of JPEG pictures.
    package static let qualities = 1...100

    /// The given settings; nil for the defaults.
    package init(
        compression: PDFOptions.Compression?, quality: Int?, archival: PDFOptions.Archival?
    ) {
        (self.compression, self.quality, self.archival) = (compression, quality, archival)
    }

    /// The settings of an order, without passwords.
    package init(_ order: PDFOrder) {
        (compression, quality, archival) = (order.compression, order.quality, order.archival)
    }

    /// Reads the settings; refuses unknown keys, because a request for a password must not produce
    /// a PDF without one.
    package init(from decoder: any Decoder) throws {
        try checkKeys(
            of: decoder, CodingKeys.self,
            hint:
                "Passwords are given on the host's own machine, with copystand scan or copystand export."
        )
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        compression = try fields.decodeIfPresent(
            PDFOptions.Compression.self, forKey: .compression)
        quality = try fields.decodeIfPresent(Int.self, forKey: .quality)
        archival = try fields.decodeIfPresent(PDFOptions.Archival.self, forKey: .archival)
        if let quality, !Self.qualities.contains(quality) {
            throw DecodingError.dataCorruptedError(
                forKey: .quality, in: fields,
                debugDescription: "it must be a whole number from 1 to 100")
        }
    }

    /// The settings as names and values of a query.
    package var query: [(name: String, value: String)] {
        [
            ("compression", compression?.rawValue), ("quality", quality.map { "\($0)" }),
            ("archival", archival?.rawValue),
        ].compactMap { name, value in value.map { (name, $0) } }
    }

    /// The order for these settings.
    package var order: PDFOrder {
        var order = PDFOrder()
        (order.compression, order.quality, order.archival) = (compression, quality, archival)
        return order
    }
}
