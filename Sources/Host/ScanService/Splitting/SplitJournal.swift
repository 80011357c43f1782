import Documents
import Recognition

/// The roles of a stack's pages in a job's record: a resumed job splits at the same pages, even if
/// a barcode is then read differently.
///
/// The journal is on the disk before the first document.
struct SplitJournal: Codable, Hashable, Sendable {
    /// The role that one page was found to have.
    struct Entry: Codable, Hashable, Sendable {
        /// The page's label at its source: files that are read again may have changed.
        var label: String?
        var mark: SplitMark
        /// True if nothing is written on the page.
        var isBlank: Bool
    }

    /// The entries, by the picture's number in the spool and the page's place in the picture.
    private var entries: [String: Entry] = [:]

    /// The kind of a page: the one in the journal, or else the one found now, which is then
    /// recorded.
    ///
    /// - Parameters:
    ///   - captured: the number of its picture in the spool.
    ///   - part: the page's number among those of the picture, from 1.
    mutating func entry(
        _ page: Page, captured: Int, part: Int, _ rules: [SplitRule]
    ) -> Entry {
        let key = "\(captured).\(part)"
        let label = page.provenance.label
        if let known = entries[key], known.label == label { return known }
        let found = Entry(
            label: label, mark: SplitRule.mark(rules, of: page.barcodes), isBlank: page.isBlank)
        entries[key] = found
        return found
    }
}
