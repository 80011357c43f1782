/// The few colours of a page's ink, and which runs have which.
struct InkPalette {
    /// Runs that have one colour.
    private struct Piece {
        /// The patch it is of.
        var patch: Int
        var colour: SIMD3<Float>
        var area: Int
        var runs: ArraySlice<InkComponents.Run>
    }

    private struct Colour {
        var sum: SIMD3<Float>
        var area: Float
        var pieces: [Piece]
        var mean: SIMD3<Float> { sum / area }
    }

    /// The most colours; a page seldom has more than its black, a letterhead's colour, a stamp and
    /// a pen.
    private static let most = 8
    /// Colours nearer than this are one.
    private static let near: Float = 48

    private var colours: [Colour] = []
    /// Ink whose colour is far from the one it has got, in pixels.
    private var mistaken = 0
    private var area = 0

    /// One without colours.
    init() {}

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
                Colour(sum: weighed, area: Float(piece.area), pieces: [piece]))
            return
        }
        if distances[index] > 2 * Self.near { mistaken += piece.area }
        colours[index].sum += weighed
        colours[index].area += Float(piece.area)
        colours[index].pieces.append(piece)
    }

    /// Goes through all runs of ink with the number of their patch and the colour they have got.
    func forEachRun(_ body: (InkComponents.Run, Int, SIMD3<Float>) -> Void) {
        for colour in colours {
            let mean = colour.mean
            for piece in colour.pieces {
                for run in piece.runs { body(run, piece.patch, mean) }
            }
        }
    }

    /// A stencil for each colour, no larger than it has to be.
    func inks() -> [PageLayers.Ink] {
        colours.map { colour in
            let runs = colour.pieces.flatMap(\.runs)
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

    /// Patches of one hue as a whole, others in parts of a few pixels, as where a stamp crosses
    /// letters.
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
                        pieces.append(
                            Piece(patch: number, colour: whole, area: patch.area, runs: runs))
                        continue
                    }
                    for run in runs {
                        for start in stride(from: run.start, to: run.end, by: part) {
                            let end = min(start + part, run.end)
                            let cut = [InkComponents.Run(y: run.y, start: start, end: end)][...]
                            pieces.append(
                                Piece(
                                    patch: number, colour: reader.colour(of: cut),
                                    area: end - start, runs: cut))
                        }
                    }
                }
            }
        }
        return pieces
    }

    /// How far colours are apart.
    ///
    /// Hue counts more than brightness: thin letters and edges are paler, mixed with paper, and yet
    /// of the same ink.
    static func distance(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> Float {
        let gap = a - b
        let brightness = Self.brightness(gap)
        let hue = InkReader.hue(gap)
        return (brightness * brightness / 2 + (hue * hue).sum()).squareRoot()
    }

    /// How bright a colour is, 0…255.
    static func brightness(_ colour: SIMD3<Float>) -> Float {
        (colour.x + 2 * colour.y + colour.z) / 4
    }

    private static func colour(_ mean: SIMD3<Float>) -> InkColour {
        func level(_ value: Float) -> UInt8 { UInt8(min(max(value.rounded(), 0), 255)) }
        return InkColour(red: level(mean.x), green: level(mean.y), blue: level(mean.z))
    }
}
