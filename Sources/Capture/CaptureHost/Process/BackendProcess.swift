import CPosix
package import CaptureKit
import Dispatch
import Glibc
import Synchronization

/// A backend's process: started with a socket on descriptor 3, in a session of its own and
/// confined, and reaped when it ends.
///
/// Two threads belong to it: one starts it and waits for its end, one drains its output. Every
/// process that it has started and left behind, in any group or session, is ended with it.
package final class BackendProcess: Sendable {
    private let birth: Birth
    private let life = Life()
    private let confinement: Confinement
    private let drained = DispatchGroup()

    /// The number of the process and of its group; once ``end`` is known, the number may belong to
    /// another process.
    package var id: Int32 { birth.id }

    /// Starts `program` and hands each line of its output to `output`; blocks the calling thread
    /// until the program is loaded.
    ///
    /// It gets `socket` as descriptor 3, `/dev/null` as standard input, no other descriptor of the
    /// host, what `confinement` leaves it, and SIGHUP when the host's process dies, or SIGKILL when
    /// it is read-only.
    package init(
        program: String, confinement: Confinement = Confinement(), socket: OwnedDescriptor,
        output: @escaping @Sendable (String) -> Void
    ) throws(SpawnFailure) {
        let pipe = try BackendProcess.pipe()
        let socket = try BackendProcess.lifted(socket)
        let (input, log) = (socket.raw, pipe.write.raw)
        let born = DispatchSemaphore(value: 0)
        let outcome = Mutex<Result<Birth, SpawnFailure>?>(nil)
        // The system signals the parent's death to a process when the thread that forked it ends,
        // so that thread must be this one.
        startThread("backend-exit") { [life] in
            let result = BackendProcess.spawn(program, confinement, socket: input, output: log)
            outcome.withLock { $0 = result }
            born.signal()
            if case .success(let birth) = result { life.awaitExit(birth) }
        }
        withExtendedLifetime((socket, pipe.write)) { born.wait() }
        guard let result = outcome.withLock({ $0 }) else {
            throw SpawnFailure(message: "'\(program)' can't be started")
        }
        birth = try result.get()
        self.confinement = confinement
        drained.enter()
        startThread("backend-output") { [drained, reader = pipe.read] in
            LineDrain(reader).run(output)
            drained.leave()
        }
    }

    /// Why no process could be started.
    package struct SpawnFailure: Error {
        /// What failed.
        package let message: String
    }

    /// How the process ended; nil while it runs.
    package var end: ProcessEnd? { life.state.withLock { $0.end } }

    /// How much of its memory the process had used when it ended, for a sentence; nil when that was
    /// less than three quarters.
    var memoryUsed: String? {
        let peak = life.state.withLock { $0.peakMemory }
        guard peak >= confinement.memory / 4 * 3 else { return nil }
        return "\(peak >> 20) of the \(confinement.memory >> 20) MiB of memory that it may use"
    }

    /// Waits for the process's end and its last output; blocks the calling thread.
    package func waitForEnd(_ timeout: Duration) -> ProcessEnd? {
        let deadline = DispatchTime.now() + .nanoseconds(Int(clamping: timeout.nanoseconds))
        guard life.ended.wait(timeout: deadline) == .success else { return nil }
        // A process of another mark may hold the pipe open, so waiting for the output has a limit.
        _ = drained.wait(timeout: .now() + .milliseconds(500))
        return end
    }

    /// Waits until all that the process has written was handed over; false when a grandchild still
    /// holds its output.
    package func waitForOutput(_ timeout: Duration) -> Bool {
        drained.wait(timeout: .now() + .nanoseconds(Int(clamping: timeout.nanoseconds))) == .success
    }

    /// Sends a signal to the process and to what it has started.
    package func signal(_ number: Int32) {
        // Under the lock, because the number may belong to another process once this one is reaped.
        life.state.withLock { state in
            if state.end == nil { Glibc.kill(-birth.id, number) }
        }
    }

    /// Waits for the process to exit, then asks it to, then kills it; blocks the calling thread.
    package func stop(patience: Duration) {
        if waitForEnd(patience) != nil { return }
        signal(SIGTERM)
        if waitForEnd(.seconds(1)) != nil { return }
        signal(SIGKILL)
        _ = waitForEnd(.seconds(5))
    }

    private static func pipe() throws(SpawnFailure) -> (
        read: OwnedDescriptor, write: OwnedDescriptor
    ) {
        var ends: [Int32] = [-1, -1]
        guard cposix_pipe(&ends) == 0 else {
            throw SpawnFailure(message: "no pipe could be made: \(systemMessage())")
        }
        return (OwnedDescriptor(ends[0]), try lifted(OwnedDescriptor(ends[1])))
    }

    /// A copy of a descriptor with a higher number than those the child gets, so that placing one
    /// never overwrites another.
    private static func lifted(_ descriptor: OwnedDescriptor) throws(SpawnFailure)
        -> OwnedDescriptor
    {
        guard descriptor.raw < 10 else { return descriptor }
        let copy = fcntl(descriptor.raw, F_DUPFD_CLOEXEC, 10)
        guard copy >= 0 else {
            throw SpawnFailure(message: "no descriptor is free: \(systemMessage())")
        }
        return OwnedDescriptor(copy)
    }

    private static func spawn(
        _ program: String, _ confinement: Confinement, socket: Int32, output: Int32
    ) -> Result<Birth, SpawnFailure> {
        var system = confinement.system(.current)
        var birth = Birth(ourMemory: cposix_own_peak_memory())
        var failed: UnsafePointer<CChar>?
        let environment = BackendEnvironment.variables(asked: confinement.environment)
        if let why = StartFailure.words(program, variables: environment) {
            return .failure(SpawnFailure(message: "'\(program)' can't be started: \(why)"))
        }
        var variables = environment.map { strdup($0) }
        defer { variables.forEach { free($0) } }
        variables.append(nil)
        let failure = cposix_spawn_backend(
            program, &variables, socket, output, &system, &birth.backend, &failed)
        if failure == 0 { return .success(birth) }
        let why =
            failed.map { "\(String(cString: $0)): \(systemMessage(failure))" }
            ?? StartFailure.words(program, failure)
        return .failure(SpawnFailure(message: "'\(program)' can't be started: \(why)"))
    }
}

/// What identifies a process that was started.
private struct Birth: Sendable {
    var backend = cposix_backend()
    var id: pid_t { backend.process }
    /// The most memory of this process so far, which the system counts as that of its child too.
    var ourMemory: UInt64
}

/// The end of a process.
private final class Life: Sendable {
    let state = Mutex(State())
    let ended = DispatchGroup()

    struct State {
        var end: ProcessEnd?
        /// The most memory that it held at any one time, in bytes; 0 if unknown.
        var peakMemory = 0
    }

    init() { ended.enter() }

    func awaitExit(_ birth: Birth) {
        _ = cposix_await_exit(birth.id)
        let peak = cposix_peak_memory(birth.id, birth.ourMemory)
        // The processes that it has started are ended with it. Its own group comes first, so that
        // there is less to look for.
        Glibc.kill(-birth.id, SIGKILL)
        var backend = birth.backend
        cposix_end_descendants(&backend)
        state.withLock { state in
            var status: Int32 = -1
            var signal: Int32 = 0
            cposix_reap(birth.id, &status, &signal)
            state.peakMemory = Int(clamping: peak)
            state.end = signal != 0 ? .signal(Int(signal)) : .status(Int(status))
        }
        // After the backend, which the kernel waits for before it releases the first of its
        // namespaces.
        cposix_reap_first(&backend)
        ended.leave()
    }
}

extension Duration {
    /// Whole nanoseconds, clamped to what fits.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? .max : product &+ attoseconds / 1_000_000_000
    }
}
