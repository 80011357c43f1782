/// How many pages are held at once: few whatever they weigh, more while they are small.
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

    /// Between `least` and `most`, as long as they weigh less than `weight` together; exactly
    /// `least` unless told otherwise.
    public init(_ least: Int, most: Int = 0, below weight: Int = 0) {
        self.least = max(1, least)
        self.most = max(self.least, most)
        self.weight = weight
    }

    /// What keeps `workers` readers busy: one more page is being captured and one processed, and
    /// four wait to be read while all of them have less than 128 MiB of captured pixels, as eight
    /// A4 pages in gray at 300 dpi have.
    public static func pages(workers: Int) -> Holding {
        let least = max(1, workers) + 2
        return Holding(least, most: least + 4, below: 128 << 20)
    }

    /// Whether there is room for another beside `count` that weigh `held` together.
    func hasRoom(beside count: Int, weighing held: Int) -> Bool {
        count < least || count < most && held < weight
    }
}
