import CaptureHost
import CaptureKit

/// The pages that a job holds in its spool, each once.
///
/// Files that are read once more give pages that are there already. Until the reading is over, the
/// pages of before stay.
struct HeldPages {
    /// The pages to deliver, in the order of their numbers.
    let pages: [CapturedPage]
    /// Pages that are there twice.
    let surplus: [CapturedPage]

    /// The pages in `spool`.
    ///
    /// - Throws: ``HostError`` when the folder, or the note of a page, can't be read.
    init(_ spool: SpoolFolder, _ record: JobRecord) throws {
        let all = try spool.pages()
        guard let boundary = record.rereadFrom else {
            (pages, surplus) = (all, [])
            return
        }
        let before = all.filter { $0.number < boundary }
        let again = all.filter { $0.number >= boundary }
        let (more, fewer) = again.count >= before.count ? (again, before) : (before, again)
        let missing = Self.missing(in: more, of: fewer)
        let kept = Set(missing.map(\.number))
        pages = (more + missing).sorted { $0.number < $1.number }
        surplus = fewer.filter { !kept.contains($0.number) }
    }

    /// The pages of `others` that are not among `pages`; a page is known by its label.
    static func missing(in pages: [CapturedPage], of others: [CapturedPage]) -> [CapturedPage] {
        var counts: [String?: Int] = [:]
        for page in pages { counts[page.description.label, default: 0] += 1 }
        return others.filter { page in
            guard let count = counts[page.description.label], count > 0 else { return true }
            counts[page.description.label] = count - 1
            return false
        }
    }

    /// How many there are, by their numbers alone, as ``StoredJob`` lists them.
    static func count(_ numbers: [Int], _ record: JobRecord?) -> Int {
        guard let boundary = record?.rereadFrom else { return numbers.count }
        let again = numbers.count { $0 >= boundary }
        return max(again, numbers.count - again)
    }
}
