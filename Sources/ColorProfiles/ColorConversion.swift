import CLittleCMS
import Dispatch

/// A way from the colors of a file to sRGB, with Little CMS: perceptual intent, as the profile has it.
///
/// Unchecked because the transform is only read once it is made: `cmsDoTransform` keeps what it remembers on its own stack.
public final class ColorConversion: @unchecked Sendable {
    private let transform: cmsHTRANSFORM
    private let sourceBytes: Int
    private let targetBytes: Int

    /// The way for pixels of a kind; nil where it would change no level of 8 bits by more than one, as for sRGB itself.
    ///
    /// - Parameters:
    ///   - source: what the file says.
    ///   - kind: what a pixel's samples are.
    ///   - isDeep: true for samples of 16 bits in the machine's order, false for 8.
    ///   - further: samples of a pixel after those, such as alpha, which are left as they are; only for ``convert(_:)``.
    public init?(
        from source: ColorSource, _ kind: SampleKind, isDeep: Bool, further: Int = 0
    ) throws(ProfileFault) {
        let bytes = isDeep ? 2 : 1
        let from = try source.opened(for: kind)
        defer { cmsCloseProfile(from.handle) }
        guard let to = OpenProfile.sRGB(kind.converted) else { throw .damaged }
        defer { cmsCloseProfile(to.handle) }
        guard
            let transform = cmsCreateTransform(
                from.handle, kind.format(bytes: bytes, further: further), to.handle,
                kind.converted.format(bytes: bytes, further: further),
                UInt32(INTENT_PERCEPTUAL), 0)
        else { throw .damaged }
        self.transform = transform
        sourceBytes = (kind.count + further) * bytes
        targetBytes = (kind.converted.count + further) * bytes
        if kind == .gray || kind == .light,
            isIdentity(samples: kind.count, further: further, isDeep: isDeep)
        {
            return nil
        }
    }

    deinit { cmsDeleteTransform(transform) }

    /// Converts pixels in their place; gray and light only.
    public func convert(_ pixels: UnsafeMutableRawBufferPointer) {
        guard !pixels.isEmpty, sourceBytes == targetBytes else { return }
        // Each band is touched by one thread.
        nonisolated(unsafe) let start = pixels.baseAddress!
        inBands(of: pixels.count / sourceBytes) { first, count in
            cmsDoTransform(
                self.transform, start + first * self.sourceBytes, start + first * self.sourceBytes,
                UInt32(count))
        }
    }

    /// Converts as many pixels as both have room for, in the machine's byte order.
    public func convert(_ source: UnsafeRawBufferPointer, to target: UnsafeMutableRawBufferPointer)
    {
        guard !source.isEmpty, !target.isEmpty else { return }
        nonisolated(unsafe) let from = source.baseAddress!
        nonisolated(unsafe) let to = target.baseAddress!
        inBands(of: min(source.count / sourceBytes, target.count / targetBytes)) { first, count in
            cmsDoTransform(
                self.transform, from + first * self.sourceBytes, to + first * self.targetBytes,
                UInt32(count))
        }
    }

    /// Pixels of a band: enough that starting a thread for it costs nothing.
    private static let band = 1 << 18

    private func inBands(of count: Int, _ body: @Sendable (_ first: Int, _ count: Int) -> Void) {
        guard count > Self.band else { return body(0, count) }
        DispatchQueue.concurrentPerform(iterations: (count + Self.band - 1) / Self.band) { index in
            body(index * Self.band, min(Self.band, count - index * Self.band))
        }
    }

    /// Levels of each sample that are tried for an identity.
    private static let steps = 9

    /// Whether no color of a grid, and no gray, changes by more than a level of 8 bits.
    private func isIdentity(samples: Int, further: Int, isDeep: Bool) -> Bool {
        var colors = (0..<256).map { [UInt8](repeating: UInt8($0), count: samples) }
        if samples == 3 {
            let levels = (0..<Self.steps).map { UInt8($0 * 255 / (Self.steps - 1)) }
            for red in levels {
                for green in levels { colors += levels.map { [red, green, $0] } }
            }
        }
        // A deep sample is its level twice.
        let width = isDeep ? 2 : 1
        var pixels = colors.flatMap { color in
            (color + [UInt8](repeating: 255, count: further)).flatMap {
                [UInt8](repeating: $0, count: width)
            }
        }
        let before = pixels
        pixels.withUnsafeMutableBytes { convert($0) }
        // The higher byte of a deep sample comes second.
        return stride(from: width - 1, to: pixels.count, by: width).allSatisfy {
            abs(Int(pixels[$0]) - Int(before[$0])) <= 1
        }
    }
}
