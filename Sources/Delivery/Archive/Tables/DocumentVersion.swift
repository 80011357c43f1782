/// A state of a document; it differs after each change, undo and redo, and after a move to or from
/// the trash.
///
/// A new receipt does not change it.
public struct DocumentVersion: Hashable, Sendable, RawRepresentable {
    /// Hexadecimal digits and hyphens; only for comparing.
    public let rawValue: String

    /// A version that a client has kept.
    public init(rawValue: String) { self.rawValue = rawValue }

    init(changed: Double, trashed: Double?, done: Int) {
        rawValue = [changed.bitPattern, UInt64(bitPattern: Int64(done)), trashed?.bitPattern ?? 0]
            .map { String($0, radix: 16) }.joined(separator: "-")
    }
}
