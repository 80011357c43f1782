import Documents
import Recognition

/// Collects the contents of a document's pages, if its profile looks for entries in the whole
/// document.
struct DocumentFinder {
    /// The pages whose text is needed, without their pictures.
    private var pages: [Page] = []
    /// The cards of a session, without their text.
    private var cards: [Page] = []

    /// Adds the document's next page.
    mutating func add(_ page: Page) {
        let steps = page.provenance.steps.map(\.name)
        if steps.contains("entries") { pages.append(page) }
        if steps.contains("card") {
            var card = page
            card.text = nil
            cards.append(card)
        }
    }

    /// The findings, after the last page.
    func findings() -> DocumentFindings {
        var found = CardReader.session(cards)
        found.entries = EntryReader.entries(in: pages) + found.entries
        return found
    }
}
