/// Whether a document may have arrived in a try whose end is unknown, for services that can't be
/// asked.
struct PossibleRepeat {
    /// True when an earlier try was interrupted at a point where the document may have arrived.
    let isThere: Bool

    /// Notes that a try begins; to be saved before it does.
    init(_ item: inout OutboxItem) {
        isThere = item.progress["trying"] != nil
        item.progress["trying"] = isThere ? "again" : "yes"
    }

    /// Notes that this try did not deliver the document.
    func settle(_ item: inout OutboxItem) {
        item.progress["trying"] = isThere ? "again" : nil
    }

    /// The note for a document that has arrived, if it may have arrived twice.
    func notes(_ words: String) -> [String] { isThere ? [words] : [] }
}
