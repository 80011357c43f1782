import Documents
import FileNames
import FoundationEssentials

/// The default title of a document.
enum DocumentTitle {
    /// A file's name without its folder and ending.
    static func ofFile(_ path: String) -> String {
        let name = FileNames.title(path.lastComponent)
        return name.split(separator: ".", maxSplits: 1).first.map(String.init) ?? name
    }

    /// The date and the time of day on this machine's clock, such as `2026-05-17, 14:32`, so that
    /// two scans of a day have different titles.
    static func moment(_ moment: Date) -> String {
        let parts = Calendar(identifier: .gregorian).dateComponents(
            [.year, .month, .day, .hour, .minute], from: moment.writable)
        func joined(_ numbers: [Int?], _ separator: String) -> String {
            numbers.map { number in
                let text = String(number ?? 0)
                return text.utf8.count < 2 ? "0" + text : text
            }.joined(separator: separator)
        }
        return joined([parts.year, parts.month, parts.day], "-") + ", "
            + joined([parts.hour, parts.minute], ":")
    }
}
