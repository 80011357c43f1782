import Dispatch
import Glibc
import Synchronization

/// Waits for a line on standard input without blocking other work.
public final class TerminalQuestion: Sendable {
    private enum State {
        case new
        case waiting(CheckedContinuation<Void, any Error>)
        case answered
    }

    private let state = Mutex(State.new)
    private let descriptor: CInt

    /// A question on a descriptor; standard input unless given.
    public init(descriptor: CInt = 0) { self.descriptor = descriptor }

    /// Returns once Enter was pressed; to be called once.
    ///
    /// - Throws: `CancellationError` when the task is canceled, or the input ends before a line
    ///   does.
    public func waitForEnter() async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if case .answered = state { return true }
                    state = .waiting(continuation)
                    return false
                }
                if isCancelled { return continuation.resume(throwing: CancellationError()) }
                // A separate thread: it may wait until the program ends.
                DispatchQueue(label: "copystand.question").async { [self] in answer(readLine()) }
            }
        } onCancel: {
            answer(false)
        }
    }

    private func answer(_ isEnter: Bool) {
        let continuation = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            defer { state = .answered }
            if case .waiting(let continuation) = state { return continuation }
            return nil
        }
        if isEnter {
            continuation?.resume()
        } else {
            continuation?.resume(throwing: CancellationError())
        }
    }

    /// Reads up to the end of a line; false when the input ends before.
    private func readLine() -> Bool {
        var byte: UInt8 = 0
        while true {
            let count = read(descriptor, &byte, 1)
            if count < 0 && errno == EINTR { continue }
            guard count == 1 else { return false }
            if byte == UInt8(ascii: "\n") { return true }
        }
    }
}
