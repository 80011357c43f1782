/// The pages of a file to read, as users write them: "1-3,7" or "5-".
struct PageSelection: Hashable, Sendable {
    /// The text of the selection.
    let text: String
    private let ranges: [ClosedRange<Int>]

    /// Every page.
    static let all = PageSelection(text: "", ranges: [1...Int.max])

    /// True when the selection contains page `number`, counted from 1.
    func contains(_ number: Int) -> Bool { ranges.contains { $0.contains(number) } }

    /// Reads a selection; nil for anything else.
    ///
    /// An empty text selects every page.
    init?(_ text: String) {
        let trimmed = text.filter { $0 != " " }
        if trimmed.isEmpty {
            self = .all
            return
        }
        var ranges: [ClosedRange<Int>] = []
        for part in trimmed.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
            guard let first = Self.number(ends[0], ifEmpty: ends.count == 2 ? 1 : nil),
                let last = ends.count == 1 ? first : Self.number(ends[1], ifEmpty: Int.max),
                part != "-", first <= last
            else { return nil }
            ranges.append(first...last)
        }
        self.init(text: text, ranges: ranges)
    }

    private init(text: String, ranges: [ClosedRange<Int>]) {
        self.text = text
        self.ranges = ranges
    }

    private static func number(_ text: Substring, ifEmpty fallback: Int?) -> Int? {
        if text.isEmpty { return fallback }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text),
            number >= 1
        else { return nil }
        return number
    }
}
