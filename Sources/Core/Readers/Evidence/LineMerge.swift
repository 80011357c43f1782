import Documents

/// Chooses between two readings of a page line by line, by the evidence for each.
///
/// Where both read the same, it uses the network's letters with the engine's spaces; where they
/// differ, the surer reading; and it keeps words that only one of them read. A word that only
/// the engine is sure of replaces the network's.
struct LineMerge {
    /// Lines that agree at least this much are two readings of the same words.
    private static let same = 0.7
    /// A line of the engine with at least this confidence wins over a less certain one of the
    /// network.
    private static let sure = 0.9
    /// The fraction of the network's letters that such a line must have.
    private static let whole = 0.8
    /// A space counts when the engine has this confidence in the words on both sides.
    private static let surelyApart = 0.85
    /// A space also counts if both read the same letters on both its sides, and it is as wide as
    /// this fraction of the lower word's height.
    private static let leastGap = 0.15
    /// A word of the network with less confidence than this may be wrong.
    private static let unsure = 0.93
    /// The engine's word at the same place replaces it if the engine is surer than this.
    private static let surelyRead = 0.95
    /// Words are at the same place if they share more than this part of the wider one's width.
    private static let shared = 0.6
    /// The confidence from which a word counts that only the engine saw.
    private static let alone = 0.4
    /// The same for the words of a line with very few letters, most of which are noise in drawings.
    private static let surelyAlone = 0.6
    /// A line with fewer letters has very few.
    private static let fewLetters = 4

    let engine: PageText
    let network: PageText

    /// The lines of both readings, in reading order.
    func text() -> PageText {
        let words = engine.words
        var isMatched = [Bool](repeating: false, count: words.count)
        var lines: [TextLine] = []
        var (letters, agreed) = (0, 0.0)
        for line in network.lines {
            var rivals: [Word] = []
            for index in words.indices where line.box.containsMost(of: words[index].box) {
                isMatched[index] = true
                rivals.append(words[index])
            }
            rivals.sort { $0.box.x < $1.box.x }
            let alignment = LetterAlignment(line.words.map(\.text), rivals.map(\.text))
            letters += alignment.one.letters.count
            agreed += alignment.agreement * Double(alignment.one.letters.count)
            lines.append(Self.chosen(line, alignment, rivals))
        }
        var index = 0
        for line in engine.lines {
            var left = line.words.enumerated().filter { place, _ in !isMatched[index + place] }
                .map(\.element)
            index += line.words.count
            let letters = left.reduce(0) { $0 + $1.text.count }
            let least = letters < Self.fewLetters ? Self.surelyAlone : Self.alone
            left.removeAll { $0.confidence <= least }
            if let box = Box(around: left.map(\.box)) {
                lines.append(TextLine(words: left, box: box))
            }
        }
        var text = PageText(blocks: ReadingOrder.blocks(of: lines), languages: engine.languages)
        text.evidence = ReadingEvidence(
            readers: (engine.evidence?.readers ?? []) + (network.evidence?.readers ?? []),
            sureness: Doubt.sureness(text), unread: engine.evidence?.unread,
            known: engine.evidence?.known,
            agreement: letters == 0 ? nil : agreed / Double(letters))
        return text
    }

    private static func chosen(
        _ line: TextLine, _ alignment: LetterAlignment, _ rivals: [Word]
    ) -> TextLine {
        if alignment.agreement > same {
            return corrected(respaced(line, alignment, rivals), by: rivals)
        }
        let isWhole =
            Double(alignment.other.letters.count) >= whole * Double(alignment.one.letters.count)
        guard isWhole, let box = Box(around: rivals.map(\.box)), rivals.sureness > sure,
            line.words.sureness < sure
        else { return corrected(line, by: rivals) }
        return TextLine(words: rivals, box: box)
    }

    /// The line with its unsure words replaced by the engine's, where the engine is sure.
    private static func corrected(_ line: TextLine, by rivals: [Word]) -> TextLine {
        var line = line
        line.words = line.words.map { word in
            guard word.confidence < unsure else { return word }
            let same = rivals.filter { share(word.box, $0.box) > shared }
            guard same.count == 1, same[0].confidence > surelyRead else { return word }
            return same[0]
        }
        return line
    }

    /// The part of the wider box's width that two boxes share.
    private static func share(_ one: Box, _ other: Box) -> Double {
        let width = min(one.right, other.right) - max(one.x, other.x)
        return Double(width) / Double(max(one.width, other.width, 1))
    }

    /// The line with its words split where a word of the other reading begins.
    private static func respaced(
        _ line: TextLine, _ alignment: LetterAlignment, _ rivals: [Word]
    ) -> TextLine {
        var cuts: [Int: [Int]] = [:]
        for start in alignment.startsInOne where start.word > 0 && isSpace(start, rivals) {
            let letter = start.letter
            cuts[alignment.one.words[letter], default: []].append(alignment.one.places[letter])
        }
        guard !cuts.isEmpty else { return line }
        var line = line
        line.words = line.words.enumerated().flatMap { index, word in
            parted(word, at: cuts[index] ?? [])
        }
        return line
    }

    /// True if a space counts that only the engine saw.
    private static func isSpace(_ start: LetterAlignment.Start, _ rivals: [Word]) -> Bool {
        let (before, after) = (rivals[start.word - 1], rivals[start.word])
        if min(before.confidence, after.confidence) >= surelyApart { return true }
        let gap = Double(after.box.x - before.box.right)
        return start.isEnclosed
            && gap >= leastGap * Double(min(before.box.height, after.box.height))
    }

    /// The parts of a word, each with its share of the box.
    private static func parted(_ word: Word, at places: [Int]) -> [Word] {
        let letters = Array(word.text)
        let cuts = places.filter { $0 > 0 && canEnd(letters[$0 - 1]) }
        let ends = cuts + [letters.count]
        func x(_ place: Int) -> Int { word.box.x + word.box.width * place / letters.count }
        return zip([0] + cuts, ends).map { start, end in
            Word(
                text: String(letters[start..<end]),
                box: Box(
                    x: x(start), y: word.box.y, width: x(end) - x(start), height: word.box.height),
                confidence: word.confidence)
        }
    }

    /// True if a word may end with a character.
    private static func canEnd(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || ",.;:!?)%".contains(character)
    }
}

extension Box {
    /// True if more than half of another box lies in this one.
    func containsMost(of other: Box) -> Bool {
        let width = min(x + self.width, other.x + other.width) - max(x, other.x)
        let height = min(y + self.height, other.y + other.height) - max(y, other.y)
        return width > 0 && height > 0 && 2 * width * height > other.width * other.height
    }
}
