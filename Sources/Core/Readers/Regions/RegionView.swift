import Documents
import Imaging

/// A region's picture as it is read: dark letters of a good size on light ground, upright, with a
/// margin.
struct RegionView {
    /// The median height of the letters in pixels.
    private static let letterHeight = 20.0
    /// Enlarging more would show no more detail.
    private static let mostEnlarging = 4.0
    /// The width of the white margin in pixels.
    private static let margin = 30
    /// The maximum number of pixels in a view.
    private static let mostPixels = 6_000_000.0

    /// The picture to read.
    let image: Raster
    private let box: Box
    private let turn: QuarterTurn?
    /// The number of the page's pixels for one pixel of the picture.
    private let factor: Double

    /// The view of a region of a page.
    init(of region: Region, on page: Raster, turn: QuarterTurn?) {
        let box = region.box
        var part = page.cropped(
            to: PixelRect(x: box.x, y: box.y, width: box.width, height: box.height)
        ).converted(to: .gray8)
        if let shades = region.shades { part = part.inverted(shades) }
        if let turn { part = part.rotated(by: turn) }
        let pixels = Double(part.width * part.height)
        let scale = min(
            Self.letterHeight / Double(max(region.letterHeight, 1)), Self.mostEnlarging,
            (Self.mostPixels / pixels).squareRoot())
        if !(0.9...1.1).contains(scale) {
            part = part.resized(
                to: max(1, Int(Double(part.width) * scale)),
                max(1, Int(Double(part.height) * scale)), filter: scale < 1 ? .area : .bilinear)
        }
        factor = Double(turn == nil ? box.width : box.height) / Double(part.width)
        self.box = box
        self.turn = turn
        image = part.framed(by: Self.margin)
    }

    /// The lines of the view's text, with their places on the page.
    func placed(_ text: PageText) -> [TextLine] {
        text.lines.map { line in
            TextLine(
                words: line.words.map {
                    Word(text: $0.text, box: placed($0.box), confidence: $0.confidence)
                }, box: placed(line.box), baseline: baseline(of: line))
        }
    }

    /// A turned line needs a baseline, because its boxes don't show its direction.
    private func baseline(of line: TextLine) -> Baseline? {
        guard let turn else { return line.baseline.map { placed($0, turn: nil) } }
        let y = line.box.bottom - line.box.height / 4
        return placed(
            line.baseline ?? Baseline(x1: line.box.x, y1: y, x2: line.box.right, y2: y), turn: turn)
    }

    private func placed(_ line: Baseline, turn: QuarterTurn?) -> Baseline {
        let (start, end) = (placed(x: line.x1, y: line.y1), placed(x: line.x2, y: line.y2))
        return Baseline(x1: start.x, y1: start.y, x2: end.x, y2: end.y)
    }

    private func placed(_ box: Box) -> Box {
        let (one, other) = (placed(x: box.x, y: box.y), placed(x: box.right, y: box.bottom))
        return Box(
            x: min(one.x, other.x), y: min(one.y, other.y), width: abs(one.x - other.x),
            height: abs(one.y - other.y))
    }

    /// A point of the view on the page.
    private func placed(x: Int, y: Int) -> (x: Int, y: Int) {
        let across = Int((Double(x - Self.margin) * factor).rounded())
        let down = Int((Double(y - Self.margin) * factor).rounded())
        let (x, y) =
            switch turn {
            case .clockwise90: (down, box.height - across)
            case .counterclockwise90: (box.width - down, across)
            case .half: (box.width - across, box.height - down)
            case nil: (across, down)
            }
        return (
            box.x + min(max(x, 0), box.width), box.y + min(max(y, 0), box.height)
        )
    }
}

extension Raster {
    /// A gray picture with a white margin, and 300 as its resolution.
    fileprivate func framed(by margin: Int) -> Raster {
        var result = Raster(
            width: width + 2 * margin, height: height + 2 * margin, format: .gray8, resolution: 300)
        let (from, to) = (stride, result.stride)
        withBytes { source in
            result.withMutableBytes { target in
                target.initializeMemory(as: UInt8.self, repeating: 255)
                for y in 0..<height {
                    UnsafeMutableRawBufferPointer(rebasing: target[((y + margin) * to + margin)...])
                        .copyMemory(
                            from: UnsafeRawBufferPointer(
                                rebasing: source[y * from..<y * from + width]))
                }
            }
        }
        return result
    }

    /// A gray picture with light letters on dark ground as dark letters on white; what is light
    /// at its edges belongs to no letter, and becomes white.
    fileprivate func inverted(_ shades: Region.Shades) -> Raster {
        var result = self
        let (width, height, stride) = (width, height, stride)
        let range = Int(shades.letters) - Int(shades.ground)
        result.withMutableBytes { bytes in
            var waiting: [(x: Int, y: Int)] = []
            waiting += (0..<width).flatMap { [($0, 0), ($0, height - 1)] }
            waiting += (0..<height).flatMap { [(0, $0), (width - 1, $0)] }
            while let (x, y) = waiting.popLast() {
                let place = y * stride + x
                guard bytes[place] > shades.middle else { continue }
                bytes[place] = 0
                if x > 0 { waiting.append((x - 1, y)) }
                if x + 1 < width { waiting.append((x + 1, y)) }
                if y > 0 { waiting.append((x, y - 1)) }
                if y + 1 < height { waiting.append((x, y + 1)) }
            }
            for y in 0..<height {
                for x in 0..<width {
                    let above = Int(bytes[y * stride + x]) - Int(shades.ground)
                    bytes[y * stride + x] = UInt8(255 - min(max(255 * above / range, 0), 255))
                }
            }
        }
        return result
    }
}
