import CommandLine
import Delivery
import Dispatch
import Glibc

/// Ends the program some seconds after a request to stop, whatever still delays it.
///
/// Everything that is not finished by then is in the spool or in the outbox already, as after `kill
/// -9`.
enum ShutdownDeadline {
    /// Ends the program after this many seconds, unless it has already ended.
    static func start(after seconds: Int, _ console: Console) {
        DispatchQueue(label: "copystand.shutdown-deadline").asyncAfter(
            deadline: .now() + .seconds(seconds)
        ) {
            _ = PartialFiles.removeAll()
            console.warn(
                "Stopped after \(seconds) seconds, with something unfinished. See: copystand jobs, and copystand outbox"
            )
            _exit(ExitCode.done.rawValue)
        }
    }
}
