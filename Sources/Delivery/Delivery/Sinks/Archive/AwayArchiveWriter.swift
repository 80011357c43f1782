package import Documents

/// Accepts the pages of a document whose archive did not answer at its beginning.
///
/// It fails at the document's end, so that the owner of the pages keeps them.
package final class AwayArchiveWriter: SinkWriter {
    package let keepsBlankPages = true
    private let error: DeliveryError

    package init(error: DeliveryError) { self.error = error }

    package func add(_ page: DeliveredPage) {}

    package func note(_ found: DocumentFindings) {}

    package func finish() throws -> Receipt { throw error }

    package func cancel() {}
}
