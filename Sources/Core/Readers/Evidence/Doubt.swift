import Documents
import Recognition

/// How far a reading of a page is to be doubted: letters that no word explains, and words that the
/// reader was not sure of.
struct Doubt {
    /// The share of the letters on the page that were left out.
    let unread: Double
    /// The mean confidence of the words by their length, but for the least sure ones: a strange
    /// name or two says nothing of a page.
    let sureness: Double

    /// What a reading and what its reader says of the page tell.
    init(_ text: PageText, _ facts: ReaderWire.ReadAnswer) {
        let shapes = max(facts.shapes ?? 0, 1)
        unread = Double(min(facts.unread ?? 0, shapes)) / Double(shapes)
        let words = text.words.sorted { $0.confidence < $1.confidence }.dropFirst(Self.strange)
        var weight = 0
        var sum = 0.0
        for word in words {
            let letters = min(word.text.count, Self.longest)
            weight += letters
            sum += word.confidence * Double(letters)
        }
        sureness = weight == 0 ? 0 : sum / Double(weight)
    }

    /// Whether the page is worth a second reading by a better and slower reader.
    ///
    /// Of a hundred and fourteen real pages eighteen are not, and ten pages of clean print.
    var isLarge: Bool { unread > 0.03 || sureness < 0.94 }

    /// Words that are left out of the mean.
    private static let strange = 2
    /// Letters beyond do not count more.
    private static let longest = 8
}
