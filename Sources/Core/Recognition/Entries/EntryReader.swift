public import Documents

/// Divides a document's text into its entries: numbered items, titled parts, or else its
/// paragraphs.
///
/// It uses only the words that were read, and their places. Running heads, page numbers and specks
/// are left out, columns are read one after the other, and an entry continues over columns and
/// pages until the next begins. Text before the first number or title belongs to no entry.
///
///     let entries = EntryReader.entries(in: pages)
///     print(entries[0].number, entries[0].title)  // 1 Pea soup
public enum EntryReader {
    /// The maximum number of lines in a document that are examined; later lines belong to the last
    /// entry before them.
    private static let mostLines = 200_000

    /// The entries on the pages, in reading order.
    ///
    /// - Parameter pages: the pages in the order of the document; those without text have no
    ///   entries.
    public static func entries(in pages: [Page]) -> [FoundEntry] {
        let printed = RunningHeads.removed(
            from: pages.filter { $0.text != nil }.map(ColumnedPage.init))
        let lines = Array(printed.flatMap(\.lines).prefix(mostLines))
        let type = TypeMeasure(lines)
        var starts = numbered(lines, type)
        if starts.isEmpty { starts = Headings.starts(lines, type) }
        if starts.isEmpty { starts = Paragraphs.starts(lines, type) }
        return starts.indices.map { index in
            let end = index + 1 < starts.count ? starts[index + 1].line : lines.count
            return EntryText(starts[index], Array(lines[starts[index].line..<end]), type).entry
        }
    }

    private static func numbered(_ lines: [PrintedLine], _ type: TypeMeasure) -> [EntryStart] {
        let candidates = lines.enumerated().flatMap { index, line in
            // A speck before the number may have been read as a dash.
            let skipped = line.words.prefix(1).count { "-–—=+".contains($0.text) }
            return EntryMarker.readings(
                of: line.words.dropFirst(skipped).prefix(2).map(\.text)
            ).map {
                MarkerChain.Candidate(
                    line: index, marker: $0.skipping(skipped), indent: line.indent(type.em))
            }
        }
        guard let chain = MarkerChain.outermost(candidates) else { return [] }
        let starts = chain.members.map { EntryStart(line: $0.line, marker: $0.marker) }
        return starts.indices.flatMap { index in
            [starts[index]]
                + (index + 1 < starts.count
                    ? unread(between: starts[index], starts[index + 1], of: starts, lines, type)
                    : [])
        }
    }

    /// Finds entries whose number could not be read.
    ///
    /// They count if their number equals that of the missing numbers, and their distance from the
    /// text above that of numbered lines.
    private static func unread(
        between before: EntryStart, _ after: EntryStart, of starts: [EntryStart],
        _ lines: [PrintedLine], _ type: TypeMeasure
    ) -> [EntryStart] {
        guard let from = before.marker, let to = after.marker, to.value - from.value > 1 else {
            return []
        }
        guard
            let usual = PrintedLine.median(starts.compactMap { type.step(lines, $0.line) }),
            usual >= 1.2
        else { return [] }
        let apart = (before.line + 1..<after.line).filter {
            type.step(lines, $0).map { $0 >= (1 + usual) / 2 } ?? false
        }
        guard apart.count == to.value - from.value - 1 else { return [] }
        return apart.enumerated().map { offset, line in
            // A misread number is removed too.
            let misread = EntryMarker.readings(of: lines[line].words.prefix(2).map(\.text))
                .first { $0.style == from.style }
            return EntryStart(
                line: line,
                marker: EntryMarker(
                    style: from.style, value: from.value + 1 + offset, isClear: false,
                    words: misread?.words ?? 0, lettersOfLast: misread?.lettersOfLast ?? 0))
        }
    }
}

/// The beginning of an entry.
struct EntryStart {
    /// The index of the entry's first line in the document.
    let line: Int
    /// The entry's number; nil for none.
    let marker: EntryMarker?
    /// The number of lines that are the title; nil if not known yet.
    var titleLines: Int?
}

/// The usual measures of a document's type.
struct TypeMeasure {
    /// The size of type in pixels.
    let em: Double
    /// The distance from one line to the next, in pixels.
    let pitch: Double

    init(_ lines: [PrintedLine]) {
        em = PrintedLine.median(lines.flatMap { line in line.words.map { _ in line.em } }) ?? 1
        let steps = zip(lines.dropFirst(), lines).filter { $0.follows($1) }
            .map { $0.baseline - $1.baseline }
        // Most lines follow another line of their paragraph, so the gaps between paragraphs are all
        // in the upper half.
        pitch = steps.isEmpty ? 1.3 * em : steps.sorted()[(steps.count - 1) * 2 / 5]
    }

    /// The distance of a line from the one before it in its column, in usual lines; nil for the
    /// first line of a column.
    func step(_ lines: [PrintedLine], _ index: Int) -> Double? {
        guard index > 0, lines[index].follows(lines[index - 1]) else { return nil }
        return (lines[index].baseline - lines[index - 1].baseline) / max(1, pitch)
    }
}

extension PrintedLine {
    /// True if the line is below another one in the same column.
    func follows(_ other: PrintedLine) -> Bool {
        page == other.page && column == other.column && baseline > other.baseline
    }
}
