import Documents

/// Chooses between several readings of a page by one reader: it uses the reading with the most
/// evidence, and replaces each of its lines by a more certain one.
struct BestLines {
    /// The factor by which another reading needs more evidence to replace the first one.
    private static let clearlyPage = 1.1
    /// The same factor for a line.
    private static let clearlyLine = 1.05

    /// The usual reading, which is kept in doubt.
    let first: PageText
    /// Further readings of the same page.
    let others: [PageText]

    /// The best of the readings.
    func text() -> PageText {
        let readings = [first] + others
        var chosen = 0
        for index in readings.indices
        where readings[index].words.weight
            > Self.clearlyPage * readings[chosen].words.weight
        {
            chosen = index
        }
        var best = readings[chosen]
        let rivals = readings.indices.filter { $0 != chosen }.map { readings[$0].words }
        guard !rivals.isEmpty else { return best }
        best.blocks = best.blocks.map { block in
            var block = block
            block.paragraphs = block.paragraphs.map { paragraph in
                var paragraph = paragraph
                paragraph.lines = paragraph.lines.map { Self.surest($0, rivals) }
                return paragraph
            }
            return block
        }
        let sureness = Doubt.sureness(best)
        best.evidence?.sureness = sureness
        return best
    }

    private static func surest(_ line: TextLine, _ others: [[Word]]) -> TextLine {
        var best = line
        for words in others {
            let rivals = words.filter { line.box.containsMiddle(of: $0.box) }
                .sorted { $0.box.x < $1.box.x }
            guard let box = Box(around: rivals.map(\.box)),
                rivals.weight > clearlyLine * max(best.words.weight, 0)
            else { continue }
            best = TextLine(words: rivals, box: box, baseline: line.baseline)
        }
        return best
    }
}
