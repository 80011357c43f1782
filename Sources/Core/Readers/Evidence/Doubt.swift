import Documents
import Recognition

/// How doubtful a reading of a page is: letters that no word explains, and words that the
/// reader was not sure of.
struct Doubt {
    /// The share of the letters on the page that were left out; nil when nobody counted.
    let unread: Double?
    /// The mean confidence of the words, weighted by their length, without the least sure ones: a
    /// strange name or two says nothing about a page.
    let sureness: Double

    /// The doubt about a reading, from its words and from what its reader reports.
    init(_ text: PageText, _ facts: ReaderWire.ReadAnswer) {
        unread = facts.shapes.map { shapes in
            Double(min(facts.unread ?? 0, shapes)) / Double(max(shapes, 1))
        }
        sureness = Self.sureness(text)
    }

    /// How sure the words of a page are.
    static func sureness(_ text: PageText) -> Double {
        let words = text.words.sorted { $0.confidence < $1.confidence }.dropFirst(strange)
        var weight = 0
        var sum = 0.0
        for word in words {
            let letters = min(word.text.count, longest)
            weight += letters
            sum += word.confidence * Double(letters)
        }
        return weight == 0 ? 0 : sum / Double(weight)
    }

    /// Whether the page is worth a second reading by a better and slower reader.
    ///
    /// Of 114 real pages 18 are not, and none of 10 pages of clean print is.
    var isLarge: Bool { (unread ?? 0) > 0.03 || sureness < 0.94 }

    /// Words that are left out of the mean.
    private static let strange = 2
    /// Letters of a word beyond this number do not count.
    private static let longest = 8
}
