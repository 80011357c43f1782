/// A turn of a page by a multiple of 90°.
public enum PageTurn: Int, Codable, CaseIterable, Hashable, Sendable {
    /// No turn.
    case none = 0
    /// A quarter turn clockwise.
    case clockwise90 = 90
    /// A half turn.
    case half = 180
    /// A quarter turn counterclockwise.
    case counterclockwise90 = 270

    /// This turn, and then another.
    public func followed(by other: PageTurn) -> PageTurn {
        PageTurn(rawValue: (rawValue + other.rawValue) % 360) ?? .none
    }

    /// The turn that undoes this one.
    public var inverse: PageTurn { PageTurn(rawValue: (360 - rawValue) % 360) ?? .none }
}

/// The part of a captured picture that a page shows, and its turn: the picture is cut first, then
/// turned.
public struct PageFrame: Codable, Hashable, Sendable {
    /// Width of the captured picture in pixels.
    public let width: Int
    /// Height of the captured picture in pixels.
    public let height: Int
    /// The shown part, in pixels of the captured picture; nil for the whole picture.
    public var crop: Box?
    /// The page's turn.
    public var turn: PageTurn

    /// A frame of a captured picture; the whole picture, unturned, unless specified otherwise.
    public init(width: Int, height: Int, crop: Box? = nil, turn: PageTurn = .none) {
        self.width = width
        self.height = height
        self.crop = crop
        self.turn = turn
    }

    /// Reads a frame; refuses sides that no picture has, and parts that are less than nothing.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        width = try fields.decode(.width, in: 0...1_000_000_000)
        height = try fields.decode(.height, in: 0...1_000_000_000)
        crop = try fields.decodeIfPresent(Box.self, forKey: .crop)
        if let crop, crop.width < 0 || crop.height < 0 {
            throw DecodingError.dataCorruptedError(
                forKey: .crop, in: fields,
                debugDescription: "the part has \(crop.width) × \(crop.height) pixels")
        }
        turn = try fields.decode(PageTurn.self, forKey: .turn)
    }

    /// The shown part, in pixels of the captured picture.
    public var shown: Box { crop ?? Box(x: 0, y: 0, width: width, height: height) }

    /// The width and height of the page as shown.
    public var size: (width: Int, height: Int) {
        let shown = shown
        return turn == .none || turn == .half
            ? (shown.width, shown.height) : (shown.height, shown.width)
    }

    /// A box of the captured picture, in coordinates of the page as shown; may be outside the page.
    public func toShown(_ box: Box) -> Box {
        let part = shown
        return turned(
            Box(
                x: clipped(box.x) - part.x, y: clipped(box.y) - part.y, width: clipped(box.width),
                height: clipped(box.height)),
            by: turn, within: (part.width, part.height))
    }

    /// A baseline of the captured picture, in coordinates of the page as shown; may be outside the
    /// page.
    public func toShown(_ baseline: Baseline) -> Baseline {
        let start = toShown(Box(x: baseline.x1, y: baseline.y1, width: 0, height: 0))
        let end = toShown(Box(x: baseline.x2, y: baseline.y2, width: 0, height: 0))
        return Baseline(x1: start.x, y1: start.y, x2: end.x, y2: end.y)
    }

    /// A box of the page as shown, in coordinates of the captured picture.
    public func toCaptured(_ box: Box) -> Box {
        let part = shown
        let back = turned(box, by: turn.inverse, within: size)
        return Box(
            x: back.x + part.x, y: back.y + part.y, width: back.width, height: back.height)
    }

    /// True when the page shows the middle of a box of the captured picture.
    public func shows(_ box: Box) -> Bool {
        if crop == nil, turn == .none { return true }
        let box = toShown(box)
        let size = size
        return (0..<size.width).contains(box.x + box.width / 2)
            && (0..<size.height).contains(box.y + box.height / 2)
    }

    /// Boxes come from files too: numbers are kept within a billion pixels, so that sums stay in
    /// range.
    private func clipped(_ value: Int) -> Int { min(max(value, -1_000_000_000), 1_000_000_000) }
}

/// A box after turning the rectangle that contains it.
private func turned(_ box: Box, by turn: PageTurn, within size: (width: Int, height: Int)) -> Box {
    switch turn {
    case .none: box
    case .clockwise90:
        Box(
            x: size.height - box.y - box.height, y: box.x, width: box.height, height: box.width)
    case .half:
        Box(
            x: size.width - box.x - box.width, y: size.height - box.y - box.height,
            width: box.width, height: box.height)
    case .counterclockwise90:
        Box(x: box.y, y: size.width - box.x - box.width, width: box.height, height: box.width)
    }
}

extension PageText {
    /// The text on a page that is cut or turned: boxes move, and words whose middle is cut off are
    /// left out.
    ///
    /// Baselines turn with the page. On a turned page, a line without a baseline gets the lower
    /// edge of its words.
    public func shown(in frame: PageFrame) -> PageText {
        if frame.crop == nil, frame.turn == .none { return self }
        var result = PageText(blocks: [], languages: languages)
        for block in blocks {
            var paragraphs: [Paragraph] = []
            for paragraph in block.paragraphs {
                let lines = paragraph.lines.compactMap { line -> TextLine? in
                    let words = line.words.compactMap { word -> Word? in
                        guard frame.shows(word.box) else { return nil }
                        return Word(
                            text: word.text, box: frame.toShown(word.box),
                            confidence: word.confidence)
                    }
                    guard !words.isEmpty else { return nil }
                    // A line on a turned page runs in another direction, which only a baseline
                    // shows.
                    let baseline = line.baseline ?? (frame.turn == .none ? nil : foot(of: line))
                    return TextLine(
                        words: words, box: frame.toShown(line.box),
                        baseline: baseline.map(frame.toShown))
                }
                if !lines.isEmpty {
                    paragraphs.append(Paragraph(lines: lines, box: frame.toShown(paragraph.box)))
                }
            }
            if !paragraphs.isEmpty {
                result.blocks.append(
                    TextBlock(paragraphs: paragraphs, box: frame.toShown(block.box)))
            }
        }
        return result
    }
}

/// The lower edge of a line's words, from the first word to the last; nil for a line without words.
private func foot(of line: TextLine) -> Baseline? {
    guard let first = line.words.first?.box, let last = line.words.last?.box else { return nil }
    let bottoms = line.words.map { $0.box.y.addingReportingOverflow($0.box.height).partialValue }
    let bottom = bottoms.sorted()[bottoms.count / 2]
    let (left, right) = first.x <= last.x ? (first, last) : (last, first)
    return Baseline(
        x1: left.x, y1: bottom, x2: right.x.addingReportingOverflow(right.width).partialValue,
        y2: bottom)
}
