import CV4L2

/// Finds the automatic control that must be manual before another control takes effect.
///
/// On some drivers, writing a control that an automatic mode governs fails with EACCES, and others
/// silently undo it. So the automatic control is switched first.
enum Automatics {
    /// An automatic control, with those of its values that leave another control to the user, best
    /// first.
    struct Governor: Hashable, Sendable {
        var id: UInt32
        var manual: [Int64]
    }

    /// The controls that govern a control; empty for most controls.
    static func governors(of id: UInt32) -> [Governor] {
        switch Int32(bitPattern: id) {
        case V4L2_CID_EXPOSURE_ABSOLUTE:
            // Manual comes first, then shutter priority, which lets the user set the time as well.
            [exposure([1, 2])]
        case V4L2_CID_IRIS_ABSOLUTE:
            // Manual, then aperture priority.
            [exposure([1, 3])]
        case V4L2_CID_GAIN: [switched(V4L2_CID_AUTOGAIN), exposure([1])]
        case V4L2_CID_EXPOSURE: [exposure([1]), switched(V4L2_CID_AUTOGAIN)]
        case V4L2_CID_FOCUS_ABSOLUTE: [switched(V4L2_CID_FOCUS_AUTO)]
        case V4L2_CID_WHITE_BALANCE_TEMPERATURE, V4L2_CID_RED_BALANCE, V4L2_CID_BLUE_BALANCE:
            [switched(V4L2_CID_AUTO_WHITE_BALANCE)]
        case V4L2_CID_HUE: [switched(V4L2_CID_HUE_AUTO)]
        case V4L2_CID_BRIGHTNESS: [switched(V4L2_CID_AUTOBRIGHTNESS)]
        default: []
        }
    }

    private static func exposure(_ manual: [Int64]) -> Governor {
        Governor(id: UInt32(V4L2_CID_EXPOSURE_AUTO), manual: manual)
    }

    private static func switched(_ id: Int32) -> Governor {
        Governor(id: UInt32(id), manual: [0])
    }
}
