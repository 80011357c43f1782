import Dispatch
import Glibc
import Synchronization

/// Turns Ctrl-C into a clean stop: the first SIGINT or SIGTERM asks for it, the second ends the
/// program immediately with 130.
///
/// After SIGTERM, the program ends with 130 within ten seconds, whatever it waits for: its
/// unfinished work stays in the spool.
///
/// The signals arrive through a handler that writes a byte to a pipe, not through `SIG_IGN`:
/// programs that are started meanwhile inherit an ignored signal, but not a handler.
///
/// ```swift
/// let interrupts = Interrupts()
/// let code = await interrupts.run { await scan() }   // the task is canceled by the first signal
/// ```
public final class Interrupts: Sendable {
    private struct State {
        var count = 0
        var nextID = 0
        var actions: [Int: @Sendable () -> Void] = [:]
    }

    private let state = Mutex(State())
    private let exit: @Sendable (Int32) -> Void

    /// Interrupts that are not connected to any signal; ``receive()`` stands for one.
    ///
    /// - Parameter exit: Ends the process; `_exit`, unless given.
    public init(exit: (@Sendable (Int32) -> Void)? = nil) {
        self.exit = exit ?? { _exit($0) }
    }

    /// True if a stop has been asked for.
    public var isRequested: Bool { state.withLock { $0.count > 0 } }

    /// True if a second signal ends the program, on the thread that listens.
    public var isEnding: Bool { state.withLock { $0.count > 1 } }

    /// Handles a signal: the first one cancels, the second exits with 130.
    public func receive() {
        let (count, actions) = state.withLock { state in
            state.count += 1
            return (state.count, state.count == 1 ? Array(state.actions.values) : [])
        }
        for action in actions { action() }
        if count == 2 { exit(130) }
    }

    /// Runs `operation` in a task that the first signal cancels, even if it arrived before.
    public func run<Value: Sendable>(
        _ operation: @escaping @Sendable () async -> Value
    ) async -> Value {
        let task = Task { await operation() }
        let id = state.withLock { state -> Int? in
            guard state.count == 0 else { return nil }
            state.nextID += 1
            state.actions[state.nextID] = { task.cancel() }
            return state.nextID
        }
        guard let id else {
            task.cancel()
            return await task.value
        }
        defer { state.withLock { _ = $0.actions.removeValue(forKey: id) } }
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Listens to `signals` (SIGINT and SIGTERM unless given) from now until the process ends.
    ///
    /// Only one value in a process may listen. Without free file descriptors for a pipe, the
    /// signals end the process as usual.
    public func listen(to signals: [Int32]? = nil) {
        guard let reading = SignalPipe.open() else { return }
        let queue = DispatchQueue(label: "copystand.interrupts")
        let source = DispatchSource.makeReadSource(fileDescriptor: reading, queue: queue)
        // The handler refers to the source, so the source lives until the process ends.
        source.setEventHandler { [self, source] in
            _ = source
            var byte: UInt8 = 0
            while Glibc.read(reading, &byte, 1) == 1 { receive() }
        }
        source.activate()
        for signal in signals ?? [SIGINT, SIGTERM] { SignalPipe.catch(signal, with: writeByte) }
        SignalPipe.catch(SIGALRM, with: endSoon)
    }
}

/// The pipe between the signal handler and the rest of the program.
private enum SignalPipe {
    /// The descriptor for writing to the pipe.
    ///
    /// A signal handler may read only variables without a lock and a lazy initializer. So this is a
    /// plain integer with a constant initial value, written once before the handler is installed.
    nonisolated(unsafe) static var writing: Int32 = -1
    /// True after the first alarm.
    nonisolated(unsafe) static var isEnding = false

    /// Opens the pipe, both ends non-blocking and closed on exec; its end for reading, or nil.
    static func open() -> Int32? {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        writing = ends[1]
        return ends[0]
    }

    static func `catch`(_ signal: Int32, with handler: @escaping @convention(c) (Int32) -> Void) {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = handler
        action.sa_flags = SA_RESTART
        sigaction(signal, &action, nil)
    }
}

/// The signal handler, which is async-signal-safe: it only writes, and restores `errno`.
private func writeByte(_ signal: Int32) {
    let before = errno
    var byte: UInt8 = 1
    _ = write(SignalPipe.writing, &byte, 1)
    // A service manager kills what does not end, and a lock or a dead disk can be waited for
    // without end.
    if signal == SIGTERM { alarm(8) }
    errno = before
}

/// The handler of the alarm after SIGTERM: the first one counts as a second signal, and the next
/// one ends the process even if no thread is left to handle that.
private func endSoon(_ signal: Int32) {
    if SignalPipe.isEnding { _exit(130) }
    SignalPipe.isEnding = true
    writeByte(signal)
    alarm(1)
}
