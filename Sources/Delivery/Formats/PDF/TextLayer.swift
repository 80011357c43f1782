import Documents

/// Writes a page's words as invisible text, each over its own picture.
///
/// Coordinates in the content stream are points from the bottom left corner (ISO 32000-1, 9.4).
struct TextLayer {
    let text: PlacedText
    /// The page in points.
    let width: Double
    let height: Double
    /// How text is painted: 3 is not at all.
    var renderingMode = 3

    /// The operators that show the words; empty without any.
    func operators(_ glyphs: GlyphTable) -> String {
        let lines = text.lines
        guard !lines.isEmpty else { return "" }
        var out = "BT\n\(renderingMode) Tr\n"
        var current = (font: 0, size: "")
        for line in lines {
            let geometry = LineGeometry(line)
            let unit = height / Double(text.height)
            let size = min(max(geometry.ascent * unit * 1000 / Double(GlyphlessFont.ascent), 0.1), height)
            for (index, word) in line.words.enumerated() {
                let characters = visualCharacters(of: word.text)
                let (font, codes) = glyphs.encode(characters)
                let place = geometry.place(of: word.box)
                let sizeText = decimal(size, digits: 3)
                if current != (font, sizeText) {
                    out += "/F\(font) \(sizeText) Tf\n"
                    current = (font, sizeText)
                }
                out += matrix(geometry, at: place.start)
                out += shown(codes, wide: place.width * unit, size: size)
                // The space ends where the next word begins; a new font would not have the same space.
                if index + 1 < line.words.count {
                    let next = geometry.place(of: line.words[index + 1].box)
                    let gap = geometry.along(next.start) - geometry.along(place.start) - place.width
                    out += shown([GlyphTable.space], wide: max(gap, 0.5) * unit, size: size)
                }
            }
        }
        return out + "ET\n"
    }

    private func matrix(_ line: LineGeometry, at start: (x: Double, y: Double)) -> String {
        let x = start.x * width / Double(text.width)
        let y = height - start.y * height / Double(text.height)
        // Down is positive on a picture, and negative on a PDF page.
        let cosine = decimal(line.cosine, digits: 5)
        let sine = decimal(-line.sine, digits: 5)
        let against = decimal(line.sine, digits: 5)
        return "\(cosine) \(sine) \(against) \(cosine) "
            + "\(decimal(x, digits: 3)) \(decimal(y, digits: 3)) Tm\n"
    }

    /// Text stretched to be `wide` points.
    private func shown(_ codes: [UInt16], wide: Double, size: Double) -> String {
        let natural = Double(codes.count * GlyphlessFont.advance) / 1000 * size
        let stretch = min(max(100 * wide / natural, 0.01), 1_000_000)
        return "\(decimal(stretch, digits: 3)) Tz <\(codes.map(hex).joined())> Tj\n"
    }
}
