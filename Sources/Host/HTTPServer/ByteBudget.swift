import Synchronization

/// The number of bytes that several users may hold together.
final class ByteBudget: Sendable {
    private let limit: Int
    private let held = Mutex(0)

    /// A budget of this many bytes, none of which are used.
    init(limit: Int) { self.limit = limit }

    /// Whether this many more bytes would fit now.
    func hasRoom(for count: Int) -> Bool { held.withLock { count <= limit - $0 } }

    /// Reserves more bytes; false when they don't fit, and then nothing has changed.
    func take(_ count: Int) -> Bool {
        held.withLock { held in
            guard count <= limit - held else { return false }
            held += count
            return true
        }
    }

    /// Gives bytes back that were held.
    func give(_ count: Int) { held.withLock { $0 -= count } }
}
