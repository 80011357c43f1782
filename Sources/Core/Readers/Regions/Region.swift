import Documents

/// A part of a page whose letters were not read, or not read well.
struct Region: Hashable, Sendable {
    /// The gray levels of light letters and of the dark ground below them.
    struct Shades: Hashable, Sendable {
        /// The level of the ground.
        var ground: UInt8
        /// The level of the letters, which is higher.
        var letters: UInt8

        /// The level that separates the two.
        var middle: UInt8 { UInt8((Int(ground) + Int(letters)) / 2) }
    }

    /// The place on the page, with a margin around the letters.
    var box: Box
    /// The places of its letters on the page.
    var letters: [Box]
    /// True if its lines run up or down the page.
    var isTurned = false
    /// The levels of light letters on a dark ground; nil for dark letters.
    var shades: Shades?

    /// The median height of the letters as they are read, in pixels of the page.
    var letterHeight: Int {
        letters.map { isTurned ? $0.width : $0.height }.sorted()[letters.count / 2]
    }
}
