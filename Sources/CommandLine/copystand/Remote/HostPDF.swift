import Delivery
import ScanService

/// How another host is asked to make PDFs: `pdf` of a job, and the same as the query of an export.
///
/// Passwords stay on this machine.
struct HostPDF: Encodable {
    private let compression: String?
    private let quality: Int?
    private let archival: String?

    init(_ order: PDFOrder) {
        compression = order.compression?.rawValue
        quality = order.quality
        archival = order.archival?.rawValue
    }

    /// What is asked for, as names of a query.
    var query: [(name: String, value: String)] {
        [
            ("compression", compression), ("quality", quality.map { "\($0)" }),
            ("archival", archival),
        ].compactMap { name, value in value.map { (name, $0) } }
    }
}
