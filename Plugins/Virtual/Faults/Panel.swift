import ExpectedFailures
import FoundationEssentials
import Glibc

/// A scanner's front panel: a folder in which files stand for events at the scanner.
///
/// - `button`: the button was pressed; the file is removed when the press was reported.
/// - `paper`: that many sheets are put into the feeder (a number in the file); the file is removed
///   in the same way.
/// - `unplugged`: the scanner is away as long as the file exists.
struct Panel: Sendable {
    /// The folder; nil for a panel that is not used.
    let folder: String?

    /// Handles a press of the button; false for none.
    func takePress() -> Bool {
        folder.map { unlink($0 + "/button") == 0 } ?? false
    }

    /// Handles new sheets; nil for none, or while the file has no number because it is still being
    /// written.
    func takeSheets() -> Int? {
        guard let folder else { return nil }
        let path = folder + "/paper"
        guard
            let text = ifSupported({ try String(contentsOf: URL(filePath: path), encoding: .utf8) }
            ),
            let number = Int(text.filter { !$0.isWhitespace }), unlink(path) == 0
        else { return nil }
        return min(max(number, 0), 100_000)
    }

    /// True if the scanner's cable is unplugged.
    var isUnplugged: Bool {
        folder.map { access($0 + "/unplugged", F_OK) == 0 } ?? false
    }
}
