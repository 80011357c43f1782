extension PageText {
    /// The text with other words, each at the place of the words that it replaces.
    ///
    /// Unchanged words keep their places. New words share the place of the words that they replace,
    /// in proportion to their lengths; inserted words share their neighbor's place. Lines and
    /// paragraphs stay. If no words were shown, each line of `corrected` becomes a line. Words
    /// outside of the frame stay.
    ///
    /// - Parameters:
    ///   - corrected: the right text of the shown part; line breaks and spaces separate words.
    ///   - frame: the shown part of the picture.
    public func corrected(to corrected: String, in frame: PageFrame) -> PageText {
        let wanted = corrected.split(whereSeparator: \.isWhitespace).map(String.init)
        let all = words
        let places = all.indices.filter { frame.shows(all[$0].box) }
        let old = places.map { all[$0] }
        guard !old.isEmpty else {
            var result = self
            result.blocks += Self.fresh(corrected, in: frame.shown)
            return result
        }
        // The new words for each old word, which go into the same line.
        var replaced = old.map { [$0] }
        let change = wanted.difference(from: old.map(\.text))
        var isRemoved = [Bool](repeating: false, count: old.count)
        var isInserted = [Bool](repeating: false, count: wanted.count)
        for step in change {
            switch step {
            case .remove(let offset, _, _): isRemoved[offset] = true
            case .insert(let offset, _, _): isInserted[offset] = true
            }
        }
        var from = 0
        var to = 0
        while from < old.count || to < wanted.count {
            if from < old.count, to < wanted.count, !isRemoved[from], !isInserted[to] {
                from += 1
                to += 1
                continue
            }
            let start = from
            while from < old.count, isRemoved[from] { from += 1 }
            let first = to
            while to < wanted.count, isInserted[to] { to += 1 }
            Self.replace(start..<from, with: Array(wanted[first..<to]), old, &replaced)
        }
        var whole = all.map { [$0] }
        for (place, words) in zip(places, replaced) { whole[place] = words }
        return rebuilt(whole)
    }

    /// Puts new words at the place of some old ones, or at that of a neighbor when none are
    /// replaced.
    private static func replace(
        _ run: Range<Int>, with new: [String], _ old: [Word], _ replaced: inout [[Word]]
    ) {
        guard !new.isEmpty else {
            for index in run { replaced[index] = [] }
            return
        }
        if run.isEmpty {
            // The neighbor is the previous word; at the very beginning, the next one.
            let neighbor = max(0, run.lowerBound - 1)
            let known = replaced[neighbor].map(\.text)
            replaced[neighbor] = share(
                old[neighbor].box, run.lowerBound == 0 ? new + known : known + new)
        } else if run.count == new.count {
            for (index, text) in zip(run, new) {
                replaced[index] = [Word(text: text, box: old[index].box, confidence: 1)]
            }
        } else {
            // Each old word's place gets one new word; the last place gets the rest.
            for (place, index) in run.enumerated() {
                let isLast = index == run.upperBound - 1
                let part = isLast ? new.dropFirst(place) : new.dropFirst(place).prefix(1)
                replaced[index] = share(old[index].box, Array(part))
            }
        }
    }

    /// Words side by side in a box, with widths in proportion to their numbers of letters.
    private static func share(_ box: Box, _ texts: [String]) -> [Word] {
        let total = texts.reduce(0) { $0 + $1.count + 1 }
        var before = 0
        return texts.map { text in
            let left = box.x + box.width * before / max(1, total)
            before += text.count + 1
            let right = box.x + box.width * before / max(1, total)
            return Word(
                text: text, box: Box(x: left, y: box.y, width: right - left, height: box.height),
                confidence: 1)
        }
    }

    /// The same blocks, paragraphs and lines with other words; parts that become empty are left
    /// out.
    private func rebuilt(_ replaced: [[Word]]) -> PageText {
        var index = 0
        var result = self
        result.blocks = blocks.compactMap { block in
            var block = block
            block.paragraphs = block.paragraphs.compactMap { paragraph in
                var paragraph = paragraph
                paragraph.lines = paragraph.lines.compactMap { line in
                    var line = line
                    let end = index + line.words.count
                    line.words = replaced[index..<end].flatMap { $0 }
                    index = end
                    return line.words.isEmpty ? nil : line
                }
                return paragraph.lines.isEmpty ? nil : paragraph
            }
            return block.paragraphs.isEmpty ? nil : block
        }
        return result
    }

    private static func fresh(_ text: String, in part: Box) -> [TextBlock] {
        let lines = text.split(whereSeparator: \.isNewline)
            .map { $0.split(whereSeparator: \.isWhitespace).map(String.init) }
            .filter { !$0.isEmpty }
        guard !lines.isEmpty else { return [] }
        let made = lines.enumerated().map { index, words in
            let top = part.height * index / lines.count
            let bottom = part.height * (index + 1) / lines.count
            let box = Box(x: part.x, y: part.y + top, width: part.width, height: bottom - top)
            return TextLine(words: share(box, words), box: box)
        }
        return [TextBlock(paragraphs: [Paragraph(lines: made, box: part)], box: part)]
    }
}
