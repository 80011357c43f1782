/// Numbers of pages as people write them: `2,5` or `3-7`.
public struct PageNumbers: Hashable, Sendable {
    /// The expected form, as messages name it.
    public static let examples = "page numbers such as 2,5 or 3-7"

    /// The numbers, in the order in which they are written.
    public let ranges: [ClosedRange<Int>]

    /// Reads numbers from 0, separated by commas, and ranges whose second number is not the lower
    /// one; nil for anything else.
    public init?(_ text: String) {
        var ranges: [ClosedRange<Int>] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map(Self.number)
            guard ends.count <= 2, let first = ends[0], let last = ends[ends.count - 1],
                first <= last
            else { return nil }
            ranges.append(first...last)
        }
        self.ranges = ranges
    }

    /// The ranges as they are written; a part of them and `…` if these have more characters.
    public func text(most: Int) -> String {
        let text = ranges.map {
            $0.lowerBound == $0.upperBound
                ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)"
        }.joined(separator: ",")
        return text.count <= most ? text : String(text.prefix(most)) + "…"
    }

    /// True if one of the ranges has that number.
    public func contains(_ number: Int) -> Bool { ranges.contains { $0.contains(number) } }

    private static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            ? Int(text) : nil
    }
}
