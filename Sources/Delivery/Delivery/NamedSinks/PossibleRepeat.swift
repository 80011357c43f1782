/// Whether a document may have arrived at a try whose end nobody saw, for services that can't be
/// asked.
struct PossibleRepeat {
    /// True when a try before was broken off where the document may have arrived.
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

    /// What to tell once the document is there.
    func notes(_ words: String) -> [String] { isThere ? [words] : [] }
}
