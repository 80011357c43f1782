import CPosix
import Glibc
import Synchronization

/// Waits for a file to have something to read, such as keys of a terminal or of an input device,
/// until it is stopped.
///
/// It waits in `poll` on a thread of its own. `DispatchSource.makeReadSource` does not work if the
/// other end may go away, as a pedal that is unplugged does: on Linux, libdispatch may free what it
/// keeps of a file while it still reports the hangup to a listener (`_dispatch_event_merge_fd`),
/// which ends the program.
package final class InputWatch: Sendable {
    /// Closing it wakes the thread; nil once stopped.
    private let stopping: Mutex<OwnedDescriptor?>

    /// Begins to wait.
    ///
    /// - Parameters:
    ///   - descriptor: What is waited for; `onInput` keeps it open.
    ///   - onInput: Reads what is there, or learns that the other end is gone; false when nothing
    ///     more is waited for. It is called on the thread.
    /// - Throws: ``CaptureError`` `inputOutput` where the process has no descriptor left.
    package init(
        _ name: String, of descriptor: Int32, onInput: @escaping @Sendable () -> Bool
    ) throws(CaptureError) {
        var ends: [Int32] = [-1, -1]
        guard cposix_pipe(&ends) == 0 else {
            throw CaptureError(
                .inputOutput, "Key presses can't be received: \(systemMessage())",
                advice: "Allow more open files with: ulimit -n 1024")
        }
        let stopped = OwnedDescriptor(ends[0])
        stopping = Mutex(OwnedDescriptor(ends[1]))
        startThread(name) {
            repeat {
                var waiting = [
                    pollfd(fd: stopped.raw, events: 0, revents: 0),
                    pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                ]
                let count = retryingInterrupts { poll(&waiting, 2, -1) }
                guard count > 0, waiting[0].revents == 0 else { return }
            } while onInput()
        }
    }

    /// Ends the wait; input that arrives at this moment may still be reported.
    package func stop() { stopping.withLock { $0 = nil } }

    deinit { stop() }
}
