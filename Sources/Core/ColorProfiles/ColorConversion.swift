import CLittleCMS
import Dispatch

/// A conversion from the colors of a file to sRGB, with Little CMS: perceptual intent, without
/// black point compensation, as ImageMagick does by default.
///
/// Unchecked because the transform is never changed after `init`: `cmsDoTransform` keeps its cache
/// on its own stack.
public final class ColorConversion: @unchecked Sendable {
    private let transform: cmsHTRANSFORM
    private let sourceBytes: Int
    private let targetBytes: Int
    /// The converted value of each level of gray; empty for other kinds.
    private let levels: [UInt16]

    /// The conversion for pixels of a kind; nil if it would change no level of 8 bits by more than
    /// one, as for sRGB itself.
    ///
    /// - Parameters:
    ///   - source: the colors that the file names.
    ///   - kind: the samples of a pixel.
    ///   - isDeep: true for samples of 16 bits in the machine's byte order, false for 8 bits;
    ///     L*a*b* always has 16.
    ///   - further: the number of further samples in a pixel, such as alpha, which stay unchanged;
    ///     only for ``convert(_:)``.
    public init?(
        from source: ColorSource, _ kind: SampleKind, isDeep: Bool, further: Int = 0
    ) throws(ProfileFault) {
        let bytes = isDeep ? 2 : 1
        let sourceDepth = kind == .lab ? 2 : bytes
        let from = try source.opened(for: kind)
        defer { cmsCloseProfile(from.handle) }
        guard let to = OpenProfile.sRGB(kind.converted) else { throw .damaged }
        defer { cmsCloseProfile(to.handle) }
        // Little CMS's fast way is exact for a matrix in 8 bits. For everything else it is a coarse
        // table, up to 20 levels off.
        let isSimple = kind == .light && !isDeep && cmsIsMatrixShaper(from.handle) != 0
        guard
            let transform = cmsCreateTransform(
                from.handle, kind.format(bytes: sourceDepth, further: further), to.handle,
                kind.converted.format(bytes: bytes, further: further),
                UInt32(INTENT_PERCEPTUAL), isSimple ? 0 : UInt32(cmsFLAGS_NOOPTIMIZE))
        else { throw .damaged }
        self.transform = transform
        levels = kind == .gray ? Self.levels(of: transform, isDeep: isDeep, further: further) : []
        sourceBytes = (kind.count + further) * sourceDepth
        targetBytes = (kind.converted.count + further) * bytes
        if kind == .gray || kind == .light,
            isIdentity(samples: kind.count, further: further, isDeep: isDeep)
        {
            return nil
        }
    }

    deinit { cmsDeleteTransform(transform) }

    /// Converts pixels in place; only for gray and light.
    public func convert(_ pixels: UnsafeMutableRawBufferPointer) {
        guard !pixels.isEmpty, sourceBytes == targetBytes else { return }
        // Each band is used by one thread only.
        nonisolated(unsafe) let start = pixels.baseAddress!
        if !levels.isEmpty { return convertGrays(pixels) }
        inBands(of: pixels.count / sourceBytes) { first, count in
            cmsDoTransform(
                self.transform, start + first * self.sourceBytes, start + first * self.sourceBytes,
                UInt32(count))
        }
    }

    /// Converts as many pixels as fit into both buffers, in the machine's byte order.
    public func convert(_ source: UnsafeRawBufferPointer, to target: UnsafeMutableRawBufferPointer)
    {
        guard !source.isEmpty, !target.isEmpty else { return }
        if !levels.isEmpty {
            let count = min(source.count, target.count)
            target.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[..<count]))
            return convertGrays(UnsafeMutableRawBufferPointer(rebasing: target[..<count]))
        }
        nonisolated(unsafe) let from = source.baseAddress!
        nonisolated(unsafe) let to = target.baseAddress!
        inBands(of: min(source.count / sourceBytes, target.count / targetBytes)) { first, count in
            cmsDoTransform(
                self.transform, from + first * self.sourceBytes, to + first * self.targetBytes,
                UInt32(count))
        }
    }

    /// The converted value of each level of gray, without further samples.
    private static func levels(
        of transform: cmsHTRANSFORM, isDeep: Bool, further: Int
    ) -> [UInt16] {
        let step = 1 + further
        guard isDeep else {
            var pixels = (0...255).flatMap { [UInt8($0)] + [UInt8](repeating: 0, count: further) }
            pixels.withUnsafeMutableBytes {
                cmsDoTransform(transform, $0.baseAddress, $0.baseAddress, 256)
            }
            return stride(from: 0, to: pixels.count, by: step).map { UInt16(pixels[$0]) }
        }
        var pixels = (0...65_535).flatMap { [UInt16($0)] + [UInt16](repeating: 0, count: further) }
        pixels.withUnsafeMutableBytes {
            cmsDoTransform(transform, $0.baseAddress, $0.baseAddress, 65_536)
        }
        return stride(from: 0, to: pixels.count, by: step).map { pixels[$0] }
    }

    private func convertGrays(_ pixels: UnsafeMutableRawBufferPointer) {
        levels.withUnsafeBufferPointer { levels in
            if levels.count == 256 {
                for at in stride(from: 0, to: pixels.count, by: sourceBytes) {
                    pixels[at] = UInt8(levels[Int(pixels[at])])
                }
            } else {
                for at in stride(from: 0, to: pixels.count - 1, by: sourceBytes) {
                    let level = pixels.loadUnaligned(fromByteOffset: at, as: UInt16.self)
                    pixels.storeBytes(of: levels[Int(level)], toByteOffset: at, as: UInt16.self)
                }
            }
        }
    }

    /// The pixels in a band: enough that starting a thread costs little in comparison.
    private static let band = 1 << 16

    private func inBands(of count: Int, _ body: @Sendable (_ first: Int, _ count: Int) -> Void) {
        guard count > Self.band else { return body(0, count) }
        DispatchQueue.concurrentPerform(iterations: (count + Self.band - 1) / Self.band) { index in
            body(index * Self.band, min(Self.band, count - index * Self.band))
        }
    }

    /// The number of levels per sample that show whether a conversion changes anything.
    private static let steps = 9

    /// True if the conversion changes no color of a grid, and no gray, by more than a level of 8
    /// bits.
    private func isIdentity(samples: Int, further: Int, isDeep: Bool) -> Bool {
        var colors = (0..<256).map { [UInt8](repeating: UInt8($0), count: samples) }
        if samples == 3 {
            let levels = (0..<Self.steps).map { UInt8($0 * 255 / (Self.steps - 1)) }
            for red in levels {
                for green in levels { colors += levels.map { [red, green, $0] } }
            }
        }
        // A deep sample repeats the byte of its level.
        let width = isDeep ? 2 : 1
        var pixels = colors.flatMap { color in
            (color + [UInt8](repeating: 255, count: further)).flatMap {
                [UInt8](repeating: $0, count: width)
            }
        }
        let before = pixels
        pixels.withUnsafeMutableBytes { convert($0) }
        // The high byte of a deep sample comes second.
        return stride(from: width - 1, to: pixels.count, by: width).allSatisfy {
            abs(Int(pixels[$0]) - Int(before[$0])) <= 1
        }
    }
}
