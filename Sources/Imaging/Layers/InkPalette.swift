/// The few colours of a page's ink, and which runs have which.
struct InkPalette {
    /// Runs that have one colour.
    private struct Piece {
        var colour: SIMD3<Float>
        var area: Int
        var runs: ArraySlice<InkComponents.Run>
    }

    private struct Colour {
        var sum: SIMD3<Float>
        var area: Float
        var runs: [InkComponents.Run]
        var mean: SIMD3<Float> { sum / area }
    }

    /// The most colours; a page seldom has more than its black, a letterhead's colour, a stamp and a pen.
    private static let most = 8
    /// Colours nearer than this are one.
    private static let near: Float = 48

    private var colours: [Colour] = []
    /// Ink whose colour is far from the one it has got, in pixels.
    private var mistaken = 0
    private var area = 0

    /// Collects the colours of the ink of a page, those of the largest patches first.
    ///
    /// - Parameter resolution: dots per inch.
    init(of ink: Ink, in page: Raster, gray: Raster, resolution: Double) {
        var pieces = Self.pieces(of: ink, in: page, gray: gray, resolution: resolution)
        pieces.sort { $0.area > $1.area }
        // What is smaller than a small letter is mostly edge, and so has no colour of its own.
        let small = Int(resolution * resolution / 200)
        for piece in pieces { add(piece, near: piece.area < small ? 2 * Self.near : Self.near) }
    }

    /// False when a fiftieth of the ink and more would get a colour that is clearly another.
    var isFaithful: Bool { mistaken * 50 <= area }

    private mutating func add(_ piece: Piece, near: Float) {
        area += piece.area
        let weighed = piece.colour * Float(piece.area)
        let distances = colours.map { Self.distance($0.mean, piece.colour) }
        let nearest = distances.indices.min { distances[$0] < distances[$1] }
        guard let index = nearest, distances[index] <= near || colours.count == Self.most else {
            colours.append(
                Colour(sum: weighed, area: Float(piece.area), runs: Array(piece.runs)))
            return
        }
        if distances[index] > 2 * Self.near { mistaken += piece.area }
        colours[index].sum += weighed
        colours[index].area += Float(piece.area)
        colours[index].runs += piece.runs
    }

    /// A stencil for each colour, no larger than it has to be.
    func inks() -> [PageLayers.Ink] {
        colours.map { colour in
            let runs = colour.runs
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

    /// Patches of one hue as a whole, others in parts of a few pixels, as where a stamp crosses letters.
    private static func pieces(
        of ink: Ink, in page: Raster, gray: Raster, resolution: Double
    ) -> [Piece] {
        let part = max(2, Int(resolution / 75))
        var pieces: [Piece] = []
        page.withRows { colours in
            gray.withRows { levels in
                let reader = InkReader(colours: colours, levels: levels, page.format.channels)
                for number in ink.kept {
                    let patch = ink.patches.components[number]
                    let runs = ink.patches.runs[patch.runs]
                    let whole = reader.colour(of: runs)
                    guard page.format.channels == 3,
                        reader.hueSpread(of: runs, about: whole) > 20
                    else {
                        pieces.append(Piece(colour: whole, area: patch.area, runs: runs))
                        continue
                    }
                    for run in runs {
                        for start in stride(from: run.start, to: run.end, by: part) {
                            let end = min(start + part, run.end)
                            let cut = [InkComponents.Run(y: run.y, start: start, end: end)][...]
                            pieces.append(
                                Piece(colour: reader.colour(of: cut), area: end - start, runs: cut))
                        }
                    }
                }
            }
        }
        return pieces
    }

    /// How far colours are apart.
    ///
    /// Hue counts more than brightness: thin letters and edges are paler, mixed with paper, and yet of the same ink.
    private static func distance(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> Float {
        let gap = a - b
        let brightness = (gap.x + 2 * gap.y + gap.z) / 4
        let hue = InkReader.hue(gap)
        return (brightness * brightness / 2 + (hue * hue).sum()).squareRoot()
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

    /// How much the hue of pixels differs from that of a colour, on average, in levels.
    func hueSpread(
        of runs: ArraySlice<InkComponents.Run>, about colour: SIMD3<Float>
    ) -> Float {
        let middle = Self.hue(colour)
        var (sum, count): (Float, Int) = (0, 0)
        for run in runs {
            let pixels = colours.row(run.y)
            for x in run.start..<run.end {
                let at = 3 * x
                let pixel = SIMD3(Float(pixels[at]), Float(pixels[at + 1]), Float(pixels[at + 2]))
                let gap = Self.hue(pixel) - middle
                sum += (gap * gap).sum().squareRoot()
            }
            count += run.end - run.start
        }
        return sum / Float(max(1, count))
    }

    /// Red and blue against green: both 0 for a gray.
    static func hue(_ colour: SIMD3<Float>) -> SIMD2<Float> {
        SIMD2(colour.x - colour.y, colour.z - colour.y)
    }
}
