import CPosix
package import CaptureKit
import Dispatch
import Glibc
import Synchronization

/// A child process: started with a socket on descriptor 3, in a session of its own and
/// confined, and reaped when it ends.
///
/// One thread starts the process and waits for its end, and another reads its output. When the
/// process ends, all processes that it has started are ended too, in any group or session.
package final class ChildProcess: Sendable {
    private let birth: Birth
    private let life = Life()
    private let confinement: Confinement
    private let drained = DispatchGroup()

    /// The number of the process and of its group; after ``end`` is known, another process may have
    /// the number.
    package var id: Int32 { birth.id }

    /// Starts `program` and passes each line of its output to `output`; blocks the calling thread
    /// until the program is loaded.
    ///
    /// The process gets `socket` as descriptor 3, `/dev/null` as standard input, and no other
    /// descriptor of the host. It may do what `confinement` allows. When the host dies, the process
    /// gets SIGHUP; a process with a read-only file system gets SIGKILL.
    package init(
        program: String, confinement: Confinement = Confinement(), socket: OwnedDescriptor,
        output: @escaping @Sendable (String) -> Void
    ) throws(SpawnFailure) {
        let pipe = try ChildProcess.pipe()
        let socket = try ChildProcess.lifted(socket)
        let (input, log) = (socket.raw, pipe.write.raw)
        let born = DispatchSemaphore(value: 0)
        let outcome = Mutex<Result<Birth, SpawnFailure>?>(nil)
        // A process gets the signal of its parent's death when the thread that forked it ends, so
        // this thread must both start the process and wait for it.
        startThread("backend-exit") { [life] in
            let result = ChildProcess.spawn(program, confinement, socket: input, output: log)
            outcome.withLock { $0 = result }
            if case .success(let birth) = result {
                living.withLock { $0[birth.id] = (birth, life) }
            }
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

    /// The reason why no process could be started.
    package struct SpawnFailure: Error {
        /// The failure, for people.
        package let message: String
    }

    /// The end of the process; nil while it runs.
    package var end: ProcessEnd? { life.state.withLock { $0.end } }

    /// The part of its memory limit that the process had used when it ended, for a sentence; nil
    /// for less than three quarters.
    package var memoryUsed: String? {
        let peak = life.state.withLock { $0.peakMemory }
        guard peak >= confinement.memory / 4 * 3 else { return nil }
        return "\(peak >> 20) of the \(confinement.memory >> 20) MiB of memory that it may use"
    }

    /// Waits for the process's end and its last output; blocks the calling thread.
    package func waitForEnd(_ timeout: Duration) -> ProcessEnd? {
        let deadline = DispatchTime.now() + .nanoseconds(Int(clamping: timeout.nanoseconds))
        guard life.ended.wait(timeout: deadline) == .success else { return nil }
        // A leftover process may hold the pipe open, so waiting for the output has a limit.
        _ = drained.wait(timeout: .now() + .milliseconds(500))
        return end
    }

    /// Waits until all output of the process was passed on; false when a grandchild still holds the
    /// pipe open.
    package func waitForOutput(_ timeout: Duration) -> Bool {
        drained.wait(timeout: .now() + .nanoseconds(Int(clamping: timeout.nanoseconds))) == .success
    }

    /// Sends a signal to the process and to the processes that it has started.
    package func signal(_ number: Int32) {
        // The signal is sent under the lock, because another process may get the number once this
        // one is reaped.
        life.state.withLock { state in
            if state.end == nil { Glibc.kill(-birth.id, number) }
        }
    }

    /// Waits for the process to exit, then asks it to exit, then kills it; blocks the calling
    /// thread.
    package func stop(patience: Duration) {
        if waitForEnd(patience) != nil { return }
        signal(SIGTERM)
        if waitForEnd(.seconds(1)) != nil { return }
        signal(SIGKILL)
        _ = waitForEnd(.seconds(5))
    }

    /// Ends this process's backends, for a program that ends at once: first as if it had died, and
    /// after 0.7 seconds with SIGKILL, which none can ignore; blocks the calling thread.
    ///
    /// - Parameter isMeant: whether to end the process with an id; all unless given.
    package static func endAll(where isMeant: (Int32) -> Bool = { _ in true }) {
        let lives = living.withLock { living in
            living.filter { isMeant($0.key) }.map { id, one in
                Glibc.kill(-id, SIGHUP)
                return one.life
            }
        }
        let deadline = DispatchTime.now() + .milliseconds(700)
        for life in lives { _ = life.ended.wait(timeout: deadline) }
        living.withLock { living in
            for (id, one) in living where isMeant(id) {
                Glibc.kill(-id, SIGKILL)
                var backend = one.birth.backend
                cposix_end_descendants(&backend)
            }
        }
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

    /// A copy of a descriptor with a number above all of the child's, so that copying one
    /// into place never overwrites another.
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
        let environment = ProcessEnvironment.variables(asked: confinement.environment)
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

/// The processes that are not reaped yet, by their ids.
private let living = Mutex<[pid_t: (birth: Birth, life: Life)]>([:])

/// The identity of a started process.
private struct Birth: Sendable {
    var backend = cposix_backend()
    var id: pid_t { backend.process }
    /// The peak memory of the host's process so far, which the system counts as the child's too.
    var ourMemory: UInt64
}

/// The end of a process.
private final class Life: Sendable {
    let state = Mutex(State())
    let ended = DispatchGroup()

    struct State {
        var end: ProcessEnd?
        /// The peak memory of the process in bytes; 0 if unknown.
        var peakMemory = 0
    }

    init() { ended.enter() }

    func awaitExit(_ birth: Birth) {
        _ = cposix_await_exit(birth.id)
        let peak = cposix_peak_memory(birth.id, birth.ourMemory)
        // The processes that the child has started end with it. Its own group comes first, to
        // leave fewer to look for.
        Glibc.kill(-birth.id, SIGKILL)
        var backend = birth.backend
        cposix_end_descendants(&backend)
        // Another process may get the number once this one is reaped.
        living.withLock { _ = $0.removeValue(forKey: birth.id) }
        state.withLock { state in
            var status: Int32 = -1
            var signal: Int32 = 0
            cposix_reap(birth.id, &status, &signal)
            state.peakMemory = Int(clamping: peak)
            state.end = signal != 0 ? .signal(Int(signal)) : .status(Int(status))
        }
        // The first process of a namespace comes after the backend: the kernel releases it only
        // when the backend has ended.
        cposix_reap_first(&backend)
        ended.leave()
    }
}

extension Duration {
    /// The duration in nanoseconds, clamped to the range of the type.
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? .max : product &+ attoseconds / 1_000_000_000
    }
}
