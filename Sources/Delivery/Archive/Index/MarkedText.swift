/// Text in which FTS5's `highlight` has put marks around the matches: U+0001 before and U+0002
/// after.
struct MarkedText {
    /// The text without the marks.
    let bytes: [UInt8]
    /// The matches, as ranges of ``bytes``.
    let marks: [Range<Int>]

    init(_ text: String) {
        var bytes: [UInt8] = []
        var marks: [Range<Int>] = []
        var start: Int?
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            switch byte {
            case 1: start = bytes.count
            case 2:
                if let begun = start { marks.append(begun..<bytes.count) }
                start = nil
            default: bytes.append(byte)
            }
        }
        self.init(bytes: bytes, marks: marks)
    }

    /// A text with marks in order, without the blanks at its end.
    init(bytes: [UInt8], marks: [Range<Int>]) {
        let blank = bytes.reversed().prefix { $0 == 0x0A || $0 == 0x20 }.count
        self.bytes = Array(bytes.dropLast(blank))
        self.marks = marks.filter { $0.upperBound <= bytes.count - blank }
    }

    /// The words that the marks touch, in order.
    func words(
        at places: [(range: Range<Int>, words: ClosedRange<Int>)]
    ) -> [Int] {
        var result: [Int] = []
        var place = 0
        for mark in marks {
            while place < places.count, places[place].range.upperBound <= mark.lowerBound {
                place += 1
            }
            var at = place
            while at < places.count, places[at].range.lowerBound < mark.upperBound {
                for word in places[at].words where result.last.map({ $0 < word }) ?? true {
                    result.append(word)
                }
                at += 1
            }
        }
        return result
    }

    /// About `length` bytes of the text around the most marks, on one line, with dots where it is
    /// cut.
    func snippet(length: Int = 130) -> [SnippetPart] {
        var start = 0
        var best = 0
        for (index, mark) in marks.enumerated() {
            let end = mark.lowerBound + length
            let count = marks[index...].prefix { $0.upperBound <= end }.count
            if count > best { (best, start) = (count, mark.lowerBound) }
        }
        let lower = start <= 40 ? 0 : wordStart(start - 40)
        let upper = bytes.count - lower <= length + 20 ? bytes.count : wordStart(lower + length)
        var parts: [SnippetPart] = []
        var at = lower
        func add(_ range: Range<Int>, _ isMatch: Bool, before: String = "", after: String = "") {
            let text = before + oneLine(range) + after
            if !text.isEmpty { parts.append(SnippetPart(text: text, isMatch: isMatch)) }
        }
        if lower > 0 { parts.append(SnippetPart(text: "… ", isMatch: false)) }
        for mark in marks where mark.lowerBound >= lower && mark.lowerBound < upper {
            add(at..<mark.lowerBound, false)
            add(mark, true)
            at = mark.upperBound
        }
        if at < upper { add(at..<upper, false) }
        if max(at, upper) < bytes.count { parts.append(SnippetPart(text: "…", isMatch: false)) }
        return parts
    }

    /// The first beginning of a word at or after a place.
    private func wordStart(_ place: Int) -> Int {
        var at = min(max(place, 0), bytes.count)
        while at > 0, at < bytes.count, bytes[at - 1] != 0x20, bytes[at - 1] != 0x0A { at += 1 }
        return at
    }

    private func oneLine(_ range: Range<Int>) -> String {
        String(decoding: bytes[range].map { $0 == 0x0A ? 0x20 : $0 }, as: UTF8.self)
    }
}
