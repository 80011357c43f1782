import Documents

/// Accepts the pages of a document whose archive did not answer at its beginning.
///
/// Finishing the document fails, so that the caller keeps the pages.
final class AwayArchiveWriter: SinkWriter {
    let keepsBlankPages = true
    private let error: DeliveryError

    init(error: DeliveryError) { self.error = error }

    func add(_ page: DeliveredPage) {}

    func note(_ found: DocumentFindings) {}

    func finish() throws -> Receipt { throw error }

    func cancel() {}
}
