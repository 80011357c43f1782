import CaptureKit
import ColorProfiles

/// A sample blended with white: `sample` × alpha + white × (1 − alpha), rounded to nearest.
@inline(__always)
func overWhite(_ sample: UInt8, alpha: UInt8) -> UInt8 {
    let a = UInt32(alpha)
    return UInt8((UInt32(sample) * a + 255 * (255 - a) + 127) / 255)
}

/// A 16-bit sample blended with white, rounded to nearest.
@inline(__always)
func overWhite(_ sample: UInt16, alpha: UInt16) -> UInt16 {
    let a = UInt64(alpha)
    return UInt16((UInt64(sample) * a + 65_535 * (65_535 - a) + 32_767) / 65_535)
}

extension DecodedPage {
    /// Blends a row whose pixels end with an alpha sample with white, as row `y` of the page.
    ///
    /// The samples are of the page's size and in the machine's byte order (little-endian on all we
    /// run on).
    ///
    /// - Parameter way: converts the colors in `source` before.
    func flatten(
        _ source: UnsafeMutableRawBufferPointer, _ way: PageColors? = nil, into y: Int
    ) {
        way?.conversion?.convert(source)
        let output = row(y)
        let colors = format == .rgb8 || format == .rgb16 ? 3 : 1
        let samples = colors + 1
        let isDeep = format == .gray16 || format == .rgb16
        for x in 0..<width {
            if isDeep {
                let alpha = source.loadUnaligned(
                    fromByteOffset: (x * samples + colors) * 2, as: UInt16.self)
                for c in 0..<colors {
                    let sample = source.loadUnaligned(
                        fromByteOffset: (x * samples + c) * 2, as: UInt16.self)
                    output.storeBytes(
                        of: overWhite(sample, alpha: alpha), toByteOffset: (x * colors + c) * 2,
                        as: UInt16.self)
                }
            } else {
                let alpha = source[x * samples + colors]
                for c in 0..<colors {
                    output[x * colors + c] = overWhite(source[x * samples + c], alpha: alpha)
                }
            }
        }
    }
}
