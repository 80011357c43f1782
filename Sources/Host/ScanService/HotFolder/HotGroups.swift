import FileNames

/// Combines the files in a folder into documents.
///
///     var groups = HotGroups(.numbered(10))
///     for group in groups.ready(folder.look(now: seconds), in: folder, now: seconds) { … }
public struct HotGroups {
    /// The rule by which files become documents.
    public enum Rule: Hashable, Sendable {
        /// Every file is a document.
        case each
        /// All files are a document, once no new one has arrived for this many seconds.
        case quiet(Double)
        /// Files whose names differ only in their last number are a document, once no new one has
        /// arrived for this many seconds.
        case numbered(Double)
        /// Two files are a document, in the order of their arrival: the fronts of a stack, and its
        /// backs.
        case sides
    }

    /// The next action.
    public enum Group: Hashable, Sendable {
        /// These files form a document, in this order.
        case document([String])
        /// A file is given up; the second value is the reason.
        case broken(String, String)
        /// The name belongs to something that is not a file; the second value names it.
        case other(String, String)
    }

    private let rule: Rule
    /// The files that wait for others, by the common part of their names, and the time since which
    /// no file was added.
    private var waiting: [String: (names: [String], since: Double)] = [:]

    /// Groups by a rule.
    public init(_ rule: Rule) { self.rule = rule }

    /// The complete documents, and the files that are given up.
    ///
    /// - Parameters:
    ///   - found: the files from ``HotFolder/look(now:)``.
    ///   - now: the seconds of the same clock as the folder's.
    public mutating func ready(
        _ found: [HotFolder.Found], in folder: HotFolder, now: Double
    ) -> [Group] {
        var groups: [Group] = []
        var whole: [String] = []
        for file in found {
            switch file {
            case .whole(let name): whole.append(name)
            case .broken(let name, let why): groups.append(.broken(name, why))
            case .other(let name, let what): groups.append(.other(name, what))
            }
        }
        switch rule {
        case .each: groups += whole.map { .document([$0]) }
        case .quiet(let seconds):
            groups += still(
                ["": whole], coming: folder.unfinished.map { _ in "" }, for: seconds, now: now)
        case .numbered(let seconds):
            let sets = Dictionary(grouping: whole) { Self.common($0) ?? "" }
            groups += (sets[""] ?? []).map { .document([$0]) }
            let coming = folder.unfinished.compactMap(Self.common)
            groups += still(
                sets.filter { !$0.key.isEmpty }, coming: coming, for: seconds, now: now)
        case .sides: groups += pairs(whole, folder, now)
        }
        return groups
    }

    /// The groups to which no file was added for that long, and none of whose files is still
    /// arriving.
    private mutating func still(
        _ sets: [String: [String]], coming: [String], for seconds: Double, now: Double
    ) -> [Group] {
        var groups: [Group] = []
        var next: [String: (names: [String], since: Double)] = [:]
        for (key, names) in sets.sorted(by: { $0.key < $1.key }) where !names.isEmpty {
            let old = waiting[key]
            let since = old?.names == names && !coming.contains(key) ? old?.since ?? now : now
            if now - since >= seconds {
                groups.append(
                    .document(names.sorted { comesBeforeNaturally(Array($0.utf8), Array($1.utf8)) })
                )
            } else {
                next[key] = (names, since)
            }
        }
        waiting = next
        return groups
    }

    /// The pairs of files; a file without a partner is given up after the time for an incomplete
    /// file.
    private mutating func pairs(
        _ names: [String], _ folder: HotFolder, _ now: Double
    ) -> [Group] {
        // An unfinished file may have arrived before a complete one.
        guard folder.unfinished.isEmpty else { return [] }
        var rest = names.sorted { (folder.written($0), $0) < (folder.written($1), $1) }[...]
        var groups: [Group] = []
        while rest.count > 1 {
            groups.append(.document(Array(rest.prefix(2))))
            rest = rest.dropFirst(2)
        }
        guard let last = rest.first else {
            waiting = [:]
            return groups
        }
        let since = waiting[last]?.since ?? now
        waiting = [last: ([last], since)]
        if now - since >= folder.patience {
            groups.append(.broken(last, "the backs of its pages did not come"))
        }
        return groups
    }

    /// A name without its last number; nil for a name without a number.
    private static func common(_ name: String) -> String? {
        let bytes = Array(name.utf8)
        let isDigit = { (byte: UInt8) in (48...57).contains(byte) }
        // An extension such as jp2 may contain a number.
        let end = bytes.lastIndex(of: UInt8(ascii: ".")) ?? bytes.endIndex
        guard let last = bytes[..<end].lastIndex(where: isDigit) else { return nil }
        let first = bytes[..<last].lastIndex { !isDigit($0) }.map { $0 + 1 } ?? 0
        return String(
            decoding: bytes[..<first] + [UInt8(ascii: "/")] + bytes[(last + 1)...], as: UTF8.self)
    }
}
