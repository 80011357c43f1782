import CSANE
import CaptureKit
import Glibc

/// Listens to the messages of the kernel and udev about USB devices that come and go (netlink,
/// `NETLINK_KOBJECT_UEVENT`).
enum DeviceEvents {
    /// The time without a message after which a change counts as complete: plugging in causes a
    /// dozen messages, and udev sets permissions last.
    private static let quiet = Duration.milliseconds(800)

    /// Calls `onChange`, on a separate thread, after devices were added or removed; never if the
    /// system does not report them.
    static func watch(_ onChange: @escaping @Sendable () -> Void) {
        let raw = csane_device_events()
        guard raw >= 0 else {
            return report(
                "newly connected devices are not noticed: \(systemMessage())")
        }
        let socket = OwnedDescriptor(raw)
        startThread("device-events") { listen(socket, onChange) }
    }

    private static func listen(_ socket: OwnedDescriptor, _ onChange: () -> Void) {
        var message = [UInt8](repeating: 0, count: 16 << 10)
        var due: ContinuousClock.Instant?
        while true {
            var descriptor = pollfd(fd: socket.raw, events: Int16(POLLIN), revents: 0)
            let wait = due.map { max(.zero, $0 - .now) }
            let milliseconds = wait.map { Int32($0 / .milliseconds(1)) + 1 } ?? -1
            if poll(&descriptor, 1, milliseconds) < 0, errno != EINTR { return }
            if descriptor.revents != 0 {
                let count = recv(socket.raw, &message, message.count, 0)
                // Too many messages at once (ENOBUFS) mean that many devices changed.
                if count < 0 ? errno == ENOBUFS : isAboutUSB(message.prefix(count)) {
                    due = .now + quiet
                }
                if count < 0, ![ENOBUFS, EINTR, EAGAIN].contains(errno) { return }
            } else if let moment = due, moment <= .now {
                due = nil
                onChange()
            }
        }
    }

    /// True for a message about a USB device that was added, removed, or made ready by udev.
    ///
    /// A message is texts such as `ACTION=add` and `SUBSYSTEM=usb`, each ended by a zero byte;
    /// udev's begin with a header.
    static func isAboutUSB(_ message: some Collection<UInt8>) -> Bool {
        let texts = Set(message.split(separator: 0).map { String(decoding: $0, as: UTF8.self) })
        let actions = ["add", "remove", "bind", "unbind", "change"].map { "ACTION=\($0)" }
        return texts.contains("SUBSYSTEM=usb") && texts.contains("DEVTYPE=usb_device")
            && actions.contains { texts.contains($0) }
    }
}
