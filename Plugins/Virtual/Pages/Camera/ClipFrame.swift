/// A frame of a clip, converted from Y'CbCr to RGB or gray row by row (ITU-R BT.601).
struct ClipFrame: RowPicture {
    let layout: VideoClip.Layout
    let planes: [UInt8]
    let label: String?

    var width: Int { layout.width }
    var height: Int { layout.height }
    var resolution: Double? { nil }

    func row(_ y: Int, color: Bool, into samples: UnsafeMutableBufferPointer<UInt8>) {
        let lumaRow = y * width
        guard color, let sub = layout.subsampling else {
            for x in 0..<width {
                let gray = clamp(luma(lumaRow + x))
                guard color else {
                    samples[x] = gray
                    continue
                }
                (samples[3 * x], samples[3 * x + 1], samples[3 * x + 2]) = (gray, gray, gray)
            }
            return
        }
        let blueRow = width * height + (y / sub.y) * layout.chromaWidth
        let redRow = blueRow + layout.chromaWidth * layout.chromaHeight
        // Limited range spans 224 steps of chroma where full range spans 255.
        let stretch = layout.isFullRange ? 1 : 255.0 / 224
        for x in 0..<width {
            let l = luma(lumaRow + x)
            let cb = (Double(planes[blueRow + x / sub.x]) - 128) * stretch
            let cr = (Double(planes[redRow + x / sub.x]) - 128) * stretch
            samples[3 * x] = clamp(l + 1.402 * cr)
            samples[3 * x + 1] = clamp(l - 0.344136 * cb - 0.714136 * cr)
            samples[3 * x + 2] = clamp(l + 1.772 * cb)
        }
    }

    private func luma(_ index: Int) -> Double {
        let value = Double(planes[index])
        return layout.isFullRange ? value : (value - 16) * 255 / 219
    }

    private func clamp(_ value: Double) -> UInt8 { UInt8(min(255, max(0, value.rounded()))) }
}
