import CaptureKit
import ColorProfiles

/// Makes sRGB pixels of samples of 8 or 16 bits that lie side by side: gray, color, inks, L*a*b* or
/// a palette's numbers, and further ones.
///
/// A further sample is alpha only if the file declares it: scanners store infrared there, and
/// programs store masks. Libtiff's own conversion always treats the first one as alpha.
struct TIFFSamples {
    /// The meaning of one of a pixel's extra samples (TIFF 6.0, ExtraSamples).
    enum Alpha {
        /// None of the extra samples is alpha.
        case none
        /// The sample of that number is alpha.
        case own(Int)
        /// The sample of that number is alpha, by which the colors are already multiplied.
        case multiplied(Int)
    }

    /// The meaning of the first samples.
    enum ColorSpace {
        case gray, light, inks
        /// The number of a color in a palette.
        case palette
        /// L*a*b* whose a* and b* have a sign (TIFF 6.0, section 23).
        case lab
        /// L*a*b* as in ICC profiles of version 2 (TIFF technical note 4).
        case shiftedLab

        /// The kind of samples for a color conversion.
        var kind: SampleKind {
            switch self {
            case .gray: .gray
            case .light, .palette: .light
            case .inks: .inks
            case .lab, .shiftedLab: .lab
            }
        }

        /// The number of stored samples.
        var storedCount: Int { self == .palette ? 1 : kind.count }
    }

    let space: ColorSpace
    let samples: Int
    let isDeep: Bool
    let isInverted: Bool
    let alpha: Alpha
    /// The conversion to sRGB.
    let colors: PageColors
    private let white: LabWhite?
    /// The palette's colors, red, green and blue of each; empty where there is none.
    private let palette: [UInt8]

    /// The format of the delivered pixels.
    var format: FrameFormat {
        space == .gray ? (isDeep ? .gray16 : .gray8) : (isDeep ? .rgb16 : .rgb8)
    }

    /// The samples of a directory; nil for another kind.
    init?(_ tags: TIFFTags) {
        guard tags.bits == 8 || tags.bits == 16, let space = tags.colorSpace,
            tags.samples >= space.storedCount
        else { return nil }
        // Libtiff reads palettes without further samples, and refuses those of 16 bits.
        if space == .palette {
            guard tags.bits == 8, tags.samples > 1, let palette = tags.palette else { return nil }
            self.palette = palette
        } else {
            palette = []
        }
        self.space = space
        samples = tags.samples
        isDeep = tags.bits == 16
        isInverted = tags.whiteIsZero
        let own = space.storedCount
        if let index = tags.extraSamples.firstIndex(of: 2), own + index < samples {
            alpha = .own(own + index)
        } else if let index = tags.extraSamples.firstIndex(of: 1), own + index < samples {
            alpha = .multiplied(own + index)
        } else {
            alpha = .none
        }
        white = space.kind == .lab ? tags.white.flatMap { LabWhite(x: $0.x, y: $0.y) } : nil
        colors = PageColors(
            space.kind == .lab ? .lab : tags.colors, space.kind, isDeep: isDeep)
    }

    /// Bytes of a row of `width` pixels as stored.
    func rowBytes(width: Int) -> Int { width * samples * (isDeep ? 2 : 1) }

    /// Draws `width` pixels of `source` to `target`, both at their first pixel.
    func draw(
        _ source: UnsafeRawBufferPointer, width: Int, to target: UnsafeMutableRawBufferPointer
    ) {
        if let conversion = colors.conversion {
            let count = space.kind.count
            let most = space.kind == .lab ? 65_535 : most
            var row = [UInt8](repeating: 0, count: width * count * (most > 255 ? 2 : 1))
            row.withUnsafeMutableBytes { row in
                for x in 0..<width {
                    for part in 0..<count {
                        row.put(own(part, of: x, source), at: x * count + part, most)
                    }
                    if let white { adapt(x * count, of: row, to: white) }
                }
                conversion.convert(UnsafeRawBufferPointer(row), to: target)
            }
        } else {
            for x in 0..<width {
                for part in 0..<shown {
                    target.put(light(part, of: x, source), at: x * shown + part, most)
                }
            }
        }
        layOverWhite(source, width: width, target)
    }

    private var most: Int { isDeep ? 65_535 : 255 }
    private var shown: Int { space == .gray ? 1 : 3 }

    /// A sample in the form for conversions: not multiplied with alpha, and white is the greatest
    /// value.
    ///
    /// L*a*b* has 16 bits, as ICC profiles of version 4 encode it.
    private func own(_ part: Int, of x: Int, _ source: UnsafeRawBufferPointer) -> Int {
        if space == .palette { return color(part, of: x, source) }
        var value = source.sample(x * samples + part, most)
        if isInverted { value = most - value }
        if case .multiplied(let index) = alpha {
            let alpha = source.sample(x * samples + index, most)
            value = alpha == 0 ? most : min(most, (value * most + alpha / 2) / alpha)
        }
        guard space.kind == .lab else { return value }
        // a* and b* with a sign are 0 in the middle; those of 16 bits count in 1/256.
        if part > 0, space == .lab { value ^= most / 2 + 1 }
        if !isDeep { return value * 257 }
        let isWhole = part == 0 && space == .lab
        return isWhole ? value : min(most, value * 257 / 256)
    }

    /// Converts L*a*b* at a sample and the two after it to another white.
    private func adapt(_ first: Int, of row: UnsafeMutableRawBufferPointer, to white: LabWhite) {
        let color = white.adapted(
            SIMD3(
                UInt16(row.sample(first, 65_535)), UInt16(row.sample(first + 1, 65_535)),
                UInt16(row.sample(first + 2, 65_535))))
        for part in 0..<3 { row.put(Int(color[part]), at: first + part, 65_535) }
    }

    /// A part of the palette's color that a pixel names.
    private func color(_ part: Int, of x: Int, _ source: UnsafeRawBufferPointer) -> Int {
        Int(palette[source.sample(x * samples, most) * 3 + part])
    }

    /// Red, green or blue of a pixel, if the file does not define its colors.
    private func light(_ part: Int, of x: Int, _ source: UnsafeRawBufferPointer) -> Int {
        if space == .palette { return color(part, of: x, source) }
        let value = source.sample(x * samples + part, most)
        guard space == .inks else { return isInverted ? most - value : value }
        let white = most - source.sample(x * samples + 3, most)
        return ((most - value) * white + most / 2) / most
    }

    private func layOverWhite(
        _ source: UnsafeRawBufferPointer, width: Int, _ target: UnsafeMutableRawBufferPointer
    ) {
        let index: Int
        let isMultiplied: Bool
        switch alpha {
        case .none: return
        case .own(let sample): (index, isMultiplied) = (sample, false)
        // A conversion has undone the multiplication, and a palette can't be multiplied.
        case .multiplied(let sample):
            (index, isMultiplied) = (sample, colors.conversion == nil && space != .palette)
        }
        for x in 0..<width {
            let clear = most - source.sample(x * samples + index, most)
            guard clear > 0 else { continue }
            for at in x * shown..<(x + 1) * shown {
                let light = target.sample(at, most)
                target.put(
                    isMultiplied
                        ? min(most, light + clear)
                        : (light * (most - clear) + most * clear + most / 2) / most, at: at, most)
            }
        }
    }
}
