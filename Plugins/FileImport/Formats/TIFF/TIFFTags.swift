import CTIFF
import CaptureKit
import ColorProfiles

/// The tags of a directory that decide how it is read.
struct TIFFTags {
    let width: Int
    let height: Int
    let bits: Int
    let samples: Int
    let photometric: Int
    /// True if the file does not define its samples, so that their number decides.
    let isGuessed: Bool
    /// The meaning of samples beyond the colors: 0 unknown, 1 alpha with multiplied colors, 2
    /// alpha.
    let extraSamples: [Int]
    /// True for inks that are cyan, magenta, yellow and black.
    private let isFourInks: Bool
    let isContiguous: Bool
    let isUnsigned: Bool
    /// Dots per inch; nil where the unit is none or the numbers are nonsense.
    let resolution: Resolution?
    /// The rotation for the stored rows.
    let turn: Turn
    /// The profile of its colors; nil if there is none.
    let colors: ColorSource?
    /// Red, green and blue of each of 256 colors; nil if there is no palette of that size.
    let palette: [UInt8]?
    /// The x and y of the white that L*a*b* is relative to; nil for D50.
    let white: (x: Double, y: Double)?
    /// True for thumbnails and transparency masks.
    let isNoPage: Bool

    /// Reads the tags of the directory `tiff` is at.
    init(_ tiff: OpaquePointer) {
        width = tiff.number(TIFFTAG_IMAGEWIDTH) ?? 0
        height = tiff.number(TIFFTAG_IMAGELENGTH) ?? 0
        bits = tiff.shortNumber(TIFFTAG_BITSPERSAMPLE) ?? 1
        samples = tiff.shortNumber(TIFFTAG_SAMPLESPERPIXEL) ?? 1
        let stated = tiff.statedShortNumber(TIFFTAG_PHOTOMETRIC)
        isGuessed = stated == nil
        photometric = stated ?? Self.likely(samples, tiff.shortNumber(TIFFTAG_COMPRESSION) ?? 1)
        // libtiff guesses the extra samples if it does not know the number of color channels.
        extraSamples = isGuessed ? [] : tiff.shortNumbers(TIFFTAG_EXTRASAMPLES)
        isFourInks =
            (tiff.shortNumber(TIFFTAG_INKSET) ?? Int(INKSET_CMYK)) == Int(INKSET_CMYK)
        isContiguous =
            (tiff.shortNumber(TIFFTAG_PLANARCONFIG) ?? Int(PLANARCONFIG_CONTIG))
            == Int(PLANARCONFIG_CONTIG)
        let format = Int32(tiff.shortNumber(TIFFTAG_SAMPLEFORMAT) ?? Int(SAMPLEFORMAT_UINT))
        isUnsigned = format == SAMPLEFORMAT_UINT || format == SAMPLEFORMAT_VOID
        turn = tiff.shortNumber(TIFFTAG_ORIENTATION).flatMap(Turn.init(rawValue:)) ?? .none
        colors = tiff.profile
        palette = bits == 8 ? tiff.palette : nil
        white = tiff.reals(TIFFTAG_WHITEPOINT, count: 2).map { ($0[0], $0[1]) }
        let kind = Int32(truncatingIfNeeded: tiff.number(TIFFTAG_SUBFILETYPE) ?? 0)
        isNoPage = kind & (FILETYPE_REDUCEDIMAGE | FILETYPE_MASK) != 0

        let unit = Int32(tiff.shortNumber(TIFFTAG_RESOLUTIONUNIT) ?? Int(RESUNIT_INCH))
        if unit != RESUNIT_NONE, let x = tiff.real(TIFFTAG_XRESOLUTION) {
            let scale = unit == RESUNIT_CENTIMETER ? 2.54 : 1
            resolution = plausible(x: x * scale, y: (tiff.real(TIFFTAG_YRESOLUTION) ?? x) * scale)
        } else {
            resolution = nil
        }
    }

    /// The probable meaning of this many samples if the file does not define them: three or more
    /// are color.
    ///
    /// Fewer are gray, and in faxes 0 is white (TIFF 6.0, section 10).
    private static func likely(_ samples: Int, _ compression: Int) -> Int {
        if samples > 2 { return Int(PHOTOMETRIC_RGB) }
        let isFax = (Int(COMPRESSION_CCITTRLE)...Int(COMPRESSION_CCITTFAX4)).contains(compression)
        return Int(isFax ? PHOTOMETRIC_MINISWHITE : PHOTOMETRIC_MINISBLACK)
    }

    /// True where 0 is white.
    var whiteIsZero: Bool { photometric == Int(PHOTOMETRIC_MINISWHITE) }

    /// The meaning of a pixel's first samples; nil if libtiff must convert them.
    var colorSpace: TIFFSamples.ColorSpace? {
        switch photometric {
        case Int(PHOTOMETRIC_MINISWHITE), Int(PHOTOMETRIC_MINISBLACK): .gray
        case Int(PHOTOMETRIC_RGB): .light
        case Int(PHOTOMETRIC_SEPARATED) where isFourInks: .inks
        case Int(PHOTOMETRIC_CIELAB): .lab
        case Int(PHOTOMETRIC_ICCLAB): .shiftedLab
        case Int(PHOTOMETRIC_PALETTE): .palette
        default: nil
        }
    }

    /// True where the picture's own samples are colors, neither gray nor a palette's numbers.
    var isColor: Bool {
        switch photometric {
        case Int(PHOTOMETRIC_MINISWHITE), Int(PHOTOMETRIC_MINISBLACK), Int(PHOTOMETRIC_PALETTE):
            false
        default: true
        }
    }
}

/// The layout of a directory's samples that can be copied unchanged.
struct TIFFLayout {
    /// The frame format the samples already have; nil when libtiff must convert them.
    let directFormat: FrameFormat?

    init(_ tags: TIFFTags) throws(DecodeFault) {
        guard tags.width > 0, tags.height > 0 else {
            throw .damaged("its width or height is missing")
        }
        let isGray =
            tags.samples == 1
            && (tags.whiteIsZero || tags.photometric == Int(PHOTOMETRIC_MINISBLACK))
        let isRGB =
            tags.samples == 3 && tags.photometric == Int(PHOTOMETRIC_RGB) && tags.isContiguous
        guard tags.isUnsigned else {
            throw .unsupported("its samples are \(tags.bits)-bit signed or floating-point numbers")
        }
        directFormat =
            switch (tags.bits, isGray, isRGB) {
            case (1, true, _): .bilevel
            case (8, true, _): .gray8
            case (16, true, _): .gray16
            case (8, _, true): .rgb8
            case (16, _, true): .rgb16
            default: nil
            }
    }
}

extension OpaquePointer {
    /// A tag of 32-bit numbers (`TIFFVGetField`).
    func number(_ tag: Int32) -> Int? {
        var value: UInt32 = 0
        return field(tag, &value) ? Int(value) : nil
    }

    /// A tag of 16-bit numbers, or its default in the standard (`TIFFVGetFieldDefaulted`).
    fileprivate func shortNumber(_ tag: Int32) -> Int? {
        var value: UInt16 = 0
        let found = withUnsafeMutablePointer(to: &value) { pointer in
            withVaList([pointer]) { TIFFVGetFieldDefaulted(self, UInt32(tag), $0) }
        }
        return found == 1 ? Int(value) : nil
    }

    /// A tag of 16-bit numbers that the file has itself.
    fileprivate func statedShortNumber(_ tag: Int32) -> Int? {
        var value: UInt16 = 0
        return field(tag, &value) ? Int(value) : nil
    }

    /// A tag of a list of 16-bit numbers; empty where it is absent.
    fileprivate func shortNumbers(_ tag: Int32) -> [Int] {
        var count: UInt16 = 0
        var values: UnsafeMutablePointer<UInt16>?
        let found = withUnsafeMutablePointer(to: &count) { count in
            withUnsafeMutablePointer(to: &values) { values in
                withVaList([count, values]) { TIFFVGetFieldDefaulted(self, UInt32(tag), $0) }
            }
        }
        guard found == 1, let values else { return [] }
        return (0..<Int(count)).map { Int(values[$0]) }
    }

    /// A tag of this many fractions.
    fileprivate func reals(_ tag: Int32, count: Int) -> [Double]? {
        var values: UnsafeMutablePointer<Float>?
        guard field(tag, &values), let values else { return nil }
        return (0..<count).map { Double(values[$0]) }
    }

    /// The ICC profile of the directory.
    fileprivate var profile: ColorSource? {
        var count: UInt32 = 0
        var bytes: UnsafeMutablePointer<UInt8>?
        let found = withUnsafeMutablePointer(to: &count) { count in
            withUnsafeMutablePointer(to: &bytes) { bytes in
                withVaList([count, bytes]) { TIFFVGetField(self, UInt32(TIFFTAG_ICCPROFILE), $0) }
            }
        }
        guard found == 1, let bytes else { return nil }
        guard Int(count) <= ColorSource.mostBytes else { return .fault(.tooLarge) }
        return .profile(Array(UnsafeBufferPointer(start: bytes, count: Int(count))))
    }

    /// The 256 colors of the directory's palette, in 8 bits.
    fileprivate var palette: [UInt8]? {
        var planes: [UnsafeMutablePointer<UInt16>?] = [nil, nil, nil]
        let found = planes.withUnsafeMutableBufferPointer { planes in
            withVaList((0..<3).map { planes.baseAddress! + $0 }) {
                TIFFVGetField(self, UInt32(TIFFTAG_COLORMAP), $0)
            }
        }
        guard found == 1 else { return nil }
        let colors = (0..<256 * 3).compactMap { planes[$0 % 3]?[$0 / 3] }
        guard colors.count == 256 * 3 else { return nil }
        // Some programs write 8 bits where the standard has 16, and libtiff accepts that.
        let areSmall = colors.allSatisfy { $0 < 256 }
        return colors.map { UInt8(truncatingIfNeeded: areSmall ? $0 : $0 >> 8) }
    }

    /// A tag with fractions.
    fileprivate func real(_ tag: Int32) -> Double? {
        var value: Float = 0
        return field(tag, &value) ? Double(value) : nil
    }

    private func field<Value>(_ tag: Int32, _ value: inout Value) -> Bool {
        withUnsafeMutablePointer(to: &value) { pointer in
            withVaList([pointer]) { TIFFVGetField(self, UInt32(tag), $0) } == 1
        }
    }
}
