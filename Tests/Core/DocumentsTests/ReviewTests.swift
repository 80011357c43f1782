import Documents
import FoundationEssentials
import Testing

@Suite struct ReviewTests {
    private static let pages = (1...5).map { PageID(rawValue: $0) }
    private static let review = Review(
        title: "Letter", pages: pages.map { ReviewedPage(id: $0, width: 200, height: 300) })

    private func numbers(_ review: Review) -> [Int64] { review.pages.map(\.id.rawValue) }

    private func after(_ actions: ReviewAction...) throws -> Review {
        try actions.reduce(Self.review) { try $0.applying($1) }
    }

    @Test("Only the selection is deleted, and is then empty")
    func deletion() throws {
        let review = try after(
            .select(pages: [Self.pages[1], Self.pages[4]]), .deselect(pages: [Self.pages[4]]),
            .deleteSelected)
        #expect(numbers(review) == [1, 3, 4, 5])
        #expect(review.selectedPages.isEmpty)
    }

    @Test("The last page can't be deleted")
    func lastPage() {
        #expect {
            try after(.select(pages: Self.pages), .deleteSelected)
        } throws: { ($0 as? ReviewError)?.code == .noPageLeft }
    }

    @Test(
        "A page is moved to its place, and the others keep their order",
        arguments: [
            (2, 0, [3, 1, 2, 4, 5]), (0, 4, [2, 3, 4, 5, 1]), (3, 3, [1, 2, 3, 4, 5]),
        ] as [(Int, Int, [Int64])])
    func moving(from: Int, to: Int, order: [Int64]) throws {
        #expect(numbers(try after(.move(page: Self.pages[from], to: to))) == order)
    }

    @Test("Pages are counted from the requested number")
    func numbering() throws {
        let review = try after(.renumber(first: 31))
        #expect(review.page(number: 33)?.id == Self.pages[2])
        #expect(review.page(number: 30) == nil && review.page(number: 36) == nil)
        #expect(review.page(number: .min) == nil && review.page(number: .max) == nil)
        #expect(review.number(of: Self.pages[4]) == 35)
    }

    @Test("A crop is in pixels of the page as shown")
    func cropOfTurned() throws {
        let review = try after(
            .rotate(pages: [Self.pages[0]], by: .clockwise90),
            .crop(page: Self.pages[0], to: Box(x: 10, y: 20, width: 100, height: 50)))
        let frame = review.pages[0].frame
        // Before the clockwise turn, a point 10 pixels from the left was 10 from the bottom, and a
        // point 20 from the top was 20 from the left.
        #expect(frame.crop == Box(x: 20, y: 300 - 10 - 100, width: 50, height: 100))
        #expect(frame.size == (100, 50))
        let again = try review.applying(
            .crop(page: Self.pages[0], to: Box(x: 0, y: 0, width: 100, height: 10)))
        #expect(again.pages[0].frame.size == (100, 10))
        #expect(throws: ReviewError.self) {
            try again.applying(
                .crop(page: Self.pages[0], to: Box(x: 0, y: 0, width: 101, height: 1)))
        }
    }

    @Test("A split keeps the first pages, and moves the others with their contents")
    func splitting() throws {
        let review = try after(
            .addEntry(page: Self.pages[0], fields: []), .addEntry(page: Self.pages[3], fields: []),
            .addTag("tax"), .select(pages: [Self.pages[4]]))
        let parts = try review.parts(splitAfter: Self.pages[2])
        #expect(numbers(parts.kept) == [1, 2, 3] && numbers(parts.moved) == [4, 5])
        #expect(parts.kept.entries.map(\.id) == [1] && parts.moved.entries.map(\.id) == [2])
        #expect(parts.moved.tags == ["tax"] && parts.kept.selectedPages.isEmpty)
        #expect(throws: ReviewError.self) { try review.parts(splitAfter: Self.pages[4]) }
    }

    @Test("A merge adds pages, tags, fields and entries, and renumbers the entries")
    func merging() throws {
        var other = Review(
            title: "Other", pages: [ReviewedPage(id: PageID(rawValue: 9), width: 1, height: 1)])
        other = try other.applying(
            .addEntry(page: PageID(rawValue: 9), fields: [Field(name: "price", value: "3")]))
        other = try other.applying(.addTag("b"))
        other = try other.applying(.setField(name: "x", value: "theirs", source: nil))
        let review = try after(
            .addEntry(page: nil, fields: []), .addTag("a"),
            .setField(name: "x", value: "mine", source: nil), .merge(other, from: 7))
        #expect(numbers(review) == [1, 2, 3, 4, 5, 9])
        #expect(review.entries.map(\.id) == [1, 2])
        #expect(review.tags == ["a", "b"] && review.fields.map(\.value) == ["mine"])
        #expect(throws: ReviewError.self) { try review.applying(.merge(other, from: 7)) }
    }

    @Test("A document stays saved until something other than the selection changes")
    func saving() throws {
        #expect(try after(.save).isSaved)
        #expect(try after(.save, .select(pages: [Self.pages[0]])).isSaved)
        #expect(try !after(.save, .setNote("x")).isSaved)
    }

    @Test(
        "Every action keeps its stored form",
        arguments: [
            (.select(pages: [PageID(rawValue: 3)]), #"{"select":{"pages":[3]}}"#),
            (.deselect(pages: []), #"{"deselect":{"pages":[]}}"#),
            (.selectEntries([1]), #"{"selectEntries":{"_0":[1]}}"#),
            (.deselectEntries([2]), #"{"deselectEntries":{"_0":[2]}}"#),
            (.deselectAll, #"{"deselectAll":{}}"#), (.deleteSelected, #"{"deleteSelected":{}}"#),
            (.renumber(first: 4), #"{"renumber":{"first":4}}"#),
            (.move(page: PageID(rawValue: 3), to: 0), #"{"move":{"page":3,"to":0}}"#),
            (
                .rotate(pages: [PageID(rawValue: 1)], by: .half),
                #"{"rotate":{"by":180,"pages":[1]}}"#
            ),
            (
                .crop(page: PageID(rawValue: 1), to: Box(x: 1, y: 2, width: 3, height: 4)),
                #"{"crop":{"page":1,"to":{"height":4,"width":3,"x":1,"y":2}}}"#
            ),
            (
                .editText(
                    page: PageID(rawValue: 1), text: PageText(blocks: [], languages: ["eng"])),
                #"{"editText":{"page":1,"text":{"blocks":[],"languages":["eng"]}}}"#
            ),
            (.setTitle("a"), #"{"setTitle":{"_0":"a"}}"#),
            (.setType(.invoice), #"{"setType":{"_0":"invoice"}}"#),
            (.setNote("n"), #"{"setNote":{"_0":"n"}}"#), (.addTag("t"), #"{"addTag":{"_0":"t"}}"#),
            (.removeTag("t"), #"{"removeTag":{"_0":"t"}}"#),
            (
                .setField(name: "n", value: "v", source: nil),
                #"{"setField":{"name":"n","value":"v"}}"#
            ),
            (
                .addEntry(page: nil, fields: [Field(name: "a", value: "b", source: "s")]),
                #"{"addEntry":{"fields":[{"name":"a","source":"s","value":"b"}]}}"#
            ),
            (
                .setEntryField(entry: 1, name: "n", value: nil),
                #"{"setEntryField":{"entry":1,"name":"n"}}"#
            ),
            (
                .split(after: PageID(rawValue: 2), into: 8),
                #"{"split":{"after":2,"into":8}}"#
            ),
            (.save, #"{"save":{}}"#),
        ] as [(ReviewAction, String)])
    func stableForm(action: ReviewAction, text: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(String(decoding: try encoder.encode(action), as: UTF8.self) == text)
        #expect(try JSONDecoder().decode(ReviewAction.self, from: Data(text.utf8)) == action)
    }
}
