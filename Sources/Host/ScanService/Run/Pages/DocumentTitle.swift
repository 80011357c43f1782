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

    /// The date of a time on this machine's clock, such as `2026-05-17`.
    static func day(_ moment: Date) -> String {
        let day = Calendar(identifier: .gregorian).dateComponents(
            [.year, .month, .day], from: moment.writable)
        return [day.year, day.month, day.day].map { number in
            let text = String(number ?? 0)
            return text.utf8.count < 2 ? "0" + text : text
        }.joined(separator: "-")
    }
}
