import Documents

/// The combined lines of an entry: its number and title, its text with paragraphs, and its places.
struct EntryText {
    let entry: FoundEntry

    /// The maximum number of letters of a sentence as a title; a longer one ends with `…`.
    private static let longestTitle = 100

    init(_ start: EntryStart, _ given: [PrintedLine], _ type: TypeMeasure) {
        var lines = given
        if let marker = start.marker, let first = lines.first {
            lines[0] = first.without(marker)
        }
        // A number on a separate line has its text below it.
        if lines.count > 1, lines[0].words.isEmpty { lines.removeFirst() }
        let titleLines = start.titleLines ?? Self.titleLines(lines, type)
        let text = Self.joined(lines, titleLines: titleLines, type)
        let title =
            titleLines > 0
            ? Self.joined(Array(lines.prefix(titleLines)), titleLines: titleLines, type)
            : Self.firstSentence(text)
        let confidence = PrintedLine.median(given.flatMap(\.words).map(\.confidence)) ?? 0
        entry = FoundEntry(
            number: start.marker?.label ?? "", title: title, text: text,
            pages: given.map(\.page).reduce(into: []) { if $0.last != $1 { $0.append($1) } },
            places: Self.places(given),
            confidence: confidence * (start.marker?.isClear ?? true ? 1 : 0.8))
    }

    /// The number of lines at the beginning that are a separate title; 0 for none.
    private static func titleLines(_ lines: [PrintedLine], _ type: TypeMeasure) -> Int {
        guard lines.count > 1 else { return 0 }
        if Headings.isLarge(lines[0], type) {
            return lines.prefix(3).prefix { Headings.isLarge($0, type) }.count
        }
        for count in 1...2 where lines.count > count {
            let before = lines[..<count]
            let last = lines[count - 1]
            guard before.allSatisfy({ isCapitalized($0.text) || count == 1 }),
                !before.contains(where: { Paragraphs.endsSentence($0.text) })
            else { return 0 }
            if last.room >= 0.2, last.words.count <= 12,
                lines[count].text.first(where: \.isLetter)?.isUppercase ?? true
            {
                return count
            }
        }
        return 0
    }

    /// True if all words but short ones begin with capital letters.
    private static func isCapitalized(_ text: String) -> Bool {
        let words = text.split(separator: " ").filter { $0.count >= 4 }
        return words.count >= 2 && words.count { $0.first!.isUppercase } * 5 >= words.count * 4
    }

    /// The text up to the first period that ends a sentence.
    private static func firstSentence(_ text: String) -> String {
        let line = text.split(separator: "\n", maxSplits: 1).first ?? ""
        var length = 0
        var words: [Substring] = []
        for word in line.split(separator: " ") {
            if length + word.count > longestTitle, !words.isEmpty {
                return words.joined(separator: " ") + "…"
            }
            words.append(word)
            length += word.count + 1
            // `Dr.` and `3.` don't end a sentence.
            let bare = word.filter { $0.isLetter || $0.isNumber }
            if Paragraphs.endsSentence(String(word)), bare.count > 3 || word.last != "." { break }
        }
        return words.joined(separator: " ")
    }

    // MARK: Joining lines

    private static func joined(
        _ lines: [PrintedLine], titleLines: Int, _ type: TypeMeasure
    ) -> String {
        let left = PrintedLine.median(lines.dropFirst().map { $0.indent(type.em) }) ?? 0
        var text = ""
        for (index, line) in lines.enumerated() {
            let isNew =
                index > 0
                && (index == titleLines || isParagraph(lines, index, left: left, type))
            if isNew {
                text += "\n"
            } else if text.last == "-", line.text.first?.isLowercase ?? false {
                // The word was divided at the line's end.
                text.removeLast()
            } else if !text.isEmpty {
                text += " "
            }
            text += line.text
        }
        return text
    }

    private static func isParagraph(
        _ lines: [PrintedLine], _ index: Int, left: Double, _ type: TypeMeasure
    ) -> Bool {
        if let step = type.step(lines, index), step >= 1.35 { return true }
        let isIndented = (0.7...6).contains(lines[index].indent(type.em) - left)
        return isIndented && Paragraphs.endsSentence(lines[index - 1].text)
    }

    /// The boxes of the entry's parts, one for each column.
    private static func places(_ lines: [PrintedLine]) -> [FoundEntry.Place] {
        var parts: [[PrintedLine]] = []
        for line in lines {
            if let last = parts.last?.last, last.page == line.page, last.column == line.column {
                parts[parts.count - 1].append(line)
            } else {
                parts.append([line])
            }
        }
        return parts.compactMap { part in
            Box(around: part.map(\.box)).map { FoundEntry.Place(page: part[0].page, box: $0) }
        }
    }
}

extension PrintedLine {
    /// The line without the number at its beginning; its box stays the same.
    func without(_ marker: EntryMarker) -> PrintedLine {
        var line = self
        let used = min(marker.words, line.words.count)
        // A number that could not be read takes no word.
        guard used > 0 else { return line }
        var last = line.words[used - 1]
        line.words.removeFirst(used)
        last.text = String(last.text.dropFirst(marker.lettersOfLast))
        if !last.text.isEmpty { line.words.insert(last, at: 0) }
        return line
    }
}
