/// The few colours of a page's ink, and which runs have which.
struct InkPalette {
    /// Runs that have one colour.
    private struct Piece {
        var colour: SIMD3<Float>
        var area: Int
        /// Places in the runs of all patches.
        var runs: Range<Int>
    }

    private struct Colour {
        var sum: SIMD3<Float>
        var area: Float
        var mean: SIMD3<Float> { sum / area }
    }

    /// The most colours; a page seldom has more than its black, a letterhead's colour, a stamp and a pen.
    private static let most = 8
    /// Colours nearer than this (levels, in sRGB) are one: thin letters are paler than bold ones.
    private static let near: Float = 48

    private let patches: InkComponents
    private var colours: [Colour] = []
    /// The runs of each colour.
    private var runs: [[Range<Int>]] = []
    /// Ink whose colour is far from the one it has got, in pixels.
    private var mistaken = 0
    private var area = 0

    /// Collects the colours of the ink of a page, the most used first.
    init(of ink: Ink, in page: Raster, gray: Raster) {
        patches = ink.patches
        var pieces = Self.pieces(of: ink, in: page, gray: gray)
        pieces.sort { $0.area > $1.area }
        for piece in pieces { add(piece) }
    }

    /// False when a fiftieth of the ink and more would get a colour that is clearly another.
    var isFaithful: Bool { mistaken * 50 <= area }

    private mutating func add(_ piece: Piece) {
        area += piece.area
        let distances = colours.map { Self.distance($0.mean, piece.colour) }
        var nearest = distances.indices.min { distances[$0] < distances[$1] }
        if let found = nearest, distances[found] > Self.near, colours.count < Self.most {
            nearest = nil
        }
        guard let index = nearest else {
            colours.append(Colour(sum: piece.colour * Float(piece.area), area: Float(piece.area)))
            runs.append([piece.runs])
            return
        }
        if distances[index] > 2 * Self.near { mistaken += piece.area }
        colours[index].sum += piece.colour * Float(piece.area)
        colours[index].area += Float(piece.area)
        runs[index].append(piece.runs)
    }

    /// A stencil for each colour, no larger than it has to be.
    func inks() -> [PageLayers.Ink] {
        zip(colours, runs).map { colour, ranges in
            let runs = ranges.flatMap { patches.runs[$0] }
            let left = runs.map(\.start).min() ?? 0
            let right = runs.map(\.end).max() ?? 1
            let top = runs.map(\.y).min() ?? 0
            let bottom = (runs.map(\.y).max() ?? 0) + 1
            var stencil = Raster(width: right - left, height: bottom - top, format: .bilevel)
            let stride = stencil.stride
            stencil.withMutableBytes { bytes in
                for run in runs {
                    let row = (run.y - top) * stride
                    for x in run.start - left..<run.end - left {
                        bytes[row + x / 8] |= 0x80 >> UInt8(x % 8)
                    }
                }
            }
            return PageLayers.Ink(
                colour: Self.colour(colour.mean), stencil: stencil,
                place: PixelRect(x: left, y: top, width: right - left, height: bottom - top))
        }
    }

    /// Patches of one colour as a whole, others run by run, as where a stamp crosses letters.
    private static func pieces(of ink: Ink, in page: Raster, gray: Raster) -> [Piece] {
        var pieces: [Piece] = []
        page.withRows { colours in
            gray.withRows { levels in
                let reader = InkReader(colours: colours, levels: levels, page.format.channels)
                for number in ink.kept {
                    let patch = ink.patches.components[number]
                    let runs = ink.patches.runs
                    let whole = reader.colour(of: runs[patch.runs])
                    let single = patch.runs.map { reader.colour(of: runs[$0...$0]) }
                    var spread: Float = 0
                    for (index, colour) in zip(patch.runs, single) {
                        let length = Float(runs[index].end - runs[index].start)
                        spread += Self.distance(colour, whole) * length
                    }
                    if page.format.channels == 1 || spread <= near * Float(patch.area) {
                        pieces.append(Piece(colour: whole, area: patch.area, runs: patch.runs))
                        continue
                    }
                    for (index, colour) in zip(patch.runs, single) {
                        let length = runs[index].end - runs[index].start
                        pieces.append(
                            Piece(colour: colour, area: length, runs: index..<index + 1))
                    }
                }
            }
        }
        return pieces
    }

    private static func distance(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> Float {
        let gap = a - b
        return (gap * gap).sum().squareRoot()
    }

    private static func colour(_ mean: SIMD3<Float>) -> InkColour {
        func level(_ value: Float) -> UInt8 { UInt8(min(max(value.rounded(), 0), 255)) }
        return InkColour(red: level(mean.x), green: level(mean.y), blue: level(mean.z))
    }
}

/// Reads the colour of ink off a page.
private struct InkReader {
    let colours: PixelRows
    let levels: PixelRows
    let channels: Int

    init(colours: PixelRows, levels: PixelRows, _ channels: Int) {
        self.colours = colours
        self.levels = levels
        self.channels = channels
    }

    /// The mean of the darker pixels, those no brighter than the mean: the others are edges, mixed with paper.
    func colour(of runs: ArraySlice<InkComponents.Run>) -> SIMD3<Float> {
        var (sum, count) = (0, 0)
        for run in runs {
            let row = levels.row(run.y)
            for x in run.start..<run.end { sum += Int(row[x]) }
            count += run.end - run.start
        }
        let mean = sum / max(1, count)
        var total = SIMD3<Int>()
        var dark = 0
        for run in runs {
            let row = levels.row(run.y)
            let pixels = colours.row(run.y)
            for x in run.start..<run.end where Int(row[x]) <= mean {
                let at = x * channels
                total &+= SIMD3(
                    Int(pixels[at]), Int(pixels[at + channels / 2]), Int(pixels[at + channels - 1]))
                dark += 1
            }
        }
        return SIMD3<Float>(total) / Float(max(1, dark))
    }
}
