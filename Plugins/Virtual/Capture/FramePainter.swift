import CaptureKit

/// Makes the bytes of a picture's rows.
struct FramePainter: Sendable {
    let picture: any RowPicture
    let form: RowForm

    /// Bytes of a row; rows are packed.
    var stride: Int { form.format.minimumStride(width: picture.width) }

    /// The description of the frame for the host.
    var description: FrameDescription {
        FrameDescription(
            format: form.format, width: picture.width, height: picture.height, stride: stride,
            resolution: picture.resolution.map { Resolution(x: $0) }, label: picture.label,
            // A made-up camera has no known scale, but a made-up scanner has one.
            facts: picture.resolution == nil
                ? PageFacts(origin: .photo) : PageFacts(origin: .scan, size: .measured))
    }

    /// Writes `rows` one after another to `bytes`; a row equal to the one above is copied.
    func paint(_ rows: Range<Int>, into bytes: UnsafeMutableRawBufferPointer) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: picture.width * form.channels) {
            samples in
            samples.initialize(repeating: 0)
            var y = rows.lowerBound
            while y < rows.upperBound {
                let place = (y - rows.lowerBound) * stride
                let first = UnsafeMutableRawBufferPointer(rebasing: bytes[place..<place + stride])
                picture.row(y, color: form.channels == 3, into: samples)
                form.pack(samples, width: picture.width, into: first)
                let equal = min(picture.equalRows(from: y), rows.upperBound - y)
                for copy in 1..<max(equal, 1) {
                    bytes.baseAddress?.advanced(by: place + copy * stride)
                        .copyMemory(from: first.baseAddress!, byteCount: stride)
                }
                y += equal
            }
        }
    }
}
