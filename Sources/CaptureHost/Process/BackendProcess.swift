import CPosix
package import CaptureKit
import Dispatch
import Glibc
import Synchronization

/// A backend's process: started with a socket on descriptor 3, in a process group of its own, and reaped when it ends.
///
/// Two threads belong to it: one waits for its end, one drains its output.
package final class BackendProcess: Sendable {
    private let id: pid_t
    private let state = Mutex<ProcessEnd?>(nil)
    private let ended = DispatchGroup()
    private let drained = DispatchGroup()

    /// Starts `program` (`posix_spawn`) and hands each line of its output to `output`.
    ///
    /// It gets `socket` as descriptor 3, `/dev/null` as standard input, and no other descriptor of the host.
    package init(
        program: String, socket: OwnedDescriptor, output: @escaping @Sendable (String) -> Void
    ) throws(SpawnFailure) {
        let pipe = try BackendProcess.pipe()
        id = try BackendProcess.spawn(program, socket: socket, output: pipe.write)
        ended.enter()
        drained.enter()
        startThread("backend-output") { [drained, reader = pipe.read] in
            LineDrain(reader).run(output)
            drained.leave()
        }
        startThread("backend-exit") { self.awaitExit() }
    }

    /// Why no process could be started.
    package struct SpawnFailure: Error {
        /// What failed.
        package let message: String
    }

    /// How the process ended; nil while it runs.
    package var end: ProcessEnd? { state.withLock { $0 } }

    /// Waits for the process's end and its last output; blocks the calling thread.
    package func waitForEnd(_ timeout: Duration) -> ProcessEnd? {
        let deadline = DispatchTime.now() + .nanoseconds(Int(clamping: timeout.nanoseconds))
        guard ended.wait(timeout: deadline) == .success else { return nil }
        // A grandchild may hold the pipe open, so the output is waited for only so long.
        _ = drained.wait(timeout: .now() + .milliseconds(500))
        return end
    }

    /// Sends a signal to the process and to what it has started.
    package func signal(_ number: Int32) {
        // Under the lock, for the number belongs to somebody else once the process is reaped.
        state.withLock { end in
            if end == nil { Glibc.kill(-id, number) }
        }
    }

    /// Waits for the process to exit by itself, then asks, then kills; blocks the calling thread.
    package func stop(patience: Duration) {
        if waitForEnd(patience) != nil { return }
        signal(SIGTERM)
        if waitForEnd(.seconds(1)) != nil { return }
        signal(SIGKILL)
        _ = waitForEnd(.seconds(5))
    }

    private func awaitExit() {
        _ = cposix_await_exit(id)
        state.withLock { end in
            // Whatever it has started and left behind goes with it; until it is reaped its group's number is its own.
            Glibc.kill(-id, SIGKILL)
            var status: Int32 = -1
            var signal: Int32 = 0
            cposix_reap(id, &status, &signal)
            end = signal != 0 ? .signal(Int(signal)) : .status(Int(status))
        }
        ended.leave()
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

    /// A copy of a descriptor that lies above those the child gets, so that placing one never overwrites another.
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
        _ program: String, socket: OwnedDescriptor, output: OwnedDescriptor
    ) throws(SpawnFailure) -> pid_t {
        let socket = try lifted(socket)
        var id = pid_t()
        let failure = cposix_spawn_backend(program, socket.raw, output.raw, &id)
        guard failure == 0 else {
            throw SpawnFailure(message: "'\(program)' can't be started: \(systemMessage(failure))")
        }
        return id
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
