import CLeptonica

/// How tall the small letters on a page are, in pixels: the measure that tells how much to scale
/// it.
enum LetterHeight {
    /// Fewer shapes than this say nothing.
    private static let fewest = 20

    /// The median height of the connected shapes that may be letters, nil when there are too few.
    ///
    /// Mostly the x-height, since most letters have neither ascender nor descender. Each shape
    /// counts by its height, so that letters outweigh the specks of a noisy picture. Uses one
    /// threshold for the whole page (Otsu's) and leptonica's `pixConnCompBB`; some 35 ms for an A4
    /// page at 300 dpi.
    static func median(of picture: Picture) -> Int? {
        // Half of a very large picture tells as much, in a quarter of the time.
        if picture.width * picture.height > 16_000_000, picture.depth == 8,
            let half = Picture(pixScaleAreaMap2(picture.pix))
        {
            return median(of: half).map { 2 * $0 }
        }
        guard let black = binarized(picture), let boxes = pixConnCompBB(black.pix, 8) else {
            return nil
        }
        defer {
            var boxes: UnsafeMutablePointer<Boxa>? = boxes
            boxaDestroy(&boxes)
        }
        var counts = [Int](repeating: 0, count: 201)
        var shapes = 0
        var weight = 0
        for index in 0..<boxaGetCount(boxes) {
            var width: Int32 = 0
            var height: Int32 = 0
            boxaGetBoxGeometry(boxes, index, nil, nil, &width, &height)
            // Specks, rules, frames and pictures are no letters.
            guard (5...200).contains(height), width <= 4 * height, height <= 6 * width else {
                continue
            }
            counts[Int(height)] += 1
            shapes += 1
            weight += Int(height)
        }
        guard shapes >= fewest else { return nil }
        var seen = 0
        return counts.indices.first { height in
            seen += height * counts[height]
            return seen * 2 > weight
        }
    }

    private static func binarized(_ picture: Picture) -> Picture? {
        if picture.depth == 1 { return picture }
        var black: UnsafeMutablePointer<Pix>?
        let width = Int32(picture.width)
        let height = Int32(picture.height)
        // Leptonica refuses tiles below 16 pixels.
        guard width >= 16, height >= 16,
            pixOtsuAdaptiveThreshold(picture.pix, width, height, 0, 0, 0.1, nil, &black) == 0
        else { return nil }
        return Picture(black)
    }
}
