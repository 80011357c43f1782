import CV4L2
import CaptureKit

/// The meaning of a frame's samples as light: their range, and the conversion from red, green and
/// blue.
///
/// Values that a driver does not state have V4L2's defaults (`V4L2_MAP_QUANTIZATION_DEFAULT`,
/// `V4L2_MAP_YCBCR_ENC_DEFAULT`).
struct VideoSignal: Hashable, Sendable {
    /// True for 0…255; false for 16…235, and 16…240 for color.
    var isFullRange: Bool
    /// The fractions of red and of blue in brightness.
    var red: Double
    var blue: Double

    /// ITU-R BT.601 of 16…235, which the frames of the capture protocol have.
    static let standard = VideoSignal(isFullRange: false, red: 0.299, blue: 0.114)

    /// Reads the meaning from the form that a driver agreed to for frames on this route.
    init(_ form: cv4l2_form, _ route: FrameRoute) {
        let encoding = VideoSignal.encoding(form)
        (red, blue) =
            switch encoding {
            case V4L2_YCBCR_ENC_709.rawValue, V4L2_YCBCR_ENC_XV709.rawValue: (0.2126, 0.0722)
            case V4L2_YCBCR_ENC_BT2020.rawValue, V4L2_YCBCR_ENC_BT2020_CONST_LUM.rawValue:
                (0.2627, 0.0593)
            case V4L2_YCBCR_ENC_SMPTE240M.rawValue: (0.212, 0.087)
            default: (0.299, 0.114)
            }
        isFullRange =
            switch form.quantization {
            case V4L2_QUANTIZATION_FULL_RANGE.rawValue: true
            case V4L2_QUANTIZATION_LIM_RANGE.rawValue: false
            default: !route.isYCbCr || form.colorspace == V4L2_COLORSPACE_JPEG.rawValue
            }
    }

    private init(isFullRange: Bool, red: Double, blue: Double) {
        self.isFullRange = isFullRange
        self.red = red
        self.blue = blue
    }

    private static func encoding(_ form: cv4l2_form) -> UInt32 {
        if form.ycbcr != V4L2_YCBCR_ENC_DEFAULT.rawValue { return form.ycbcr }
        return switch form.colorspace {
        case V4L2_COLORSPACE_REC709.rawValue, V4L2_COLORSPACE_DCI_P3.rawValue:
            V4L2_YCBCR_ENC_709.rawValue
        case V4L2_COLORSPACE_BT2020.rawValue: V4L2_YCBCR_ENC_BT2020.rawValue
        case V4L2_COLORSPACE_SMPTE240M.rawValue: V4L2_YCBCR_ENC_SMPTE240M.rawValue
        default: V4L2_YCBCR_ENC_601.rawValue
        }
    }
}

extension FrameRoute {
    /// True when pixels are brightness and two color differences.
    var isYCbCr: Bool {
        switch self {
        case .native(.yuyv), .native(.uyvy), .native(.nv12): true
        default: false
        }
    }
}
