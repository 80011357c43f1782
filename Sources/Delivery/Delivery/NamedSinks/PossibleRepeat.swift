/// Records whether an interrupted attempt may have delivered a document, for services that can't be
/// asked.
struct PossibleRepeat {
    /// True when an earlier attempt was interrupted after the document may have arrived.
    let isThere: Bool

    /// Records that an attempt begins; save this before the attempt.
    init(_ item: inout OutboxItem) {
        isThere = item.progress["trying"] != nil
        item.progress["trying"] = isThere ? "again" : "yes"
    }

    /// Records that this attempt did not deliver the document.
    func settle(_ item: inout OutboxItem) {
        item.progress["trying"] = isThere ? "again" : nil
    }

    /// The note for a document that has arrived, if it may have arrived twice.
    func notes(_ words: String) -> [String] { isThere ? [words] : [] }
}
