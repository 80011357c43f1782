import Documents
import Recognition

/// Collects what a document's pages say, if its profile looks for something in the document as a
/// whole.
struct DocumentFinder {
    /// The pages whose text is needed; their pictures are not kept.
    private var pages: [Page] = []
    /// The cards of a session, without their text.
    private var cards: [Page] = []

    /// Takes the document's next page.
    mutating func add(_ page: Page) {
        let steps = page.provenance.steps.map(\.name)
        if steps.contains("entries") { pages.append(page) }
        if steps.contains("card") {
            var card = page
            card.text = nil
            cards.append(card)
        }
    }

    /// What was found, after the last page.
    func findings() -> DocumentFindings {
        var found = CardReader.session(cards)
        found.entries = EntryReader.entries(in: pages) + found.entries
        return found
    }
}
