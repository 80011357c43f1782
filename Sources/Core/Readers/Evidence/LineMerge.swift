import Documents

/// Chooses between two readings of a page line by line, by the evidence for each.
///
/// Where both read the same, the result has the network's letters and the engine's spaces;
/// elsewhere, it has the more certain line, and lines that only one of them found.
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
    /// The least confidence of a word that only the engine found.
    private static let alone = 0.4

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
            for index in words.indices where line.box.holdsMost(of: words[index].box) {
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
            let left = line.words.enumerated().filter { place, word in
                !isMatched[index + place] && word.confidence > Self.alone
            }.map(\.element)
            index += line.words.count
            if let box = Box(around: left.map(\.box)) {
                lines.append(TextLine(words: left, box: box))
            }
        }
        var text = PageText(blocks: ReadingOrder.blocks(of: lines), languages: engine.languages)
        text.evidence = ReadingEvidence(
            readers: (engine.evidence?.readers ?? []) + (network.evidence?.readers ?? []),
            sureness: Doubt.sureness(text), unread: engine.evidence?.unread,
            agreement: letters == 0 ? nil : agreed / Double(letters))
        return text
    }

    private static func chosen(
        _ line: TextLine, _ alignment: LetterAlignment, _ rivals: [Word]
    ) -> TextLine {
        if alignment.agreement > same { return respaced(line, alignment, rivals) }
        let isWhole =
            Double(alignment.other.letters.count) >= whole * Double(alignment.one.letters.count)
        guard isWhole, let box = Box(around: rivals.map(\.box)), sureness(rivals) > sure,
            sureness(line.words) < sure
        else { return line }
        return TextLine(words: rivals, box: box)
    }

    /// The mean confidence of the letters.
    private static func sureness(_ words: [Word]) -> Double {
        let letters = words.reduce(0) { $0 + $1.text.count }
        let sum = words.reduce(0.0) { $0 + $1.confidence * Double($1.text.count) }
        return letters == 0 ? 0 : sum / Double(letters)
    }

    /// The line with its words split where a word of the other reading begins.
    private static func respaced(
        _ line: TextLine, _ alignment: LetterAlignment, _ rivals: [Word]
    ) -> TextLine {
        var cuts: [Int: [Int]] = [:]
        for (letter, word) in alignment.startsInOne
        where word > 0 && rivals[word - 1].confidence >= surelyApart
            && rivals[word].confidence >= surelyApart
        {
            cuts[alignment.one.words[letter], default: []].append(alignment.one.places[letter])
        }
        guard !cuts.isEmpty else { return line }
        var line = line
        line.words = line.words.enumerated().flatMap { index, word in
            parted(word, at: cuts[index] ?? [])
        }
        return line
    }

    /// The parts of a word, each with its part of the box.
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

    /// Whether a word may end with a character.
    private static func canEnd(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || ",.;:!?)%".contains(character)
    }
}

extension Box {
    /// Whether more than half of another box lies in this one.
    func holdsMost(of other: Box) -> Bool {
        let width = min(x + self.width, other.x + other.width) - max(x, other.x)
        let height = min(y + self.height, other.y + other.height) - max(y, other.y)
        return width > 0 && height > 0 && 2 * width * height > other.width * other.height
    }
}
