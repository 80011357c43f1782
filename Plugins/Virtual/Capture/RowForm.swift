import CaptureKit

/// Converts rows of 8-bit samples to the bytes of a frame: format, lightness and mirroring.
struct RowForm: Sendable {
    let format: FrameFormat
    private let threshold: UInt8
    private let isMirrored: Bool
    /// The new value of each sample; nil if all stay unchanged.
    private let tones: [UInt8]?

    /// The form that `settings` choose.
    ///
    /// A device without a mode `bilevel` or a depth has 8 bits a sample.
    ///
    /// - Parameter format: a page's format instead of the one in the settings.
    init(_ settings: Settings, as format: FrameFormat? = nil) {
        let isDeep = settings.integer("depth") == 16
        self.format =
            if let format {
                format
            } else {
                switch settings.text("mode") {
                case "bilevel": .bilevel
                case "color": isDeep ? .rgb16 : .rgb8
                default: isDeep ? .gray16 : .gray8
                }
            }
        threshold = UInt8(clamping: settings.integer("threshold"))
        isMirrored = settings.isOn("mirror")
        tones = RowForm.tones(
            brightness: settings.number("brightness"), contrast: settings.number("contrast"))
    }

    /// Samples a pixel has before they are packed.
    var channels: Int { format == .rgb8 || format == .rgb16 ? 3 : 1 }

    /// Contrast turns the line of tones around its middle, and brightness raises it; 100 % of
    /// either is the whole range.
    private static func tones(brightness: Double, contrast: Double) -> [UInt8]? {
        guard brightness != 0 || contrast != 0 else { return nil }
        // −100 % gives uniform gray. +100 % would be a vertical line, so the line is slightly less
        // steep.
        let slope = contrast <= 0 ? 1 + contrast / 100 : 1 / max(1 - contrast / 100, 1.0 / 255)
        return (0..<256).map {
            let value = (Double($0) - 127.5) * slope + 127.5 + brightness * 2.55
            return UInt8(min(255, max(0, value.rounded())))
        }
    }

    /// Turns a row of samples, which it may change, into `format.minimumStride(width:)` bytes at
    /// `bytes`.
    func pack(
        _ samples: UnsafeMutableBufferPointer<UInt8>, width: Int,
        into bytes: UnsafeMutableRawBufferPointer
    ) {
        if let tones {
            for index in samples.indices { samples[index] = tones[Int(samples[index])] }
        }
        if isMirrored { mirror(samples, width: width) }
        switch format {
        case .gray8, .rgb8:
            bytes.copyMemory(from: UnsafeRawBufferPointer(samples))
        case .gray16, .rgb16:
            // v × 257 spreads 0…255 over 0…65,535, and its two bytes are alike.
            for (index, sample) in samples.enumerated() {
                bytes[2 * index] = sample
                bytes[2 * index + 1] = sample
            }
        case .bilevel:
            for byte in 0..<format.minimumStride(width: width) {
                var bits: UInt8 = 0
                for x in 8 * byte..<min(width, 8 * byte + 8) where samples[x] < threshold {
                    bits |= 0x80 >> UInt8(x & 7)
                }
                bytes[byte] = bits
            }
        // `init` never chooses these; LiveForm makes them from rows of rgb8.
        case .yuyv, .uyvy, .nv12, .jpeg: preconditionFailure("rows are never \(format)")
        }
    }

    private func mirror(_ samples: UnsafeMutableBufferPointer<UInt8>, width: Int) {
        for x in 0..<width / 2 {
            for channel in 0..<channels {
                samples.swapAt(channels * x + channel, channels * (width - 1 - x) + channel)
            }
        }
    }
}
