import Glibc
import Synchronization

/// The presses of an input device's keys: a camera's button, a foot pedal, a keyboard (`evdev`;
/// `linux/input.h`).
///
/// If the user may not read the device, the error names the group that may.
package final class KeyPresses: Sendable {
    /// The device's path.
    package let path: String
    private let file: OwnedDescriptor
    /// The incomplete part of an event, which a pipe may deliver.
    private let rest = Mutex<[UInt8]>([])

    /// Opens an input device, or a pipe with the same events; earlier presses do not count.
    ///
    /// - Throws: ``CaptureError`` `permissionDenied`, `noSuchDevice`, `inputOutput`; `unsupported`
    ///   for anything else.
    package init(path: String) throws(CaptureError) {
        let raw = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard raw >= 0 else { throw KeyPresses.refusal(errno, path) }
        let file = OwnedDescriptor(raw)
        guard KeyPresses.givesKeys(raw) else {
            throw CaptureError(
                .unsupported, "'\(path)' is not an input device",
                advice: "Name one of those in /dev/input/by-id.")
        }
        self.path = path
        self.file = file
    }

    private static func givesKeys(_ file: Int32) -> Bool {
        var facts = stat()
        if fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFIFO { return true }
        var version: Int32 = 0
        return ioctl(file, asking, &version) == 0
    }

    private static func refusal(_ number: Int32, _ path: String) -> CaptureError {
        switch number {
        case EACCES, EPERM:
            CaptureError(
                .permissionDenied, "You have no permission to read the keys of '\(path)'",
                advice: nodeGroupAdvice(path, usually: "input"))
        case ENOENT, ENODEV, ENXIO:
            CaptureError(
                .noSuchDevice, "There is no input device '\(path)'",
                advice: "Plug it in; /dev/input/by-id lists those that are connected.")
        default:
            CaptureError(
                .inputOutput, "The input device '\(path)' can't be opened: \(systemMessage(number))"
            )
        }
    }

    /// The descriptor to wait for with `poll`.
    package var descriptor: Int32 { file.raw }

    /// Hides the presses from every other program, so that a pedal types nothing elsewhere
    /// (`EVIOCGRAB`).
    ///
    /// - Returns: false for a file that does not allow this, such as a pipe.
    @discardableResult
    package func grab() -> Bool { ioctl(file.raw, KeyPresses.grabbing, CInt(1)) == 0 }

    /// Reads the input that has arrived.
    ///
    /// Returns the number of key presses, or nil once the device is gone.
    package func take() -> Int? {
        var count = 0
        var bytes = [UInt8](repeating: 0, count: 64 * KeyPresses.eventSize)
        while true {
            let got = retryingInterrupts { read(file.raw, &bytes, bytes.count) }
            guard got > 0 else {
                let isGone = got == 0 || errno != EAGAIN
                return isGone && count == 0 ? nil : count
            }
            count += rest.withLock { KeyPresses.presses(in: bytes.prefix(got), after: &$0) }
        }
    }

    /// The number of key presses in some bytes of events; an incomplete event stays in `rest`.
    static func presses(in bytes: ArraySlice<UInt8>, after rest: inout [UInt8]) -> Int {
        rest += bytes
        let whole = rest.count / eventSize * eventSize
        defer { rest.removeFirst(whole) }
        return rest.withUnsafeBytes { events in
            stride(from: 0, to: whole, by: eventSize).count { start in
                // After the time: the kind, the key, and 1 for a press, 2 for its repetition, 0 for
                // its end.
                let end = start + eventSize
                return events.loadUnaligned(fromByteOffset: end - 8, as: UInt16.self) == keyEvent
                    && events.loadUnaligned(fromByteOffset: end - 4, as: Int32.self) == 1
            }
        }
    }

    /// `sizeof(struct input_event)`: a time, kind, code and value.
    static let eventSize = MemoryLayout<timeval>.size + 8
    /// `EV_KEY`.
    private static let keyEvent: UInt16 = 1
    /// `EVIOCGRAB`, `_IOW('E', 0x90, int)`.
    private static let grabbing: UInt = 0x4004_4590
    /// `EVIOCGVERSION`, `_IOR('E', 0x01, int)`.
    private static let asking: UInt = 0x8004_4501
}

/// Advice on how a user gets access to a device's node: through the group that owns it.
///
/// - Parameter usual: the group that usually owns such nodes, for a node that can't be examined.
package func nodeGroupAdvice(_ path: String, usually usual: String) -> String {
    var information = stat()
    var group = usual
    if stat(path, &information) == 0, let entry = getgrgid(information.st_gid) {
        group = String(cString: entry.pointee.gr_name)
    }
    return group == "root"
        ? "Only root may open \(path); add a udev rule that gives it to the group \(usual)."
        : "Join the group \(group) (sudo usermod -aG \(group) \"$USER\"), then log in again."
}
