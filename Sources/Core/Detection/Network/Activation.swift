/// An area in a network's working memory: rows of pixels with several channels, and a border around
/// them.
struct Activation {
    /// The first float of the border's top left pixel.
    let base: UnsafeMutablePointer<Float>
    /// The number of pixels in a side, without the border.
    let side: Int
    let channels: Int
    /// The number of border pixels on each side.
    let border: Int

    /// The number of floats from one row to the next.
    var row: Int { (side + 2 * border) * channels }
    /// The number of floats, with the border.
    var count: Int { (side + 2 * border) * row }
    /// The first float of the top left pixel.
    var origin: UnsafeMutablePointer<Float> { base + border * (row + channels) }

    /// Writes zeros to the border.
    func clearBorder() {
        guard border > 0 else { return }
        let rows = border * row
        base.update(repeating: 0, count: rows)
        (base + count - rows).update(repeating: 0, count: rows)
        for y in border..<side + border {
            let start = base + y * row
            start.update(repeating: 0, count: border * channels)
            (start + row - border * channels).update(repeating: 0, count: border * channels)
        }
    }

    /// Swaps left and right, except for the border.
    func mirror() {
        for y in 0..<side {
            let line = origin + y * row
            for x in 0..<side / 2 {
                let (left, right) = (x * channels, (side - 1 - x) * channels)
                for c in 0..<channels { swap(&line[left + c], &line[right + c]) }
            }
        }
    }
}
