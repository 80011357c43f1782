import CLittleCMS

/// The kind of samples that a pixel has.
public enum SampleKind: Hashable, Sendable {
    /// One sample of brightness.
    case gray
    /// Red, green and blue.
    case light
    /// Cyan, magenta, yellow and black: 0 means no ink.
    case inks
    /// Cyan, magenta, yellow and black: 0 is the most ink, as Adobe's JPEG files store it.
    case invertedInks
    /// CIE L*a*b* of D50, in 16 bits as ICC profiles of version 4 encode it.
    case lab

    /// The number of samples in a pixel.
    public var count: Int {
        switch self {
        case .gray: 1
        case .light, .lab: 3
        case .inks, .invertedInks: 4
        }
    }

    /// The kind of a converted pixel: gray stays gray, and everything else becomes red, green and
    /// blue.
    public var converted: SampleKind { self == .gray ? .gray : .light }

    /// The four letters for the color space of such samples in a profile's header.
    var signature: StaticString {
        switch self {
        case .gray: "GRAY"
        case .light: "RGB "
        case .inks, .invertedInks: "CMYK"
        case .lab: "Lab "
        }
    }

    /// The format of such pixels in Little CMS's notation.
    func format(bytes: Int, further: Int) -> cmsUInt32Number {
        let space =
            switch self {
            case .gray: PT_GRAY
            case .light: PT_RGB
            case .inks, .invertedInks: PT_CMYK
            case .lab: PT_Lab
            }
        return copystand_lcms_format(
            UInt32(space), UInt32(count), UInt32(further), UInt32(bytes),
            self == .invertedInks ? 1 : 0)
    }
}
