import CaptureHost
import CaptureKit
import ExpectedFailures
import Glibc
import GuardedFiles

/// The pages in a job's spool, without repetitions.
///
/// Files that are read again give pages that exist already. Until all files are read, the earlier
/// pages stay.
struct HeldPages {
    /// The pages to deliver, in the order of their numbers.
    let pages: [CapturedPage]
    /// Second copies of pages.
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

    /// The pages of `others` that are not among `pages`.
    private static func missing(
        in pages: [CapturedPage], of others: [CapturedPage]
    ) -> [CapturedPage] {
        var rest = pages
        return others.filter { page in
            guard let known = index(of: page, in: rest) else { return true }
            rest.remove(at: known)
            return false
        }
    }

    /// The index of the same page among `pages`, with the same label and the same bytes of its
    /// picture; nil for none.
    static func index(of page: CapturedPage, in pages: [CapturedPage]) -> Int? {
        pages.firstIndex {
            $0.description.label == page.description.label && hasSamePicture($0, page)
        }
    }

    private static func hasSamePicture(_ one: CapturedPage, _ other: CapturedPage) -> Bool {
        let files = [one, other].compactMap { page in
            reportedLater { (try GuardedFolder.openFile(at: page.pixels).descriptor, page.room) }
        }
        defer { for (file, _) in files { close(file) } }
        guard files.count == 2 else { return false }
        var buffers = files.map { _ in [UInt8](repeating: 0, count: 1 << 20) }
        var done = 0
        while true {
            let counts = files.indices.map { index in
                pread(files[index].0, &buffers[index], 1 << 20, off_t(files[index].1 + done))
            }
            guard counts[0] == counts[1], counts[0] >= 0 else { return false }
            if counts[0] == 0 { return true }
            guard buffers[0].prefix(counts[0]) == buffers[1].prefix(counts[0]) else { return false }
            done += counts[0]
        }
    }

    /// The number of pages, counted by their numbers only, for ``StoredJob``.
    static func count(_ numbers: [Int], _ record: JobRecord?) -> Int {
        guard let boundary = record?.rereadFrom else { return numbers.count }
        let again = numbers.count { $0 >= boundary }
        return max(again, numbers.count - again)
    }
}
