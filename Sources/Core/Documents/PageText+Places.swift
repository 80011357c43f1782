extension PageText {
    /// The text of a part of a picture, or of an enlarged copy, with its places in the whole
    /// picture.
    ///
    /// - Parameters:
    ///   - x: the part's left edge in pixels of the picture.
    ///   - y: the part's top edge in pixels of the picture.
    ///   - factor: the number of the picture's pixels for one pixel of the copy, above 0.
    public func placed(at x: Int, _ y: Int, enlarged factor: Double) -> PageText {
        let place = Place(x: x, y: y, factor: factor)
        var text = self
        text.blocks = blocks.map { block in
            TextBlock(
                paragraphs: block.paragraphs.map { paragraph in
                    Paragraph(lines: paragraph.lines.map(place.line), box: place.box(paragraph.box))
                }, box: place.box(block.box))
        }
        return text
    }
}

/// Maps places in a part of a picture to the whole picture.
private struct Place {
    let x: Int
    let y: Int
    let factor: Double

    func line(_ line: TextLine) -> TextLine {
        TextLine(
            words: line.words.map {
                Word(text: $0.text, box: box($0.box), confidence: $0.confidence)
            }, box: box(line.box), baseline: line.baseline.map(baseline))
    }

    func box(_ box: Box) -> Box {
        Box(
            x: x + scaled(box.x), y: y + scaled(box.y), width: scaled(box.width),
            height: scaled(box.height))
    }

    private func baseline(_ line: Baseline) -> Baseline {
        Baseline(
            x1: x + scaled(line.x1), y1: y + scaled(line.y1), x2: x + scaled(line.x2),
            y2: y + scaled(line.y2))
    }

    private func scaled(_ pixels: Int) -> Int { Int(Double(pixels) * factor) }
}
