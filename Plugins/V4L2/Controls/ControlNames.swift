import CV4L2

/// The names of controls as options.
///
/// Kernels have renamed controls over the years, so the controls that people set have fixed names;
/// all others have the driver's.
enum ControlNames {
    /// The option's name for a control that the driver calls `title`.
    static func name(_ id: UInt32, title: String) -> String {
        if let name = known[id] { return name }
        var name = ""
        for letter in title.lowercased().utf8 {
            switch letter {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                name.unicodeScalars.append(Unicode.Scalar(letter))
            default:
                if !name.isEmpty && !name.hasSuffix("-") { name += "-" }
            }
        }
        while name.hasSuffix("-") { name.removeLast() }
        return name.isEmpty ? "control-" + String(id, radix: 16) : name
    }

    private static let known: [UInt32: String] = [
        V4L2_CID_BRIGHTNESS: "brightness", V4L2_CID_CONTRAST: "contrast",
        V4L2_CID_SATURATION: "saturation", V4L2_CID_HUE: "hue", V4L2_CID_HUE_AUTO: "hue-auto",
        V4L2_CID_GAMMA: "gamma", V4L2_CID_GAIN: "gain", V4L2_CID_AUTOGAIN: "gain-auto",
        V4L2_CID_SHARPNESS: "sharpness", V4L2_CID_EXPOSURE: "exposure-level",
        V4L2_CID_AUTO_WHITE_BALANCE: "white-balance-auto",
        V4L2_CID_WHITE_BALANCE_TEMPERATURE: "white-balance",
        V4L2_CID_RED_BALANCE: "red-balance", V4L2_CID_BLUE_BALANCE: "blue-balance",
        V4L2_CID_POWER_LINE_FREQUENCY: "power-line-frequency",
        V4L2_CID_BACKLIGHT_COMPENSATION: "backlight-compensation",
        V4L2_CID_HFLIP: "mirror", V4L2_CID_VFLIP: "flip", V4L2_CID_ROTATE: "rotate",
        V4L2_CID_ILLUMINATORS_1: "light", V4L2_CID_ILLUMINATORS_2: "light-2",
        V4L2_CID_EXPOSURE_AUTO: "exposure-auto", V4L2_CID_EXPOSURE_ABSOLUTE: "exposure",
        V4L2_CID_EXPOSURE_AUTO_PRIORITY: "exposure-auto-priority",
        V4L2_CID_FOCUS_AUTO: "focus-auto", V4L2_CID_FOCUS_ABSOLUTE: "focus",
        V4L2_CID_ZOOM_ABSOLUTE: "zoom", V4L2_CID_PAN_ABSOLUTE: "pan",
        V4L2_CID_TILT_ABSOLUTE: "tilt", V4L2_CID_IRIS_ABSOLUTE: "iris",
    ].reduce(into: [:]) { $0[UInt32($1.key)] = $1.value }

    /// The help for the controls that people set on a document camera.
    static func help(_ id: UInt32) -> String {
        switch Int32(bitPattern: id) {
        case V4L2_CID_EXPOSURE_ABSOLUTE:
            "How long a frame is exposed, in units of 0.1 ms; setting it makes exposure manual."
        case V4L2_CID_EXPOSURE_AUTO: "Whether the camera or you set exposure time and aperture."
        case V4L2_CID_EXPOSURE_AUTO_PRIORITY:
            "Whether longer exposure in the dark may lower the frame rate."
        case V4L2_CID_FOCUS_ABSOLUTE:
            "The distance of focus, from near to far or the reverse; setting it makes focus manual."
        case V4L2_CID_FOCUS_AUTO: "Whether the camera focuses continuously."
        case V4L2_CID_WHITE_BALANCE_TEMPERATURE:
            "The color of the light, in kelvins; setting it makes white balance manual."
        case V4L2_CID_AUTO_WHITE_BALANCE: "Whether the camera adjusts white balance continuously."
        case V4L2_CID_GAIN:
            "How much the sensor's signal is amplified: more is brighter and noisier."
        case V4L2_CID_POWER_LINE_FREQUENCY:
            "The mains frequency, to prevent flicker under lamps."
        case V4L2_CID_ZOOM_ABSOLUTE: "How much the lens magnifies."
        case V4L2_CID_ILLUMINATORS_1, V4L2_CID_ILLUMINATORS_2: "The camera's own lamp."
        default: ""
        }
    }
}
