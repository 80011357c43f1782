import CPosix
import Glibc
import Synchronization

/// Watches a file, such as a terminal or an input device, for something to read.
///
/// A separate thread waits in `poll`. `DispatchSource.makeReadSource` fails if the other end goes
/// away, as when a pedal is unplugged: on Linux, libdispatch may free its data about a file while
/// it still reports the hangup to a listener (`_dispatch_event_merge_fd`), which ends the program.
package final class InputWatch: Sendable {
    /// Closing this descriptor wakes the thread; nil once stopped.
    private let stopping: Mutex<OwnedDescriptor?>

    /// Starts to watch.
    ///
    /// - Parameters:
    ///   - descriptor: the file to watch, which `onInput` keeps open.
    ///   - onInput: called on the thread when there is something to read or the other end is gone;
    ///     returns false to stop watching.
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

    /// Stops watching; input that arrives at this moment may still be reported.
    package func stop() { stopping.withLock { $0 = nil } }

    deinit { stop() }
}
