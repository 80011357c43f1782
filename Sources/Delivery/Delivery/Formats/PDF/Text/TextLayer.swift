import Documents

/// Writes a page's words as invisible text, each over its own picture.
///
/// Coordinates in the content stream are points from the bottom left corner (ISO 32000-1, 9.4).
struct TextLayer {
    let text: PlacedText
    /// The width of the page in points.
    let width: Double
    let height: Double
    /// The way of painting text: 3 for invisible.
    var renderingMode = 3

    /// The operators that show the words; empty without any.
    func operators(_ glyphs: GlyphTable) -> String {
        var out = ""
        var current = Font()
        for block in text.blocks {
            for paragraph in block.paragraphs {
                let lines = paragraph.lines.flatMap(\.cells).map { ($0, LineGeometry($0)) }
                let sizes = evened(lines.map(\.1.ascent))
                for ((line, geometry), ascent) in zip(lines, sizes) {
                    out += shown(line, geometry, ascent: ascent, glyphs: glyphs, current: &current)
                }
            }
        }
        return out.isEmpty ? "" : "BT\n\(renderingMode) Tr\n\(out)ET\n"
    }

    private struct Font: Equatable {
        var number = 0
        var size = ""
    }

    /// A line's words, each followed by a space if it has one, which ends where the next word
    /// begins.
    private func shown(
        _ line: PlacedText.Line, _ geometry: LineGeometry, ascent: Double, glyphs: GlyphTable,
        current: inout Font
    ) -> String {
        var out = ""
        let unit = height / Double(text.height)
        let wanted = ascent * unit * 1000 / Double(GlyphlessFont.ascent)
        let size = min(max(wanted, 0.1), height)
        for (index, word) in line.words.enumerated() {
            let (number, codes) = glyphs.encode(visualCharacters(of: word.text))
            let font = Font(number: number, size: decimal(size, digits: 3))
            if current != font { out += "/F\(font.number) \(font.size) Tf\n" }
            current = font
            let place = geometry.place(of: word.box)
            out += matrix(geometry, at: place.start)
            guard index + 1 < line.words.count else {
                out += stretched(codes, wide: place.width * unit, size: size)
                continue
            }
            let next = geometry.place(of: line.words[index + 1].box)
            let step = geometry.along(next.start) - geometry.along(place.start)
            guard word.text.isSpaced(before: line.words[index + 1].text) else {
                // The next character begins where this one ends, or readers would see a space.
                out += stretched(codes, wide: (step > 0 ? step : place.width) * unit, size: size)
                continue
            }
            let width = Self.width(place.width, nextAfter: step, em: size / unit)
            out += stretched(codes, wide: width * unit, size: size)
            out += stretched(
                [GlyphTable.space], wide: max(step - width, 0.5) * unit, size: size)
        }
        return out
    }

    /// The width of a word when the next one starts `step` after it: less than its own if both
    /// nearly touch.
    ///
    /// Readers join words that are closer than expected, even with a space between them (poppler
    /// below 0.15 em), and engines' boxes are often too wide. Words in the other direction keep
    /// their width.
    private static func width(_ width: Double, nextAfter step: Double, em: Double) -> Double {
        step > 0 ? min(width, max(step - 0.2 * em, width / 2)) : width
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
    private func stretched(_ codes: [UInt16], wide: Double, size: Double) -> String {
        let natural = Double(codes.count * GlyphlessFont.advance) / 1000 * size
        let stretch = min(max(100 * wide / natural, 0.01), 1_000_000)
        return "\(decimal(stretch, digits: 3)) Tz <\(codes.map(hex).joined())> Tj\n"
    }
}

/// Sizes of a paragraph's lines, where those near the median become the median.
///
/// Letters of one size look a little different in every line, with or without capitals; readers
/// take lines of different sizes for different paragraphs.
private func evened(_ sizes: [Double]) -> [Double] {
    let middle = sizes.sorted()[sizes.count / 2]
    return sizes.map { abs($0 - middle) <= 0.15 * middle ? middle : $0 }
}

extension PlacedText.Line {
    /// The cells of a row of a table, each as a line of its own, since a cell with one line stands
    /// between the lines of its neighbors; the line itself if its baseline is known.
    fileprivate var cells: [PlacedText.Line] {
        guard baseline == nil else { return [self] }
        var cells: [[Word]] = []
        for word in words {
            if let before = cells.last?.last, !before.isApart(from: word) {
                cells[cells.count - 1].append(word)
            } else {
                cells.append([word])
            }
        }
        return cells.map { PlacedText.Line(words: $0, box: box, baseline: nil) }
    }
}

extension Word {
    /// True if the next word of a line is in another cell: the gap is wider than both are tall.
    fileprivate func isApart(from next: Word) -> Bool {
        next.box.x - box.right > max(box.height, next.box.height)
    }
}
