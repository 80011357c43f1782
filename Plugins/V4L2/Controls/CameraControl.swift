import CV4L2
import CaptureKit

/// A driver's description of a control (`VIDIOC_QUERY_EXT_CTRL`, `VIDIOC_QUERYMENU`).
struct CameraControl: Hashable, Sendable {
    /// The values that a control accepts.
    enum Kind: Hashable, Sendable {
        case integer(ClosedRange<Int64>, step: Int64, isWide: Bool)
        case toggle
        /// Entries by their values; values in between may be missing.
        case menu([Entry])
        /// Numbers by their values.
        case numberMenu([Entry])
        case button
    }

    /// An entry of a menu.
    struct Entry: Hashable, Sendable {
        var value: Int64
        var name: String
        var number: Int64
    }

    var id: UInt32
    /// The option's name.
    var name: String
    /// The driver's name.
    var title: String
    /// The heading under which the driver lists the control.
    var group: String
    var kind: Kind
    var standard: Int64
    var flags: UInt32

    /// True when an automatic control governs this control now.
    var isInactive: Bool { flags & UInt32(V4L2_CTRL_FLAG_INACTIVE) != 0 }
    /// True when the control only reports a value.
    var isReadOnly: Bool { flags & UInt32(V4L2_CTRL_FLAG_READ_ONLY) != 0 }
    /// True when another program that uses the camera prevents changes.
    var isGrabbed: Bool { flags & UInt32(V4L2_CTRL_FLAG_GRABBED) != 0 }
    /// True when its value can't be asked for.
    var isWriteOnly: Bool { flags & UInt32(V4L2_CTRL_FLAG_WRITE_ONLY) != 0 }

    /// True for a value of 64 bits.
    var isWide: Bool {
        if case .integer(_, _, let isWide) = kind { isWide } else { false }
    }

    /// The control's value for an option's value; nil for an impossible one.
    func value(for option: OptionValue) -> Int64? {
        switch (kind, option) {
        case (.toggle, .bool(let value)): value ? 1 : 0
        case (.button, _): 1
        case (.integer(let range, let step, _), .integer(let value)):
            // Steps are counted from the minimum value, as in the protocol.
            range.contains(Int64(value)) && (Int64(value) - range.lowerBound) % step == 0
                ? Int64(value) : nil
        case (.menu(let entries), .text(let name)): entries.first { $0.name == name }?.value
        case (.numberMenu(let entries), .integer(let number)):
            entries.first { $0.number == Int64(number) }?.value
        default: nil
        }
    }

    /// The option's value for a control's value; nil for an impossible one.
    func option(for value: Int64) -> OptionValue? {
        switch kind {
        case .toggle: .bool(value != 0)
        case .button: nil
        case .integer: Int(exactly: value).map { .integer($0) }
        case .menu(let entries): entries.first { $0.value == value }.map { .text($0.name) }
        case .numberMenu(let entries):
            entries.first { $0.value == value }.map { .integer(Int($0.number)) }
        }
    }

    /// The type of the option.
    var type: OptionType {
        switch kind {
        case .toggle: .toggle
        case .button: .button
        case .integer(let range, let step, _):
            .integer(
                range: Int(range.lowerBound)...Int(range.upperBound),
                step: step > 1 ? Int(step) : nil)
        case .menu(let entries): .choice(entries.map(\.name))
        case .numberMenu(let entries): .integerChoice(entries.map { Int($0.number) })
        }
    }
}
