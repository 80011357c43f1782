import CaptureKit
import Synchronization

/// A frame whose pixels are coming in: where they go, and what has come so far.
final class OpenFrame: Sendable {
    let number: Int
    let description: FrameDescription
    /// The most bytes it may take.
    let most: Int
    let isInline: Bool
    let storage: Storage
    private let state = Mutex((received: 0, rows: 0, told: 0))

    /// Where the pixels go.
    enum Storage: Sendable {
        case page(SpoolFile)
        case live(LiveBuffer)
    }

    init(
        number: Int, description: FrameDescription, most: Int, isInline: Bool, storage: Storage
    ) {
        self.number = number
        self.description = description
        self.most = most
        self.isInline = isInline
        self.storage = storage
    }

    /// The descriptor that the backend may write to.
    var descriptor: OwnedDescriptor {
        switch storage {
        case .page(let file): file.descriptor
        case .live(let buffer): buffer.descriptor
        }
    }

    /// Bytes that came inline.
    var received: Int { state.withLock { $0.received } }

    /// Counts bytes that came inline; false when there are more than the frame may have.
    func receive(_ count: Int) -> Bool {
        state.withLock { state in
            guard count <= most - state.received else { return false }
            state.received += count
            return true
        }
    }

    /// Notes how far the frame is: whether that is an advance, and whether it is far enough to be told.
    func advance(to rows: Int) -> (isAdvance: Bool, isWorthTelling: Bool) {
        state.withLock { state in
            guard rows > state.rows else { return (false, false) }
            state.rows = rows
            let step = max(1, (description.height ?? 3500) / 50)
            guard rows - state.told >= step || rows == description.height else {
                return (true, false)
            }
            state.told = rows
            return (true, true)
        }
    }

    /// Deletes what has come.
    func discard() {
        if case .page(let file) = storage { file.discard() }
    }
}
