import Testing

@testable import Documents

@Suite struct ReplaceTests {
    private let review = Review(
        title: "T",
        pages: (1...2).map { ReviewedPage(id: PageID(rawValue: $0), width: 10, height: 10) })
    private let other = ReviewedPage(id: PageID(rawValue: 9), width: 20, height: 30)

    @Test("A page can replace another, and gets its entries and its selection")
    func replaced() throws {
        let first = review.pages[0].id
        let entry = ReviewAction.addEntry(
            page: first, fields: [Field(name: "a", value: "b")])
        let result = try [entry, .select(pages: [first]), .replace(page: first, by: other)]
            .reduce(review) { try $0.applying($1) }
        #expect(result.pages.map(\.id.rawValue) == [9, 2])
        #expect(result.pages[0].frame == PageFrame(width: 20, height: 30))
        #expect(result.selectedPages == [other.id] && result.entries[0].page == other.id)
    }

    @Test("A missing page can't be replaced, nor any page by one in the document")
    func refused() {
        #expect(throws: ReviewError.self) {
            try review.applying(.replace(page: PageID(rawValue: 3), by: other))
        }
        #expect(throws: ReviewError.self) {
            try review.applying(.replace(page: review.pages[0].id, by: review.pages[1]))
        }
    }
}
