import Synchronization

/// Stops a job from outside, and answers its questions.
public final class ScanControl: Sendable {
    private struct State {
        var isStopped = false
        var action: (@Sendable () -> Void)?
        var picture: (@Sendable (PageThumbnail) -> Void)?
        var end: (@Sendable (_ pages: Int) async throws -> Bool)?
    }

    private let state = Mutex(State())

    /// Asks the user to turn the stack over and put it back, and returns when this is done; nil if
    /// there is no user to ask.
    let turnStack: (@Sendable (_ fronts: Int) async throws -> Void)?

    /// A control for one job.
    ///
    /// - Parameter turnStack: asks the user to turn a stack of that many sheets, and returns when
    ///   this is done; throws `CancellationError` when its task is canceled.
    public init(turnStack: (@Sendable (_ fronts: Int) async throws -> Void)? = nil) {
        self.turnStack = turnStack
    }

    /// Makes a small picture of every captured page for `show`, which is called from any thread.
    ///
    /// Without this call, no pictures are made. Call it before the job begins.
    public func onPicture(_ show: @escaping @Sendable (PageThumbnail) -> Void) {
        state.withLock { $0.picture = show }
    }

    /// The receiver of pictures; nil for none.
    var picture: (@Sendable (PageThumbnail) -> Void)? { state.withLock(\.picture) }

    /// Asks the user whether to add another sheet to a document of this many pages, at the end of
    /// each capture of an order that `asksForMore`; `ask` returns true once the sheet
    /// has been placed.
    ///
    /// Without this call, no question is asked. `ask` throws `CancellationError` when its task is
    /// canceled. Call it before the job begins.
    public func onEnd(_ ask: @escaping @Sendable (_ pages: Int) async throws -> Bool) {
        state.withLock { $0.end = ask }
    }

    /// Asks whether there is more; nil if there is no one to ask.
    var end: (@Sendable (_ pages: Int) async throws -> Bool)? { state.withLock(\.end) }

    /// Stops the capturing; pages that are captured already are still processed and delivered.
    public func stop() {
        let action = state.withLock { state in
            state.isStopped = true
            defer { state.action = nil }
            return state.action
        }
        action?()
    }

    /// True once ``stop()`` was called.
    public var isStopped: Bool { state.withLock(\.isStopped) }

    /// Runs `action` when the job is stopped, immediately if it already was; replaces the earlier
    /// action.
    package func whenStopped(_ action: @escaping @Sendable () -> Void) { onStop(action) }

    /// Sets the action for a stop.
    ///
    /// The action runs immediately if the job was stopped before.
    func onStop(_ action: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            if !state.isStopped { state.action = action }
            return state.isStopped
        }
        if isLate { action() }
    }
}

/// A small picture of a captured page: before its processing, and again after it.
public struct PageThumbnail: Sendable {
    /// The page's number in the job's spool, as ``ScanEvent/captured(page:label:)`` has it.
    public var number: Int
    /// A JPEG file.
    public var bytes: [UInt8]
}
