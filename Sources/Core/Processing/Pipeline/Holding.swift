/// How many pages are held at the same time: a few of any size, and more while they are small.
///
/// Readers that have more pages to choose from begin with the one that takes longest, so that they
/// end together.
public struct Holding: Hashable, Sendable {
    /// How many are held in any case, at least 1.
    public let least: Int
    /// How many are held at most.
    public let most: Int
    /// No more than ``least`` are held if together they are that large.
    public let weight: Int

    /// Between `least` and `most`, as long as their total is less than `weight`; exactly `least`
    /// unless specified otherwise.
    public init(_ least: Int, most: Int = 0, below weight: Int = 0) {
        self.least = max(1, least)
        self.most = max(self.least, most)
        self.weight = weight
    }

    /// Enough to keep `workers` readers busy: one more page is being captured and one processed,
    /// and four wait to be read while all of them have less than 128 MiB of captured pixels, like
    /// eight A4 pages in gray at 300 dpi.
    public static func pages(workers: Int) -> Holding {
        let least = max(1, workers) + 2
        return Holding(least, most: least + 4, below: 128 << 20)
    }

    /// Whether there is room for another in addition to `count` elements of `held` in total.
    func hasRoom(beside count: Int, weighing held: Int) -> Bool {
        count < least || count < most && held < weight
    }
}
