public import Documents
public import Imaging

/// The movement of a picture's pixels when it was cut, turned or stretched.
enum PixelMovement: Sendable {
    /// Each pixel stays where it was.
    case none
    /// The map from the old picture to the new one.
    case by(Homography)
    /// A movement that no map of the plane describes.
    case unknown

    /// A cut to a part of the picture.
    static func cut(to part: PixelRect) -> PixelMovement {
        moved(from: Quad(part), to: Quad(width: part.width, height: part.height))
    }

    /// A turn of the whole picture.
    static func turned(_ image: Raster, by turn: QuarterTurn) -> PixelMovement {
        let whole = Quad(image.bounds)
        let (a, b, c, d) = (whole.topLeft, whole.topRight, whole.bottomRight, whole.bottomLeft)
        // The picture's corners in the order of the new picture's, clockwise from the top left.
        let (corners, isLying) =
            switch turn {
            case .clockwise90: ((d, a, b, c), true)
            case .half: ((c, d, a, b), false)
            case .counterclockwise90: ((b, c, d, a), true)
            }
        return moved(
            from: Quad(
                topLeft: corners.0, topRight: corners.1, bottomRight: corners.2,
                bottomLeft: corners.3),
            to: Quad(
                width: isLying ? image.height : image.width,
                height: isLying ? image.width : image.height))
    }

    /// A turn around the picture's middle, clockwise, as `Raster.rotated(byDegrees:fill:)` makes
    /// it.
    static func turned(_ image: Raster, byDegrees degrees: Double) -> PixelMovement {
        .by(.turn(byDegrees: degrees, width: image.width, height: image.height))
    }

    /// This movement, followed by another; an unknown one counts as a stretch of the whole picture.
    func then(_ next: PixelMovement, from old: Raster, to new: Raster) -> PixelMovement {
        switch (self, next) {
        case (_, .none): self
        case (_, .unknown):
            then(
                .moved(
                    from: Quad(width: old.width, height: old.height),
                    to: Quad(width: new.width, height: new.height)), from: old, to: new)
        case (.none, .by): next
        case (.by(let first), .by(let second)):
            first.then(second).map(PixelMovement.by) ?? .unknown
        case (.unknown, .by): .unknown
        }
    }

    /// The movement that takes a quad of the picture to another quad.
    static func moved(from quad: Quad, to target: Quad) -> PixelMovement {
        Homography(from: quad, to: target).map(PixelMovement.by) ?? .unknown
    }
}

extension Quad {
    /// The corners of a rectangle of pixels.
    public init(_ part: PixelRect) {
        let (left, top) = (Double(part.x), Double(part.y))
        let (right, bottom) = (left + Double(part.width), top + Double(part.height))
        self.init(
            topLeft: Point(x: left, y: top), topRight: Point(x: right, y: top),
            bottomRight: Point(x: right, y: bottom), bottomLeft: Point(x: left, y: bottom))
    }
}

extension PageText {
    /// The text after a map of the picture's pixels; nil when no words are left.
    ///
    /// Words whose middle is outside the new picture's `width` × `height` pixels are left out.
    public func moved(by map: Homography, width: Int, height: Int) -> PageText? {
        var moved = self
        moved.blocks = blocks.compactMap { block in
            let paragraphs = block.paragraphs.compactMap { paragraph in
                let lines = paragraph.lines.compactMap { line in
                    let words = line.words.compactMap { word -> Word? in
                        guard let box = word.box.moved(by: map, width, height) else { return nil }
                        return Word(text: word.text, box: box, confidence: word.confidence)
                    }
                    return Box(around: words.map(\.box)).map { TextLine(words: words, box: $0) }
                }
                return Box(around: lines.map(\.box)).map { Paragraph(lines: lines, box: $0) }
            }
            return Box(around: paragraphs.map(\.box)).map {
                TextBlock(paragraphs: paragraphs, box: $0)
            }
        }
        return moved.blocks.isEmpty ? nil : moved
    }

    /// The text without the words that overlap a word of `other` by at least a quarter of their
    /// area.
    func without(_ other: PageText) -> PageText {
        let taken = other.words.map(\.box)
        var rest = self
        rest.blocks = blocks.compactMap { block in
            let paragraphs = block.paragraphs.compactMap { paragraph in
                let lines = paragraph.lines.compactMap { line -> TextLine? in
                    let words = line.words.filter { word in
                        !taken.contains { word.box.overlap($0) * 4 >= word.box.area }
                    }
                    guard words.count < line.words.count else { return line }
                    return Box(around: words.map(\.box)).map {
                        TextLine(words: words, box: $0, baseline: line.baseline)
                    }
                }
                return Box(around: lines.map(\.box)).map { Paragraph(lines: lines, box: $0) }
            }
            return Box(around: paragraphs.map(\.box)).map {
                TextBlock(paragraphs: paragraphs, box: $0)
            }
        }
        return rest
    }
}

extension Box {
    fileprivate var area: Int { width * height }

    fileprivate func overlap(_ other: Box) -> Int {
        let across = min(x + width, other.x + other.width) - max(x, other.x)
        let down = min(y + height, other.y + other.height) - max(y, other.y)
        return max(0, across) * max(0, down)
    }

    /// The upright rectangle around the mapped corners, within the picture; nil when its middle is
    /// outside.
    fileprivate func moved(by map: Homography, _ width: Int, _ height: Int) -> Box? {
        let corners = map.apply(
            Quad(PixelRect(x: x, y: y, width: self.width, height: self.height))
        ).corners
        guard corners.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else { return nil }
        let left = corners.map(\.x).min() ?? 0
        let right = corners.map(\.x).max() ?? 0
        let top = corners.map(\.y).min() ?? 0
        let bottom = corners.map(\.y).max() ?? 0
        guard (0..<Double(width)).contains((left + right) / 2),
            (0..<Double(height)).contains((top + bottom) / 2)
        else { return nil }
        let x = max(0, Int(left.rounded()))
        let y = max(0, Int(top.rounded()))
        return Box(
            x: x, y: y, width: max(1, min(width, Int(right.rounded())) - x),
            height: max(1, min(height, Int(bottom.rounded())) - y))
    }
}
