/// Finds the titles of a document whose entries have no numbers.
enum Headings {
    /// The starts of titled parts; empty for fewer than two.
    static func starts(_ lines: [PrintedLine], _ type: TypeMeasure) -> [EntryStart] {
        let found = titles(lines) { isLarge($0, type) || isCapitals($0) }
        guard found.count >= 2 else { return lone(lines, type) }
        return withoutDocumentTitle(found, lines)
    }

    /// The lines of titles, grouped by entry.
    private static func titles(
        _ lines: [PrintedLine], _ isTitle: (PrintedLine) -> Bool
    ) -> [EntryStart] {
        var starts: [EntryStart] = []
        var index = 0
        while index < lines.count {
            var end = index
            // A speck makes its line look large, so a title must begin with a capital letter or a
            // number.
            let begins = lines[index].text.first { $0.isLetter || $0.isNumber }
            while end < lines.count, end - index < 4, isTitle(lines[end]),
                !(begins?.isLowercase ?? true),
                end == index
                    || lines[end].follows(lines[end - 1])
                        && (lines[end].em / lines[index].em - 1).magnitude < 0.15
            {
                end += 1
            }
            if end > index {
                starts.append(EntryStart(line: index, marker: nil, titleLines: end - index))
            }
            index = max(end, index + 1)
        }
        return starts
    }

    /// Titles in the text's own type: short lines of words in capitals, with a gap before them.
    private static func lone(_ lines: [PrintedLine], _ type: TypeMeasure) -> [EntryStart] {
        var starts: [EntryStart] = []
        for index in lines.indices.dropLast() {
            let line = lines[index]
            let step = type.step(lines, index)
            guard line.room >= 0.25, !ends(line.text), line.words.count <= 10,
                line.text.first(where: \.isLetter)?.isUppercase ?? false,
                step ?? 2 >= 1.3, lines[index + 1].follows(line),
                (type.step(lines, index + 1) ?? 1) < (step ?? 3)
            else { continue }
            starts.append(EntryStart(line: index, marker: nil, titleLines: 1))
        }
        return starts.count >= 2 ? starts : []
    }

    static func isLarge(_ line: PrintedLine, _ type: TypeMeasure) -> Bool {
        line.em >= 1.12 * type.em && line.text.count(where: \.isLetter) >= 2
            && line.confidence >= 0.4
    }

    private static func isCapitals(_ line: PrintedLine) -> Bool {
        let letters = line.text.filter(\.isLetter)
        return letters.count >= 4 && letters.allSatisfy(\.isUppercase)
    }

    private static func ends(_ text: String) -> Bool {
        text.last.map { ".?!,;:-".contains($0) } ?? true
    }

    /// Leaves out the first title if it is the largest, because it is then the whole document's.
    private static func withoutDocumentTitle(
        _ starts: [EntryStart], _ lines: [PrintedLine]
    ) -> [EntryStart] {
        let sizes = starts.map { lines[$0.line].em }
        guard starts.count >= 3, let others = PrintedLine.median(Array(sizes.dropFirst())),
            sizes[0] >= 1.25 * others
        else { return starts }
        return Array(starts.dropFirst())
    }
}

/// Finds the paragraphs of a document without numbers and titles.
enum Paragraphs {
    static func starts(_ lines: [PrintedLine], _ type: TypeMeasure) -> [EntryStart] {
        lines.indices.filter { index in
            guard index > 0 else { return true }
            return begins(
                lines[index], after: lines[index - 1], step: type.step(lines, index), type)
        }.map { EntryStart(line: $0, marker: nil) }
    }

    /// True if a line begins a paragraph, because of a gap above it or its indent.
    static func begins(
        _ line: PrintedLine, after before: PrintedLine, step: Double?, _ type: TypeMeasure
    ) -> Bool {
        let isIndented = (0.8...6).contains(line.indent(type.em) - before.indent(type.em))
        guard let step else {
            // At the top of a column, only a new sentence can begin a paragraph, and only an
            // indented one if there are indents.
            return endsSentence(before.text) && line.indent(type.em) > 0.8
        }
        return step >= 1.35 || isIndented && endsSentence(before.text)
    }

    static func endsSentence(_ text: String) -> Bool {
        text.last { !"\"'”’»)]".contains($0) }.map { ".?!:".contains($0) } ?? false
    }
}
