public import Documents

/// Collects a document's pages for the extractors that examine the document as a whole.
public struct DocumentFinder: Sendable {
    /// An extractor, with the pages on which it ran.
    private struct Collected {
        let step: String
        let extraction: DocumentExtraction
        var pages: [Page] = []
    }

    private var collected = StepCatalog.documentExtractions.map {
        Collected(step: $0.step, extraction: $0.extraction)
    }

    /// A document without pages.
    public init() {}

    /// Adds the document's next page.
    public mutating func add(_ page: Page) {
        let steps = Set(page.provenance.steps.map(\.name))
        for index in collected.indices where steps.contains(collected[index].step) {
            var kept = page
            if !collected[index].extraction.needsText { kept.text = nil }
            collected[index].pages.append(kept)
        }
    }

    /// The findings, after the last page.
    public func findings() -> DocumentFindings {
        collected.reduce(into: DocumentFindings()) { found, part in
            let own = part.extraction.findings(part.pages)
            found.entries += own.entries
            found.fields += own.fields
        }
    }
}
