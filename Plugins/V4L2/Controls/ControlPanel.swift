import CV4L2
import CaptureKit
import Glibc

/// A camera's controls as options: lists and sets them; its calls block.
struct ControlPanel {
    let node: CameraNode
    /// Names that no control may have: those of the camera's other options.
    let reserved: [String]

    /// Every control with its value now.
    func options() -> [DeviceOption] {
        let controls = ControlList.read(node.file.raw, reserved: reserved)
        let known = Set(controls.map(\.id))
        return controls.map { control in
            // A control that an automatic one governs can be set anyway, which switches the
            // automatic one off.
            let canSwitch = Automatics.governors(of: control.id).contains { known.contains($0.id) }
            return DeviceOption(
                name: control.name, title: control.title, help: ControlNames.help(control.id),
                group: control.group, type: control.type,
                defaultValue: control.isReadOnly ? nil : control.option(for: control.standard),
                value: control.isWriteOnly ? nil : value(control).flatMap(control.option(for:)),
                isActive: (!control.isInactive || canSwitch) && !control.isGrabbed,
                isReadOnly: control.isReadOnly, isAdvanced: !isBasic(control))
        }
    }

    /// The names of the controls that people set on a document camera, without their automatic
    /// ones.
    var names: [String] {
        ControlList.read(node.file.raw, reserved: reserved).filter {
            isBasic($0) && !$0.isReadOnly && !$0.name.contains("-auto")
        }.map(\.name)
    }

    /// Sets a control; its automatic control becomes manual first.
    ///
    /// - Returns: nil when no control has this name.
    /// - Throws: ``CaptureError`` `invalidValue`, and the driver's errors.
    func set(_ name: String, to value: OptionValue) throws(CaptureError) -> OptionOutcome? {
        let controls = ControlList.read(node.file.raw, reserved: reserved)
        guard let control = controls.first(where: { $0.name == name }) else { return nil }
        guard !control.isReadOnly else {
            throw CaptureError(.invalidValue, "Option '\(name)' is read-only and can't be set")
        }
        guard let number = control.value(for: value) else {
            throw CaptureError(
                .invalidValue, "Option '\(name)' does not accept the value \(words(value))")
        }
        let governors = Automatics.governors(of: control.id)
        var isSwitched = false
        for governor in governors where control.isInactive {
            isSwitched = makeManual(governor, among: controls) || isSwitched
        }
        var failure = write(control, number)
        if [EACCES, EBUSY, EIO].contains(failure), !isSwitched {
            // A driver that does not mark controlled options refuses the change.
            for governor in governors {
                isSwitched = makeManual(governor, among: controls) || isSwitched
            }
            if isSwitched { failure = write(control, number) }
        }
        guard failure == 0 else { throw refusal(failure, control, number) }
        let taken = control.isWriteOnly ? nil : self.value(control).flatMap(control.option(for:))
        return OptionOutcome(
            value: taken ?? value, reloadOptions: isSwitched || governsOthers(control))
    }

    /// Switches an automatic control off, if it exists and is on; true when it changed.
    private func makeManual(
        _ governor: Automatics.Governor, among controls: [CameraControl]
    ) -> Bool {
        guard let control = controls.first(where: { $0.id == governor.id }),
            let now = value(control), !governor.manual.contains(now)
        else { return false }
        return governor.manual.contains { write(control, $0) == 0 }
    }

    private func value(_ control: CameraControl) -> Int64? {
        var value: Int64 = 0
        let answer = retried {
            cv4l2_get_control(node.file.raw, control.id, control.isWide ? 1 : 0, &value)
        }
        return answer == 0 ? value : nil
    }

    /// Writes a value; returns 0 or the error number.
    private func write(_ control: CameraControl, _ value: Int64) -> Int32 {
        let answer = retried {
            cv4l2_set_control(node.file.raw, control.id, control.isWide ? 1 : 0, value)
        }
        return answer == 0 ? 0 : errno
    }

    private func refusal(_ number: Int32, _ control: CameraControl, _ value: Int64) -> CaptureError
    {
        switch number {
        case EACCES:
            CaptureError(
                .invalidValue, "Option '\(control.name)' is controlled by an automatic option now",
                advice: "Set the automatic option to manual first.")
        case ERANGE, EINVAL:
            CaptureError(.invalidValue, "The camera refuses \(value) for option '\(control.name)'")
        case EBUSY:
            CaptureError(
                .busy,
                "Option '\(control.name)' can't be set while another program uses the camera")
        default: CameraFault.error(number, node.name, "be set ('\(control.name)')")
        }
    }

    /// True if setting the control may switch others on or off.
    private func governsOthers(_ control: CameraControl) -> Bool {
        let name = control.name
        return name.hasSuffix("-auto") || control.flags & UInt32(V4L2_CTRL_FLAG_UPDATE) != 0
    }

    private func isBasic(_ control: CameraControl) -> Bool {
        ["exposure", "focus", "zoom", "light", "white-balance", "gain", "brightness", "power-line"]
            .contains { control.name.hasPrefix($0) }
    }

    private func words(_ value: OptionValue) -> String {
        switch value {
        case .bool(let value): value ? "yes" : "no"
        case .integer(let value): "\(value)"
        case .number(let value): "\(value)"
        case .text(let value): "'\(value.prefix(200))'"
        }
    }
}
