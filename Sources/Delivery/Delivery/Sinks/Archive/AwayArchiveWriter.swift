import Documents

/// Takes the pages of a document whose archive did not answer when it began.
///
/// It fails at the document's end, so that whoever has the pages keeps them.
final class AwayArchiveWriter: SinkWriter {
    let keepsBlankPages = true
    private let error: DeliveryError

    init(error: DeliveryError) { self.error = error }

    func add(_ page: DeliveredPage) {}

    func note(_ found: DocumentFindings) {}

    func finish() throws -> Receipt { throw error }

    func cancel() {}
}
