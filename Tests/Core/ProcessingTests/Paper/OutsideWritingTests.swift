import Glibc
import Imaging
import Testing

@testable import Processing

/// Tests strokes on the background beside a sheet: writing keeps the picture whole, and dirt does
/// not.
@Suite struct OutsideWritingTests {
    /// A line through points in millimeters, with its width, and the levels by which it is darker
    /// than the background.
    struct Stroke: Sendable {
        var points: [(x: Double, y: Double)]
        var width: Double
        var depth: Double

        init(_ points: [(x: Double, y: Double)], width: Double = 0.4, depth: Double = 140) {
            self.points = points
            self.width = width
            self.depth = depth
        }
    }

    struct Marks: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var strokes: [Stroke]
        var ground = 215
    }

    /// The strokes of upright handwritten letters in a box of 2 × 3.
    private static let shapes: [Character: [[(x: Double, y: Double)]]] = [
        "n": [[(0, 1), (0, 3)], [(0, 1.6), (0.8, 1), (1.6, 1.4), (1.6, 3)]],
        "o": [[(0.8, 1), (1.6, 1.6), (1.5, 2.6), (0.8, 3), (0, 2.4), (0.1, 1.5), (0.8, 1)]],
        "7": [[(0, 0), (1.8, 0), (0.7, 3)]],
        "E": [[(1.6, 0), (0, 0), (0, 3), (1.6, 3)], [(0, 1.5), (1.3, 1.5)]],
        "X": [[(0, 0), (1.8, 3)], [(1.8, 0), (0, 3)]],
        "I": [[(0.5, 0), (0.5, 3)]],
        "3": [[(0, 0.2), (1, 0), (1.7, 0.7), (0.8, 1.4), (1.7, 2.2), (1, 3), (0, 2.8)]],
    ]

    private static func text(
        _ text: String, x: Double, y: Double, runsUp: Bool = false, size: Double = 1
    ) -> [Stroke] {
        var strokes: [Stroke] = []
        for (index, letter) in text.enumerated() {
            for line in shapes[letter] ?? [] {
                strokes.append(
                    Stroke(
                        line.map { point in
                            let (along, down) = (
                                (point.x + 2.5 * Double(index)) * size, point.y * size
                            )
                            return runsUp ? (x + down, y - along) : (x + along, y + down)
                        }))
            }
        }
        return strokes
    }

    /// A line of loops, as of a signature.
    private static func loops(
        x: Double, y: Double, width: Double, depth: Double
    ) -> Stroke {
        var points: [(x: Double, y: Double)] = []
        for step in 0...240 {
            let turn = Double(step) * .pi / 20
            points.append((x + Double(step) * 0.12 + 2.6 * sin(turn), y - 3.5 * cos(turn)))
        }
        return Stroke(points, width: width, depth: depth)
    }

    static let writing = [
        Marks(testDescription: "no 7", strokes: text("no 7", x: 40, y: 12)),
        Marks(
            testDescription: "a label that runs up",
            strokes: text("EXI", x: 6, y: 200, runsUp: true)),
        Marks(testDescription: "a digit", strokes: text("3", x: 100, y: 280, size: 1.3)),
        Marks(
            testDescription: "a signature",
            strokes: [loops(x: 60, y: 282, width: 0.5, depth: 120)]),
        Marks(
            testDescription: "a number in white on a dark ground",
            strokes: text("n73", x: 40, y: 12).map {
                Stroke($0.points, width: $0.width, depth: -130)
            }, ground: 60),
    ]

    static let dirt = [
        Marks(
            testDescription: "a curled hair",
            strokes: [loops(x: 60, y: 282, width: 0.08, depth: 180)]),
        Marks(
            testDescription: "scratches",
            strokes: (0..<8).map { index in
                let x = 20 + 20 * Double(index)
                return Stroke([(x, 10), (x + 12, 11 + Double(index % 3))], width: 0.2, depth: 90)
            }),
        Marks(
            testDescription: "crumbs",
            strokes: (0..<9).map { index in
                let (x, y) = (20 + 2.2 * Double(index % 3), 10 + 2.2 * Double(index / 3))
                return Stroke([(x, y), (x + 0.6, y + 0.3)], width: 1.1, depth: 150)
            }),
        Marks(
            testDescription: "pieces of a shadow along the sheet's edge",
            strokes: (0..<30).map { index in
                let y = 40 + 7 * Double(index)
                return Stroke(
                    [(27.2, y), (27.4, y + Double(1 + index % 5))], width: 0.6, depth: 70)
            }),
        Marks(
            testDescription: "a paper clip at the sheet's edge",
            strokes: [
                Stroke(
                    [(80, 44), (80, 28), (86, 28), (86, 42), (82, 42), (82, 32)], width: 1,
                    depth: 120)
            ]),
    ]

    @Test("Writing beside the sheet keeps the picture whole", arguments: writing)
    func kept(_ marks: Marks) throws {
        let outcome = try crop(picture(marks))
        #expect(outcome.summary.contains("outside the sheet"), "\(outcome.summary)")
        #expect(!outcome.isChanged)
    }

    @Test("Dirt and shadows beside the sheet do not keep the picture whole", arguments: dirt)
    func cut(_ marks: Marks) throws {
        let outcome = try crop(picture(marks))
        #expect(outcome.isChanged, "\(outcome.summary)")
    }

    private func crop(_ image: Raster) throws -> StepOutcome {
        try CropStep(StepSettings([:])).run(on: StepInput(image: image, target: .page))
    }

    /// An A4 picture at 150 dpi: an even background with a sensor's noise, a pale sheet on it, and
    /// the marks.
    private func picture(_ marks: Marks) -> Raster {
        let (width, height) = (1240, 1754)
        let millimeter = 150 / 25.4
        var depths = [Double](repeating: 0, count: width * height)
        for stroke in marks.strokes {
            for (a, b) in zip(stroke.points, stroke.points.dropFirst()) {
                let reach = stroke.width / 2 + 0.4
                let left = max(0, Int((min(a.x, b.x) - reach) * millimeter))
                let right = min(width, Int((max(a.x, b.x) + reach) * millimeter) + 1)
                let top = max(0, Int((min(a.y, b.y) - reach) * millimeter))
                let bottom = min(height, Int((max(a.y, b.y) + reach) * millimeter) + 1)
                for y in top..<bottom {
                    for x in left..<right {
                        let place = ((Double(x) + 0.5) / millimeter, (Double(y) + 0.5) / millimeter)
                        let covered = Self.covered(place, a, b, stroke.width, pixel: 1 / millimeter)
                        let depth = covered * stroke.depth
                        if depth.magnitude > depths[y * width + x].magnitude {
                            depths[y * width + x] = depth
                        }
                    }
                }
            }
        }
        var random = SeededGenerator(seed: 11)
        var image = Raster(width: width, height: height, format: .gray8, resolution: 150)
        let stride = image.stride
        image.withMutableBytes { bytes in
            for y in 0..<height {
                for x in 0..<width {
                    let isSheet = (170..<1070).contains(x) && (236..<1570).contains(y)
                    let noise = Int(truncatingIfNeeded: random.next() % 5) - 2
                    let level =
                        isSheet ? 250 : marks.ground - Int(depths[y * width + x].rounded())
                    bytes[y * stride + x] = UInt8(clamping: level + noise)
                }
            }
        }
        return image
    }

    /// The fraction of a pixel that a line from `a` to `b` covers, by the distance of the line's
    /// edge from the pixel's middle.
    ///
    /// A line narrower than a pixel covers a fraction equal to the line's width.
    private static func covered(
        _ place: (Double, Double), _ a: (x: Double, y: Double), _ b: (x: Double, y: Double),
        _ width: Double, pixel: Double
    ) -> Double {
        let (dx, dy) = (b.x - a.x, b.y - a.y)
        let along = ((place.0 - a.x) * dx + (place.1 - a.y) * dy) / max(1e-9, dx * dx + dy * dy)
        let share = min(1, max(0, along))
        let (x, y) = (place.0 - a.x - share * dx, place.1 - a.y - share * dy)
        let distance = (x * x + y * y).squareRoot()
        let edge = (width / 2 - distance) / pixel + 0.5
        return min(1, max(0, edge)) * min(1, width / pixel + 0.3)
    }
}
