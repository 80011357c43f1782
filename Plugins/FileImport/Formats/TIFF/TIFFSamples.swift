import CaptureKit

/// Makes pixels of samples of 8 or 16 bits that lie side by side: gray, colour or inks, and further ones.
///
/// Of the further samples one is alpha only where the file says so: scanners keep infrared there, and programs masks. Libtiff's own
/// conversion takes the first for alpha whatever it is.
struct TIFFSamples {
    /// What one of a pixel's further samples is (TIFF 6.0, ExtraSamples).
    enum Alpha {
        /// None of them is alpha.
        case none
        /// The sample of that number is alpha.
        case own(Int)
        /// The same, and the colours are multiplied with it.
        case multiplied(Int)
    }

    /// What the first samples are.
    enum Colours: Int { case gray = 1, light = 3, inks = 4 }

    let colours: Colours
    let samples: Int
    let isDeep: Bool
    let isInverted: Bool
    let alpha: Alpha

    /// How pixels are delivered.
    var format: FrameFormat {
        colours == .gray ? (isDeep ? .gray16 : .gray8) : (isDeep ? .rgb16 : .rgb8)
    }

    /// The samples of a directory; nil where they are of another kind.
    init?(_ tags: TIFFTags) {
        guard tags.bits == 8 || tags.bits == 16 else { return nil }
        switch tags.colourKind {
        case .gray where tags.samples >= 1: colours = .gray
        case .light where tags.samples >= 3: colours = .light
        case .inks where tags.samples >= 4: colours = .inks
        default: return nil
        }
        samples = tags.samples
        isDeep = tags.bits == 16
        isInverted = tags.whiteIsZero
        let own = colours.rawValue
        if let index = tags.extraSamples.firstIndex(of: 2), own + index < samples {
            alpha = .own(own + index)
        } else if let index = tags.extraSamples.firstIndex(of: 1), own + index < samples {
            alpha = .multiplied(own + index)
        } else {
            alpha = .none
        }
    }

    /// Bytes of a row of `width` pixels as stored.
    func rowBytes(width: Int) -> Int { width * samples * (isDeep ? 2 : 1) }

    /// Draws `width` pixels of `source` to `target`, both at their first pixel.
    func draw(
        _ source: UnsafeRawBufferPointer, width: Int, to target: UnsafeMutableRawBufferPointer
    ) {
        let shown = colours == .gray ? 1 : 3
        let most = isDeep ? 65_535 : 255
        for x in 0..<width {
            let pixel = x * samples
            let clear: Int
            let isMultiplied: Bool
            switch alpha {
            case .none: (clear, isMultiplied) = (0, false)
            case .own(let index):
                (clear, isMultiplied) = (most - value(source, pixel + index), false)
            case .multiplied(let index):
                (clear, isMultiplied) = (most - value(source, pixel + index), true)
            }
            for part in 0..<shown {
                var light = value(source, pixel + part)
                if colours == .inks {
                    let white = most - value(source, pixel + 3)
                    light = ((most - light) * white + most / 2) / most
                } else if isInverted {
                    light = most - light
                }
                if clear > 0 {
                    light =
                        isMultiplied
                        ? min(most, light + clear)
                        : (light * (most - clear) + most * clear + most / 2) / most
                }
                if isDeep {
                    target.storeBytes(
                        of: UInt16(light).littleEndian, toByteOffset: (x * shown + part) * 2,
                        as: UInt16.self)
                } else {
                    target[x * shown + part] = UInt8(light)
                }
            }
        }
    }

    @inline(__always)
    private func value(_ bytes: UnsafeRawBufferPointer, _ sample: Int) -> Int {
        isDeep
            ? Int(bytes.loadUnaligned(fromByteOffset: sample * 2, as: UInt16.self).littleEndian)
            : Int(bytes[sample])
    }
}
