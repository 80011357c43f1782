import Synchronization

/// A limit on the bytes that several users hold together.
final class ByteBudget: Sendable {
    private let limit: Int
    private let held = Mutex(0)

    /// A budget of `limit` bytes, all of them free.
    init(limit: Int) { self.limit = limit }

    /// True if this many more bytes would fit now.
    func hasRoom(for count: Int) -> Bool { held.withLock { count <= limit - $0 } }

    /// Reserves more bytes; reserves nothing and returns false when they don't fit.
    func take(_ count: Int) -> Bool {
        held.withLock { held in
            guard count <= limit - held else { return false }
            held += count
            return true
        }
    }

    /// Returns reserved bytes to the budget.
    func release(_ count: Int) { held.withLock { $0 -= count } }
}
