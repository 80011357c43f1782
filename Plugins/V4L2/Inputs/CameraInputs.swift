import CV4L2
import CaptureKit
import Glibc

/// The connectors of a grabber, and the timings of the digital signal that comes in
/// (`VIDIOC_S_INPUT`, `VIDIOC_S_DV_TIMINGS`); its calls block.
///
/// An HDMI grabber has a picture only after the timings of its signal are set. So unless the user
/// chose others, the detected ones are set at every opening and before each capture.
struct CameraInputs {
    /// The names of their options.
    static let inputName = "input", timingsName = "timings"
    private static let automatic = "automatic"
    /// More than any device has: a driver that answers endlessly is abandoned.
    private static let most: UInt32 = 512

    /// A connector, as its driver calls it.
    private struct Input {
        var number: Int32
        var name: String
        var hasTimings: Bool
        var status: UInt32
    }

    let node: CameraNode
    /// The timings that someone chose; nil to follow the signal.
    private(set) var chosenTimings: String?

    /// The inputs of a camera's node, with the timings that were chosen before.
    init(_ node: CameraNode, timings: String? = nil) {
        self.node = node
        chosenTimings = timings
    }

    // MARK: As options

    /// The options: `input` where there is a choice, `timings` where the input takes a digital
    /// signal.
    func options() -> [DeviceOption] {
        let inputs = inputs()
        var options: [DeviceOption] = []
        if inputs.count > 1 {
            options.append(
                DeviceOption(
                    name: Self.inputName, title: "Input",
                    help: "The connector that the picture comes from.",
                    group: "Picture", type: .choice(inputs.map(\.name)),
                    value: current(inputs).map { .text($0.name) }))
        }
        if current(inputs)?.hasTimings == true {
            var now = cv4l2_timings()
            let isSet = retried { cv4l2_get_timings(node.file.raw, &now) } == 0
            options.append(
                DeviceOption(
                    name: Self.timingsName, title: "Timings",
                    help: "Size and rate of the digital signal"
                        + (isSet ? ", \(now.name) now" : "")
                        + "; '\(Self.automatic)' detects them.",
                    group: "Picture", type: .choice([Self.automatic] + listed().map(\.name)),
                    defaultValue: .text(Self.automatic),
                    value: .text(chosenTimings ?? Self.automatic), isAdvanced: true))
        }
        return options
    }

    /// Sets one of these options; false for any other name.
    ///
    /// The modes must be read again after it.
    ///
    /// - Throws: ``CaptureError`` `invalidValue`, `busy` while another program uses the camera.
    mutating func set(_ name: String, to value: OptionValue) throws(CaptureError) -> Bool {
        guard [Self.inputName, Self.timingsName].contains(name) else { return false }
        guard case .text(let text) = value else {
            throw CaptureError(.invalidValue, "Option '\(name)' takes another kind of value")
        }
        if name == Self.inputName {
            try choose(input: text)
        } else {
            try choose(timings: text)
        }
        return true
    }

    private mutating func choose(input text: String) throws(CaptureError) {
        guard let input = inputs().first(where: { $0.name == text }) else {
            throw refusal(Self.inputName, text)
        }
        guard retried({ cv4l2_set_input(node.file.raw, input.number) }) == 0 else {
            throw CameraFault.error(errno, node.name, "be switched to the input '\(text)'")
        }
        chosenTimings = nil
        followSignal()
    }

    private mutating func choose(timings text: String) throws(CaptureError) {
        if text == Self.automatic {
            chosenTimings = nil
            followSignal()
            return
        }
        var timings = cv4l2_timings()
        guard let found = listed().first(where: { $0.name == text }) else {
            throw refusal(Self.timingsName, text)
        }
        let answer = retried { cv4l2_listed_timings(node.file.raw, found.index, 1, &timings) }
        guard answer == 0 else {
            throw CameraFault.error(errno, node.name, "be set to \(text)")
        }
        chosenTimings = text
    }

    private func refusal(_ name: String, _ text: String) -> CaptureError {
        CaptureError(.invalidValue, "Option '\(name)' does not accept '\(text.prefix(80))'")
    }

    // MARK: The signal

    /// Sets the timings of the incoming signal, unless the user chose others; without a signal,
    /// nothing changes.
    ///
    /// - Returns: true when the size of the pictures may have changed with it.
    @discardableResult
    func followSignal() -> Bool {
        guard chosenTimings == nil, current(inputs())?.hasTimings == true else { return false }
        var (before, after) = (cv4l2_timings(), cv4l2_timings())
        let hadTimings = retried { cv4l2_get_timings(node.file.raw, &before) } == 0
        guard retried({ cv4l2_detected_timings(node.file.raw, 0, &after) }) == 0,
            !hadTimings || before.name != after.name
        else { return false }
        return retried { cv4l2_detected_timings(node.file.raw, 1, &after) } == 0
    }

    /// Refuses to stream without a signal.
    ///
    /// - Throws: ``CaptureError`` `offline`.
    func checkSignal() throws(CaptureError) {
        guard let input = current(inputs()), input.status & Self.silent != 0 else { return }
        throw CaptureError(
            .offline, "The input '\(input.name)' of '\(node.name)' has no signal",
            advice:
                "Switch on what is connected to it, or choose another one with: --set \(Self.inputName)=…"
        )
    }

    private static let silent = UInt32(
        V4L2_IN_ST_NO_POWER | V4L2_IN_ST_NO_SIGNAL | V4L2_IN_ST_NO_SYNC | V4L2_IN_ST_NO_EQU
            | V4L2_IN_ST_NO_CARRIER)

    // MARK: Asking

    private func inputs() -> [Input] {
        var found: [Input] = []
        for index in 0..<Self.most {
            var name = [CChar](repeating: 0, count: 33)
            var (capabilities, status): (UInt32, UInt32) = (0, 0)
            let answer = retried {
                cv4l2_enumerate_input(node.file.raw, index, &name, &capabilities, &status)
            }
            guard answer == 0 else { break }
            let letters = name.prefix { $0 != 0 }.map {
                $0 > 0 && $0 < 32 ? 32 : UInt8(bitPattern: $0)
            }
            var text = String(decoding: letters, as: UTF8.self)
            // Two timings with the same name could not be distinguished.
            if text.isEmpty || found.contains(where: { $0.name == text }) { text += " (\(index))" }
            found.append(
                Input(
                    number: Int32(index), name: text,
                    hasTimings: capabilities & UInt32(V4L2_IN_CAP_DV_TIMINGS) != 0, status: status))
        }
        return found
    }

    private func current(_ inputs: [Input]) -> Input? {
        var number: Int32 = 0
        guard retried({ cv4l2_get_input(node.file.raw, &number) }) == 0 else { return nil }
        return inputs.first { $0.number == number }
    }

    /// The timings the driver lists, each name once.
    private func listed() -> [(index: UInt32, name: String)] {
        var found: [(index: UInt32, name: String)] = []
        for index in 0..<Self.most {
            var timings = cv4l2_timings()
            let answer = retried { cv4l2_listed_timings(node.file.raw, index, 0, &timings) }
            guard answer == 0 else { break }
            let name = timings.name
            if !found.contains(where: { $0.name == name }) { found.append((index, name)) }
        }
        return found
    }
}

extension cv4l2_timings {
    /// The name people know: `1920x1080p60`, `1280x720p59.94`.
    var name: String {
        let hundredths = rate.isFinite ? Int((min(max(rate, 0), 1e6) * 100).rounded()) : 0
        let (whole, part) = (hundredths / 100, hundredths % 100)
        let digits = part % 10 == 0 ? "\(part / 10)" : part < 10 ? "0\(part)" : "\(part)"
        let rest = part == 0 ? "" : "." + digits
        return "\(width)x\(height)\(is_interlaced != 0 ? "i" : "p")\(whole)\(rest)"
    }
}
