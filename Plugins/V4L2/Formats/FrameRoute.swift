import CaptureKit

/// How frames of a pixel format reach the host.
enum FrameRoute: Hashable, Sendable {
    /// Frames stay as the camera made them.
    case native(FrameFormat)
    /// Frames become `rgb8`; red and blue change places.
    case swapped
    /// Libv4lconvert converts frames to `rgb8`.
    case converted

    /// The route of a format; nil for one that can't be decoded here, such as H.264.
    init?(_ format: FourCC) {
        switch format {
        case .motionJPEG, .jpeg: self = .native(.jpeg)
        case .yuyv: self = .native(.yuyv)
        case .uyvy: self = .native(.uyvy)
        case .nv12: self = .native(.nv12)
        case .grey: self = .native(.gray8)
        case .rgb24: self = .native(.rgb8)
        case .bgr24: self = .swapped
        default:
            guard FrameRoute.convertible.contains(format) else { return nil }
            self = .converted
        }
    }

    /// Formats that libv4lconvert decodes besides those above; the library can't list them.
    private static let convertible: Set<FourCC> = [
        "YU12", "YV12", "YVYU", "VYUY", "NV16", "NV61", "422P", "HM12", "RGBP", "RGBR", "Y16 ",
        "Y10B", "Y6",
        "Y4", "BA81", "GBRG", "GRBG", "RGGB", "PJPG", "JPGL", "S501", "S505", "S508", "S561",
        "905C",
        "MRCG", "310A", "PIXF", "E625", "K232", "K244", "VKE4", "BT56", "HSV3", "HSV4", "RX24",
        "BX24",
        "BGR4", "RGB4", "SOTE",
    ].reduce(into: []) { $0.insert(FourCC(text: $1)) }

    /// The rank among equally fast formats: cheap reading counts first, then color before gray.
    var rank: Int {
        switch self {
        case .native(.nv12): 0
        case .native(.yuyv): 1
        case .native(.uyvy): 2
        case .native(.rgb8): 3
        case .swapped: 4
        case .native(.jpeg): 5
        case .converted: 6
        default: 7
        }
    }

    /// True when a frame is a JPEG picture.
    var isCompressed: Bool { self == .native(.jpeg) }

    /// True when frames have colors.
    var hasColor: Bool { self != .native(.gray8) }
}

extension FourCC {
    /// The format whose characters `text` has.
    fileprivate init(text: String) {
        let letters = Array(text.utf8.prefix(4))
        let filled = letters + Array(repeating: 32, count: 4 - letters.count)
        self.init(
            rawValue: filled.enumerated().reduce(0) {
                $0 | UInt32($1.element) << UInt32(8 * $1.offset)
            })
    }
}
