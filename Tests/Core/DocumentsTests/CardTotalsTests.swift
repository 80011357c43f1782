import Documents
import Testing

@Suite struct CardTotalsTests {
    private static let pages = (1...3).map { PageID(rawValue: $0) }

    /// A session with three cards, the last without a value.
    private static func session() throws -> Review {
        var review = Review(
            title: "Cards", pages: pages.map { ReviewedPage(id: $0, width: 63, height: 88) })
        review.fields = CardTotals.fields(cards: 0, values: [])
        for (page, value) in zip(pages, ["3.20 EUR", "1,05 €", nil]) {
            let fields = value.map { [Field(name: "value", value: $0, source: "card")] } ?? []
            review = try review.applying(.addEntry(page: page, fields: fields))
        }
        return review
    }

    private func totals(_ review: Review) -> [String] {
        review.fields.map { "\($0.name)=\($0.value)" }
    }

    @Test("A session's totals follow its cards when these are edited and deleted")
    func following() throws {
        var review = try Self.session()
        #expect(totals(review) == ["cards=3", "total-value=4.25 EUR"])
        review = try review.applying(.setEntryField(entry: 3, name: "value", value: "10"))
        #expect(totals(review) == ["cards=3", "total-value=14.25 EUR"])
        review = try review.applying(.setEntryField(entry: 3, name: "value", value: "$10"))
        #expect(
            totals(review) == ["cards=3", "total-value-EUR=4.25 EUR", "total-value-USD=10.00 USD"])
        review = try review.applying(.selectEntries([1, 3])).applying(.deleteSelected)
        #expect(totals(review) == ["cards=1", "total-value=1.05 EUR"])
        review = try review.applying(.setEntryField(entry: 2, name: "value", value: "mint"))
        #expect(totals(review) == ["cards=1"])
    }

    @Test("A session that is split becomes two, each with its own totals")
    func splitting() throws {
        let parts = try Self.session().parts(splitAfter: Self.pages[0])
        #expect(totals(parts.kept) == ["cards=1", "total-value=3.20 EUR"])
        #expect(totals(parts.moved) == ["cards=2", "total-value=1.05 EUR"])
    }

    @Test("The user's total stays, and other documents have none")
    func ownWords() throws {
        var review = try Self.session().applying(
            .setField(name: "total-value", value: "priceless", source: nil))
        review = try review.applying(.setEntryField(entry: 1, name: "value", value: "5 EUR"))
        #expect(totals(review) == ["cards=3", "total-value=priceless"])
        review.fields = []
        review = try review.applying(.setEntryField(entry: 1, name: "value", value: "6 EUR"))
        #expect(review.fields.isEmpty && !review.isCardSession)
    }
}
