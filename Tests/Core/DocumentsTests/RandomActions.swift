import Documents

/// Random actions, valid and invalid ones.
struct RandomActions {
    var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// A document of one to six pages.
    mutating func document(firstPage: Int64 = 1) -> Review {
        let count = Int64(Int.random(in: 1...6, using: &random))
        return Review(
            title: "Document",
            pages: (firstPage..<(firstPage + count)).map {
                ReviewedPage(
                    id: PageID(rawValue: $0), width: Int.random(in: 1...3_000, using: &random),
                    height: Int.random(in: 1...3_000, using: &random))
            })
    }

    /// An action on that document; one in ten refers to an object that does not exist.
    mutating func action(on review: Review) -> ReviewAction {
        switch Int.random(in: 0..<22, using: &random) {
        case 0, 1: .select(pages: pages(review))
        case 2: .deselect(pages: pages(review))
        case 3: .selectEntries(entries(review))
        case 4: .deselectEntries(entries(review))
        case 5: .deselectAll
        case 6: .deleteSelected
        case 7: .renumber(first: Int.random(in: -2...50, using: &random))
        case 8, 9:
            .move(
                page: page(review), to: Int.random(in: -1...review.pages.count, using: &random))
        case 10, 11:
            .rotate(
                pages: pages(review),
                by: PageTurn.allCases.randomElement(using: &random) ?? .none)
        case 12, 13: .crop(page: page(review), to: box())
        case 14: .editText(page: page(review), text: PageText(blocks: [], languages: ["eng"]))
        case 15: .setTitle("Title \(Int.random(in: 0...99, using: &random))")
        case 16: .setType(DocumentType.allCases.randomElement(using: &random) ?? .other)
        case 17:
            Bool.random(using: &random)
                ? .addTag("tag\(Int.random(in: 0...3, using: &random))")
                : .removeTag("tag\(Int.random(in: 0...3, using: &random))")
        case 18:
            .setField(
                name: "field\(Int.random(in: 0...2, using: &random))",
                value: Bool.random(using: &random) ? "value" : nil, source: nil)
        case 19:
            .addEntry(
                page: Bool.random(using: &random) ? page(review) : nil,
                fields: [Field(name: "serial", value: "1")])
        case 20:
            Bool.random(using: &random)
                ? .split(after: page(review), into: 99)
                : .merge(
                    document(firstPage: Int64.random(in: 1...40, using: &random) * 10), from: 98)
        default: .save
        }
    }

    private mutating func page(_ review: Review) -> PageID {
        Int.random(in: 0..<10, using: &random) == 0
            ? PageID(rawValue: 1_000_000)
            : review.pages.randomElement(using: &random)?.id ?? PageID(rawValue: 1)
    }

    private mutating func pages(_ review: Review) -> [PageID] {
        (0..<Int.random(in: 0...3, using: &random)).map { _ in page(review) }
    }

    private mutating func entries(_ review: Review) -> [Int] {
        review.entries.isEmpty ? [7] : [review.entries.randomElement(using: &random)?.id ?? 7]
    }

    private mutating func box() -> Box? {
        if Int.random(in: 0..<6, using: &random) == 0 { return nil }
        if Int.random(in: 0..<9, using: &random) == 0 {
            return Box(x: .max, y: .min, width: .max, height: .max)
        }
        func side(_ generator: inout SeededGenerator) -> Int {
            Int.random(in: -1...1_200, using: &generator)
        }
        return Box(
            x: side(&random), y: side(&random), width: side(&random), height: side(&random))
    }
}

/// The violated invariants of every document, as text; empty if all of them hold.
func brokenInvariants(of review: Review) -> [String] {
    var broken: [String] = []
    func demand(_ holds: Bool, _ what: String) { if !holds { broken.append(what) } }
    let pages = review.pages.map(\.id)
    demand(!pages.isEmpty, "a page is there")
    demand(Set(pages).count == pages.count, "no page twice")
    demand(review.selectedPages.isSubset(of: pages), "selected pages are there")
    let entries = review.entries.map(\.id)
    demand(Set(entries).count == entries.count, "no entry twice")
    demand(review.selectedEntries.isSubset(of: entries), "selected entries are there")
    demand(review.entries.compactMap(\.page).allSatisfy(pages.contains), "entries' pages are there")
    demand(Set(review.tags).count == review.tags.count, "no tag twice")
    demand(Set(review.fields.map(\.name)).count == review.fields.count, "no field twice")
    for page in review.pages {
        let part = page.frame.shown
        demand(
            part.x >= 0 && part.y >= 0 && part.width > 0 && part.height > 0
                && part.x + part.width <= page.frame.width
                && part.y + part.height <= page.frame.height, "a crop lies in its picture")
    }
    return broken
}
