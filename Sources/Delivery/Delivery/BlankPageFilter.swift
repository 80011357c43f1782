import Documents

/// Leaves blank pages out of a document on its way to one sink, and renumbers the others.
///
/// A document whose pages are all blank keeps its first: no document is without pages.
public struct BlankPageFilter: Sendable {
    private let keepsAll: Bool
    private var given = 0
    private var first: DeliveredPage?

    /// A filter for `writer`'s document.
    ///
    /// - Parameter keepsAll: true to leave nothing out.
    public init(for writer: any SinkWriter, keepsAll: Bool) {
        self.keepsAll = keepsAll || writer.keepsBlankPages
    }

    /// The page for the sink; nil when it is left out.
    public mutating func pass(_ page: DeliveredPage) -> DeliveredPage? {
        guard keepsAll || !page.page.isBlank else {
            if given == 0, first == nil { first = page }
            return nil
        }
        first = nil
        given += 1
        var page = page
        page.page.number = given
        return page
    }

    /// The page to deliver at the end if every page was left out; nil otherwise.
    public mutating func last() -> DeliveredPage? {
        guard given == 0, var page = first else { return nil }
        given = 1
        first = nil
        page.page.number = 1
        return page
    }
}
