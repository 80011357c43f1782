import Documents

extension PageText {
    /// The text with other lines in place of the words in a part of the page.
    ///
    /// Where no word was, the lines follow the last line above them; turned lines, and those beside
    /// all others, follow the whole text.
    func replacingWords(in box: Box, with added: [TextLine], isTurned: Bool) -> PageText {
        let old = lines
        let removed = old.firstIndex { line in
            line.words.contains { box.containsMiddle(of: $0.box) }
        }
        let place = removed ?? (isTurned ? old.count : Self.place(for: box, among: old))
        var builder = PageBuilder()
        var index = 0
        func add(_ lines: [TextLine], to builder: inout PageBuilder) {
            builder.endParagraph()
            lines.forEach { builder.add($0) }
            builder.endParagraph()
        }
        for block in blocks {
            for paragraph in block.paragraphs {
                for line in paragraph.lines {
                    if index == place { add(added, to: &builder) }
                    index += 1
                    let words = line.words.filter { !box.containsMiddle(of: $0.box) }
                    if words.count == line.words.count {
                        builder.add(line)
                    } else if let box = Box(around: words.map(\.box)) {
                        builder.add(TextLine(words: words, box: box, baseline: line.baseline))
                    }
                }
                builder.endParagraph()
            }
            builder.endBlock()
        }
        if place >= index { add(added, to: &builder) }
        var text = self
        text.blocks = builder.finish()
        return text
    }

    /// The index of the line before which new lines belong.
    private static func place(for box: Box, among lines: [TextLine]) -> Int {
        let beside = lines.indices.filter {
            lines[$0].box.x < box.right && box.x < lines[$0].box.right
        }
        if let above = beside.last(where: { lines[$0].box.middle < box.middle }) {
            return above + 1
        }
        return beside.first ?? lines.count
    }
}
