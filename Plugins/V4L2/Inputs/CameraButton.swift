import CaptureKit
import Glibc
import Synchronization

/// The button on a camera, which the system shows as an input device of the same USB device; it is
/// read on request.
///
/// `uvcvideo` makes such an input device itself; on other cameras the button is an interface of its
/// own, like a small keyboard.
final class CameraButton: Sendable {
    /// The name of the option.
    static let optionName = "button"

    private let path: String
    private let keys: Mutex<KeyPresses?>
    private let refusal: CaptureError?

    /// The button of the camera at `node`; nil when it has none.
    init?(of node: String, _ folder: CameraFolder) {
        guard let path = CameraButton.path(of: node, folder) else { return nil }
        self.path = path
        do throws(CaptureError) {
            keys = Mutex(try KeyPresses(path: path))
            refusal = nil
        } catch {
            keys = Mutex(nil)
            refusal = error
        }
    }

    /// An option that is on if the button was pressed since the last call; the option of an
    /// unreadable button is not active.
    func option() -> DeviceOption {
        let pressed = keys.withLock { keys in
            let count = keys?.take()
            // The button is gone, with its camera.
            if count == nil { keys = nil }
            return count ?? 0
        }
        let help =
            refusal.map { [$0.message, $0.advice ?? ""].joined(separator: ". ") }
            ?? "The camera's own button (\(path)). During a watch, pressing it captures a page."
        return DeviceOption(
            name: CameraButton.optionName, title: "Button", help: help, group: "Picture",
            type: .toggle, value: .bool(pressed > 0), isActive: refusal == nil, isReadOnly: true,
            sensor: .button)
    }

    /// The input device that belongs to the same USB device as a camera's node: the one with the
    /// lowest number.
    static func path(of node: String, _ folder: CameraFolder) -> String? {
        let name = (folder.resolved(node) ?? node).split(separator: "/").last.map(String.init)
        guard let name, let interface = folder.resolved("\(folder.system)/\(name)/device"),
            let slash = interface.lastIndex(of: "/")
        else { return nil }
        // An interface is named after its device, followed by its number, "1-4:1.0"; the folders of
        // devices behind a hub have no colon.
        let (device, last) = (interface[..<slash], interface[interface.index(after: slash)...])
        guard let colon = last.firstIndex(of: ":") else { return nil }
        let prefix = last[...colon]
        let events = folderNames(String(device)).filter { $0.hasPrefix(prefix) }
            .flatMap { inputs(below: "\(device)/\($0)", depth: 3) }
        return events.min().map { "\(folder.inputs)/event\($0)" }
    }

    /// The numbers of the `event` nodes of the input devices in a folder of the system's.
    private static func inputs(below folder: String, depth: Int) -> [Int] {
        folderNames(folder).flatMap { name -> [Int] in
            if name.hasPrefix("event"), let number = Int(name.dropFirst("event".count)) {
                return [number]
            }
            // The search descends into folders of inputs, and into folders of drivers between them,
            // such as that of a HID device.
            let isInput = name == "input" || name.hasPrefix("input")
            guard depth > 0, isInput || name.contains(":") else { return [] }
            return inputs(below: "\(folder)/\(name)", depth: depth - 1)
        }
    }
}
