import Synchronization

/// Stops a decoder on another thread when no one needs its result any longer.
final class CancelFlag: Sendable {
    private let state = Atomic<Bool>(false)

    /// True once ``cancel()`` was called.
    var isCancelled: Bool { state.load(ordering: .relaxed) }

    /// Asks the decoder to stop at its next row.
    func cancel() { state.store(true, ordering: .relaxed) }

    /// Throws when canceled; decoders call it every row or every few rows.
    func check() throws(DecodeFault) {
        if isCancelled { throw .cancelled }
    }
}
