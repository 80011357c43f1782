import FileNames

/// Makes documents of the files that come into a folder.
///
///     var groups = HotGroups(.numbered(10))
///     for group in groups.ready(folder.look(now: seconds), in: folder, now: seconds) { … }
public struct HotGroups {
    /// Which files become one document.
    public enum Rule: Hashable, Sendable {
        /// Every file is a document of its own.
        case each
        /// All that come, until nothing has come for this many seconds.
        case quiet(Double)
        /// Files whose names differ only in their last number are one document, once no other has
        /// come for this many seconds.
        case numbered(Double)
        /// Two files, in the order in which they came: the fronts of a stack, and the backs.
        case sides
    }

    /// What is to be done.
    public enum Group: Hashable, Sendable {
        /// These files, in this order, are a document.
        case document([String])
        /// A file is given up, for a reason.
        case broken(String, String)
    }

    private let rule: Rule
    /// Files that wait for others, by what they have in common, and since when they have stayed the
    /// same.
    private var waiting: [String: (names: [String], since: Double)] = [:]

    /// Groups by a rule.
    public init(_ rule: Rule) { self.rule = rule }

    /// The documents that are complete, and the files that are given up.
    ///
    /// - Parameters:
    ///   - found: what the folder says.
    ///   - now: seconds of the monotonic clock that the folder uses, too.
    public mutating func ready(
        _ found: [HotFolder.Found], in folder: HotFolder, now: Double
    ) -> [Group] {
        var groups: [Group] = []
        var whole: [String] = []
        for file in found {
            switch file {
            case .whole(let name): whole.append(name)
            case .broken(let name, let why): groups.append(.broken(name, why))
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

    /// The sets of files to which nothing was added for that long, and none of which is still
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

    /// Every two files; one that stays alone for as long as half a file would is given up.
    private mutating func pairs(
        _ names: [String], _ folder: HotFolder, _ now: Double
    ) -> [Group] {
        // A file that is still on its way may have come before one that is whole.
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

    /// A name with its last number left out; nil for one without.
    private static func common(_ name: String) -> String? {
        let bytes = Array(name.utf8)
        let isDigit = { (byte: UInt8) in (48...57).contains(byte) }
        // The extension, such as jp2, may have a number of its own.
        let end = bytes.lastIndex(of: UInt8(ascii: ".")) ?? bytes.endIndex
        guard let last = bytes[..<end].lastIndex(where: isDigit) else { return nil }
        let first = bytes[..<last].lastIndex { !isDigit($0) }.map { $0 + 1 } ?? 0
        return String(
            decoding: bytes[..<first] + [UInt8(ascii: "/")] + bytes[(last + 1)...], as: UTF8.self)
    }
}
