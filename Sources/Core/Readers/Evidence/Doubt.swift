import Documents
import Recognition

/// The doubt about a reading of a page: letters without a word, words with a low confidence, and
/// words that are not in the language's dictionary.
struct Doubt {
    /// The part of the letters on the page that were left out; nil when they were not counted.
    let unread: Double?
    /// The mean confidence of the words, weighted by their length, without the least certain ones:
    /// one or two strange names don't make a page doubtful.
    let sureness: Double
    /// The part of the words that are in the language's dictionary; nil if too few were looked up.
    let known: Double?

    /// The doubt about a reading, from its words and from the reader's report.
    init(_ text: PageText, _ facts: ReaderWire.ReadAnswer) {
        unread = facts.shapes.map { shapes in
            Double(max(0, min(facts.unread ?? 0, shapes))) / Double(max(shapes, 1))
        }
        sureness = Self.sureness(text)
        let lookedUp = facts.lookedUp ?? 0
        known =
            lookedUp < Self.fewWords
            ? nil : Double(min(max(facts.known ?? 0, 0), lookedUp)) / Double(lookedUp)
    }

    /// The mean confidence of a page's words.
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

    /// True if the page is worth a second reading by a better and slower reader.
    ///
    /// Of 114 real pages, 18 are not worth it, and neither is any of 10 pages of clean print.
    var isLarge: Bool { (unread ?? 0) > 0.03 || sureness < 0.94 || isForeign }

    /// True if the page is probably in another language than the reader was given.
    ///
    /// Of the words of clean English print at least 93 % are in the dictionary for English, of
    /// French, Spanish and Italian pages at most 73 %.
    private var isForeign: Bool { known.map { 0 < $0 && $0 < 0.75 } ?? false }

    /// The minimum number of words whose share in the dictionary means something.
    private static let fewWords = 20

    /// The number of words that are left out of the mean.
    private static let strange = 2
    /// Only this many letters of a word count.
    private static let longest = 8
}
