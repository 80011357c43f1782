import Synchronization

/// Breaks off deliveries that are under way, because the program is about to end.
///
/// What is broken off stays in the outbox, and is due at once.
public final class DeliveryStop: Sendable {
    private let end = Mutex<ContinuousClock.Instant?>(nil)

    /// A stop that nobody has asked for yet.
    public init() {}

    /// Lets deliveries go on for so long, and then breaks them off; a second call changes nothing.
    public func request(after grace: Duration) {
        end.withLock { if $0 == nil { $0 = .now + grace } }
    }

    /// Whether deliveries are to be broken off now.
    public var isDue: Bool { end.withLock { $0.map { ContinuousClock.now >= $0 } ?? false } }
}
