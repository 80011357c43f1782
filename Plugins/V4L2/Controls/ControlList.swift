import CV4L2

/// Asks a camera for its controls.
enum ControlList {
    /// More than any camera has: a driver that answers endlessly is abandoned.
    private static let most = 512

    /// The controls that can be options; those with several values are left out, because only
    /// programs set them.
    static func read(_ file: Int32, reserved: [String]) -> [CameraControl] {
        var controls: [CameraControl] = []
        var group = "Controls"
        var last: UInt32 = 0
        for _ in 0..<most {
            var query = v4l2_query_ext_ctrl()
            query.id = last | V4L2_CTRL_FLAG_NEXT_CTRL
            guard retried({ cv4l2_query_control(file, &query) }) == 0, query.id > last else {
                break
            }
            last = query.id
            if query.type == V4L2_CTRL_TYPE_CTRL_CLASS.rawValue {
                group = text(query.name)
            } else if let control = control(query, group, file) {
                controls.append(control)
            }
        }
        return named(controls, reserved: reserved)
    }

    private static func control(
        _ query: v4l2_query_ext_ctrl, _ group: String, _ file: Int32
    ) -> CameraControl? {
        let skipped = UInt32(V4L2_CTRL_FLAG_DISABLED) | UInt32(V4L2_CTRL_FLAG_HAS_PAYLOAD)
        guard query.flags & skipped == 0, query.nr_of_dims == 0, let kind = kind(query, file) else {
            return nil
        }
        let title = text(query.name)
        return CameraControl(
            id: query.id, name: ControlNames.name(query.id, title: title), title: title,
            group: group, kind: kind, standard: query.default_value, flags: query.flags)
    }

    private static func kind(_ query: v4l2_query_ext_ctrl, _ file: Int32) -> CameraControl.Kind? {
        switch v4l2_ctrl_type(query.type) {
        case V4L2_CTRL_TYPE_BOOLEAN: return .toggle
        case V4L2_CTRL_TYPE_BUTTON: return .button
        case V4L2_CTRL_TYPE_INTEGER, V4L2_CTRL_TYPE_INTEGER64:
            guard query.minimum <= query.maximum else { return nil }
            let step = Int64(clamping: max(query.step, 1))
            let isWide = query.type == V4L2_CTRL_TYPE_INTEGER64.rawValue
            return .integer(query.minimum...query.maximum, step: step, isWide: isWide)
        case V4L2_CTRL_TYPE_BITMASK:
            // The bits define the range, because a mask is a number of 32 bits.
            let most = Int64(UInt32(truncatingIfNeeded: query.maximum))
            return most <= Int64(Int32.max) ? .integer(0...most, step: 1, isWide: false) : nil
        case V4L2_CTRL_TYPE_MENU: return menu(query, file, ofNumbers: false)
        case V4L2_CTRL_TYPE_INTEGER_MENU: return menu(query, file, ofNumbers: true)
        default: return nil
        }
    }

    private static func menu(
        _ query: v4l2_query_ext_ctrl, _ file: Int32, ofNumbers: Bool
    ) -> CameraControl.Kind? {
        guard query.minimum >= 0, query.maximum >= query.minimum, query.maximum < 1024 else {
            return nil
        }
        var entries: [CameraControl.Entry] = []
        for value in query.minimum...query.maximum {
            var name = [CChar](repeating: 0, count: 33)
            var number: Int64 = 0
            let answer = retried {
                cv4l2_menu_entry(file, query.id, UInt32(value), &name, &number)
            }
            guard answer == 0 else { continue }
            // A driver's control characters must not reach a terminal.
            let letters = name.prefix { $0 != 0 }.map {
                $0 > 0 && $0 < 32 ? 32 : UInt8(bitPattern: $0)
            }
            var text = String(decoding: letters, as: UTF8.self)
            // Entries with the same name could not be distinguished.
            if entries.contains(where: { $0.name == text }) { text += " (\(value))" }
            if ofNumbers && entries.contains(where: { $0.number == number }) { continue }
            entries.append(CameraControl.Entry(value: value, name: text, number: number))
        }
        if entries.isEmpty { return nil }
        return ofNumbers ? .numberMenu(entries) : .menu(entries)
    }

    /// Controls with the same name get numbers.
    private static func named(
        _ controls: [CameraControl], reserved: [String]
    ) -> [CameraControl] {
        var taken = Set(reserved)
        return controls.map { control in
            var control = control
            var number = 2
            let name = control.name
            while !taken.insert(control.name).inserted {
                control.name = "\(name)-\(number)"
                number += 1
            }
            return control
        }
    }
}
