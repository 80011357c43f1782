/// The limit on the pages in memory at the same time: a few of any size, and more while they are
/// small.
///
/// With more pages to choose from, readers begin with the one that takes longest, so that they all
/// finish at about the same time.
public struct HoldingLimit: Hashable, Sendable {
    /// The number of pages that are always allowed, at least 1.
    public let least: Int
    /// The maximum number of pages.
    public let most: Int
    /// No more than ``least`` pages are held if together they have at least this weight.
    public let weight: Int

    /// Between `least` and `most` pages, as long as their total weight is less than `weight`;
    /// exactly `least` unless specified otherwise.
    public init(_ least: Int, most: Int = 0, below weight: Int = 0) {
        self.least = max(1, least)
        self.most = max(self.least, most)
        self.weight = weight
    }

    /// Enough pages to keep `workers` readers busy: one is being captured, one processed, and four
    /// wait to be read while all have less than 128 MiB of captured pixels, like eight A4 pages in
    /// gray at 300 dpi.
    public static func pages(workers: Int) -> HoldingLimit {
        let least = max(1, workers) + 2
        return HoldingLimit(least, most: least + 4, below: 128 << 20)
    }

    /// True if there is room for another element in addition to `count` elements with the total
    /// weight `held`.
    func hasRoom(beside count: Int, weighing held: Int) -> Bool {
        count < least || count < most && held < weight
    }
}
