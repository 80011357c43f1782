import CommandLine
import Delivery
import Glibc
import Processes
import Synchronization

/// The program between its arguments and its exit code.
enum Program {
    /// The version, as `--version` and the man page show it.
    static let version = "0.1.0"
    /// The date of the man page, in mdoc's form.
    static let date = "November 21, 2026"

    /// The first SIGINT or SIGTERM stops cleanly, the second immediately.
    static let interrupts = Interrupts(exit: {
        RawTerminal.restore()
        if PartialFiles.removeAll() > 0 {
            Console().warn("Stopped at once. What was captured is listed by: copystand jobs")
        }
        ChildProcess.endAll()
        // The job may have begun another file meanwhile.
        _ = PartialFiles.removeAll()
        _exit($0)
    })

    /// Stops deliveries some seconds after the first signal, so that no sink can delay the exit.
    static let deliveryStop = DeliveryStop()

    private static let uploadListener = Mutex<(@Sendable (Outbox.Upload) -> Void)?>(nil)

    /// Reports uploads of all outboxes to `listener`, which replaces the previous one.
    static func onUploads(_ listener: @escaping @Sendable (Outbox.Upload) -> Void) {
        uploadListener.withLock { $0 = listener }
    }

    /// Reports the progress of an upload to its display.
    static func notify(_ upload: Outbox.Upload) { uploadListener.withLock { $0 }?(upload) }
}
