/// Hidden names for files and folders that a process is making, such as
/// `.letter.pdf.k3x0qa.0f3a9c1b22-4711-83265.partial`.
///
/// A work name contains the machine, the process and its start time. So another run can tell a
/// killed process's leftovers (``isAbandoned(_:)``) from a file that a process here, or on another
/// machine with the same folder, still makes.
public enum WorkName {
    private static let ending = ".partial"

    /// A new work name for a file that gets the name `name` later; it is almost certainly unique.
    public static func new(for name: String) -> String {
        // A name has at most 255 bytes. Everything but the stem takes 60, and a file that is set
        // aside gets a longer ending.
        var stem = Substring(name).unicodeScalars
        while FileNames.length(String(stem)) > 180 { stem.removeLast() }
        let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789")
        let random = String((0..<6).map { _ in letters[Int.random(in: 0..<letters.count)] })
        return ".\(String(stem)).\(random).\(ProcessMark.own.text)\(ending)"
    }

    /// True if a name is a work name of a process that ran on this machine and has ended.
    public static func isAbandoned(_ name: String) -> Bool {
        guard name.hasPrefix("."), name.hasSuffix(ending) else { return false }
        let parts = name.dropLast(ending.utf8.count).split(
            separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 4, parts[parts.count - 2].utf8.count == 6,
            let mark = parts.last.flatMap({ ProcessMark($0) })
        else { return false }
        return mark.isGone
    }
}
