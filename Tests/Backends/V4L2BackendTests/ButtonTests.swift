import CaptureKit
import ContractSupport
import Glibc
import Testing

@testable import V4L2Backend

/// Tests the button on a camera with recorded events in a pipe, since a test can't press a button.
@Suite struct ButtonTests {
    /// A system's folders for a camera at a USB port and its input devices.
    private struct System {
        let temporary = try! TemporaryFolder()
        var folder = CameraFolder()

        /// - Parameter inputs: the folders of event nodes below the USB device's port.
        init(inputs: [String]) throws {
            let root = temporary.path
            folder.system = root + "/class"
            folder.inputs = root + "/input"
            for path in ["bus/1-4/1-4:1.0", "class/video0", "input"] + inputs.map({ "bus/" + $0 }) {
                _ = try run("mkdir -p '\(root)/\(path)'")
            }
            symlink(root + "/bus/1-4/1-4:1.0", root + "/class/video0/device")
        }

        var path: String? { CameraButton.path(of: "/dev/video0", folder) }
    }

    @Test(
        "The button is an input of the same USB device, never of another one",
        arguments: [
            (["1-4/1-4:1.0/input/input12/event7"], "event7"),
            // The button has a separate interface, behind the HID driver.
            (["1-4/1-4:1.2/0003:1BCF:2281.0004/input/input9/event3"], "event3"),
            (["1-4/1-4:1.0/input/input9/event10", "1-4/1-4:1.2/input/input3/event9"], "event9"),
            ([], nil), (["1-3/1-3:1.0/input/input4/event1"], nil),
            // A keyboard behind the camera's hub.
            (["1-4/1-4.1/1-4.1:1.0/input/input5/event2"], nil),
            (["1-4/1-4:1.0/input/input12/mouse0"], nil),
        ] as [([String], String?)])
    func place(_ inputs: [String], _ expected: String?) throws {
        let system = try System(inputs: inputs)
        #expect(system.path == expected.map { system.folder.inputs + "/" + $0 })
    }

    /// An event as the kernel writes it on machines of 64 bits: seconds, microseconds, kind, code,
    /// value.
    private static func event(_ kind: UInt16, _ code: UInt16, _ value: Int32) -> [UInt8] {
        var bytes = [UInt8](repeating: 7, count: 16)
        withUnsafeBytes(of: kind) { bytes += $0 }
        withUnsafeBytes(of: code) { bytes += $0 }
        withUnsafeBytes(of: value) { bytes += $0 }
        return bytes
    }

    /// A press and a release of KEY_CAMERA, each with its EV_SYN.
    private static let press =
        event(1, 212, 1) + event(0, 0, 0) + event(1, 212, 0) + event(0, 0, 0)

    @Test("A press since the last reading of the options is reported once", .needsCamera)
    func pressed() async throws {
        let system = try System(inputs: ["1-4/1-4:1.0/input/input12/event7"])
        let pipe = system.folder.inputs + "/event7"
        try #require(mkfifo(pipe, 0o600) == 0)
        let double = try CameraDouble([["GREY-8x6@30.bin": Clips.raw(48) { $1 }]])
        var folder = system.folder
        folder.nodes = double.nodes
        let camera = try await V4L2Backend(folder).open(double.node())
        let writer = open(pipe, O_WRONLY | O_NONBLOCK)
        try #require(writer >= 0)
        defer { close(writer) }
        func button() async throws -> DeviceOption? {
            try await camera.options().first { $0.name == "button" }
        }
        let before = try #require(try await button())
        #expect(before.sensor == .button && before.isReadOnly && before.isActive)
        #expect(before.value == .bool(false))
        // Repetitions and other kinds of events are not presses.
        try #require(write(writer, Self.event(1, 212, 2) + Self.event(4, 4, 1), 48) == 48)
        #expect(try await button()?.value == .bool(false))
        // An event may come in two parts.
        try #require(write(writer, Self.press, 10) == 10)
        #expect(try await button()?.value == .bool(false))
        try #require(write(writer, Array(Self.press.dropFirst(10)), 86) == 86)
        #expect(try await button()?.value == .bool(true))
        #expect(try await button()?.value == .bool(false))
        await #expect(throws: CaptureError.self) {
            _ = try await camera.set("button", to: .bool(true))
        }
    }

    @Test("A button that the user may not read is reported with the group that may")
    func refused() throws {
        let system = try System(inputs: ["1-4/1-4:1.0/input/input12/event7"])
        // Root may read everything, so here the node is missing. The pedal's tests cover the
        // message for a node that may not be read.
        let button = try #require(CameraButton(of: "/dev/video0", system.folder))
        let option = button.option()
        #expect(!option.isActive)
        #expect(option.help.contains("event7"))
        let advice = nodeGroupAdvice("/dev/null", usually: "input")
        #expect(advice.contains("udev rule that gives it to the group input"))
    }
}
