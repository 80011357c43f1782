import Documents
import FoundationEssentials

/// The names of jobs: the time at which they began and four random letters, so that they sort by
/// age.
enum JobID {
    static func make(at date: Date) -> String {
        let stamp = date.writable.formatted(
            .iso8601.year().month().day().dateSeparator(.omitted).time(
                includingFractionalSeconds: false
            )
            .timeSeparator(.omitted))
        let letters = "abcdefghjkmnpqrstuvwxyz23456789"
        let mark = (0..<4).compactMap { _ in letters.randomElement() }
        return stamp.replacing("T", with: "-").filter { $0 != "Z" } + "-" + String(mark)
    }

    /// True for a name from `make`, which can't lead out of the spool's folder.
    static func isValid(_ id: String) -> Bool {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        return (1...64).contains(id.utf8.count)
            && id.utf8.allSatisfy {
                digits.contains($0) || letters.contains($0) || $0 == UInt8(ascii: "-")
            }
    }
}
