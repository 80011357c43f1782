/// The few colors of a page's ink, and the color of each run.
struct InkPalette {
    /// Runs with one color.
    private struct Piece {
        /// The number of the patch with the runs.
        var patch: Int
        var color: SIMD3<Float>
        var area: Int
        var runs: ArraySlice<InkComponents.Run>
    }

    private struct Color {
        var sum: SIMD3<Float>
        var area: Float
        var pieces: [Piece]
        var mean: SIMD3<Float> { sum / area }
    }

    /// The maximum number of colors; a page seldom has more than its black, a letterhead's color, a
    /// stamp and a pen.
    private static let most = 8
    /// Colors nearer than this are the same.
    private static let near: Float = 48

    private var colors: [Color] = []
    /// The number of ink pixels whose color is far from the one they were given.
    private var mistaken = 0
    private var area = 0

    /// A palette without colors.
    init() {}

    /// Collects the colors of a page's ink, from the largest patches to the smallest.
    ///
    /// - Parameter resolution: dots per inch.
    init(of ink: Ink, in page: Raster, gray: Raster, resolution: Double) {
        var pieces = Self.pieces(of: ink, in: page, gray: gray, resolution: resolution)
        pieces.sort { $0.area > $1.area }
        // A patch smaller than a small letter is mostly edge, and has no color of its own.
        let small = Int(resolution * resolution / 200)
        for piece in pieces { add(piece, near: piece.area < small ? 2 * Self.near : Self.near) }
    }

    /// False when at least a fiftieth of the ink would get a clearly different color.
    var isFaithful: Bool { mistaken * 50 <= area }

    private mutating func add(_ piece: Piece, near: Float) {
        area += piece.area
        let weighed = piece.color * Float(piece.area)
        let distances = colors.map { Self.distance($0.mean, piece.color) }
        let nearest = distances.indices.min { distances[$0] < distances[$1] }
        guard let index = nearest, distances[index] <= near || colors.count == Self.most else {
            colors.append(
                Color(sum: weighed, area: Float(piece.area), pieces: [piece]))
            return
        }
        if distances[index] > 2 * Self.near { mistaken += piece.area }
        colors[index].sum += weighed
        colors[index].area += Float(piece.area)
        colors[index].pieces.append(piece)
    }

    /// Visits all runs of ink, with the number of each run's patch and the run's color.
    func forEachRun(_ body: (InkComponents.Run, Int, SIMD3<Float>) -> Void) {
        for color in colors {
            let mean = color.mean
            for piece in color.pieces {
                for run in piece.runs { body(run, piece.patch, mean) }
            }
        }
    }

    /// A stencil for each color, no larger than necessary.
    func inks() -> [PageLayers.Ink] {
        colors.map { color in
            let runs = color.pieces.flatMap(\.runs)
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
                color: Self.color(color.mean), stencil: stencil,
                place: PixelRect(x: left, y: top, width: right - left, height: bottom - top))
        }
    }

    /// Divides ink into pieces: patches of one hue stay whole, and others are divided into parts of
    /// a few pixels, for example where a stamp crosses letters.
    private static func pieces(
        of ink: Ink, in page: Raster, gray: Raster, resolution: Double
    ) -> [Piece] {
        let part = max(2, Int(resolution / 75))
        var pieces: [Piece] = []
        page.withRows { colors in
            gray.withRows { levels in
                let reader = InkReader(colors: colors, levels: levels, page.format.channels)
                for number in ink.kept {
                    let patch = ink.patches.components[number]
                    let runs = ink.patches.runs[patch.runs]
                    let whole = reader.color(of: runs)
                    guard page.format.channels == 3,
                        reader.hueSpread(of: runs, about: whole) > 20
                    else {
                        pieces.append(
                            Piece(patch: number, color: whole, area: patch.area, runs: runs))
                        continue
                    }
                    for run in runs {
                        for start in stride(from: run.start, to: run.end, by: part) {
                            let end = min(start + part, run.end)
                            let cut = [InkComponents.Run(y: run.y, start: start, end: end)][...]
                            pieces.append(
                                Piece(
                                    patch: number, color: reader.color(of: cut),
                                    area: end - start, runs: cut))
                        }
                    }
                }
            }
        }
        return pieces
    }

    /// The distance of two colors.
    ///
    /// Hue counts more than brightness: thin letters and edges are paler because of the paper
    /// between, but of the same ink.
    static func distance(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> Float {
        let gap = a - b
        let brightness = Self.brightness(gap)
        let hue = InkReader.hue(gap)
        return (brightness * brightness / 2 + (hue * hue).sum()).squareRoot()
    }

    /// The brightness of a color, 0…255.
    static func brightness(_ color: SIMD3<Float>) -> Float {
        (color.x + 2 * color.y + color.z) / 4
    }

    private static func color(_ mean: SIMD3<Float>) -> InkColor {
        func level(_ value: Float) -> UInt8 { UInt8(min(max(value.rounded(), 0), 255)) }
        return InkColor(red: level(mean.x), green: level(mean.y), blue: level(mean.z))
    }
}
