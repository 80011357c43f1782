import Synchronization

/// Tells a decoder on another thread that no one waits for it any more.
final class CancelFlag: Sendable {
    private let state = Atomic<Bool>(false)

    /// True once ``cancel()`` was called.
    var isCancelled: Bool { state.load(ordering: .relaxed) }

    /// Asks the decoder to stop at its next row.
    func cancel() { state.store(true, ordering: .relaxed) }

    /// Throws when canceled; decoders call it once a row or a few.
    func check() throws(DecodeFault) {
        if isCancelled { throw .cancelled }
    }
}
