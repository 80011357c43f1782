import CaptureKit

/// One picture, decoded: packed rows of `gray8` or `rgb8`, with its original JPEG.
struct StillPicture: Sendable {
    let format: FrameFormat
    let size: FrameSize
    let pixels: [UInt8]
    let original: EncodedOriginal?

    /// Decodes a frame that arrived in this form.
    ///
    /// - Throws: ``CaptureError`` `damagedData` when it can't be decoded.
    init(_ bytes: UnsafeRawBufferPointer, _ form: FrameForm) throws(CaptureError) {
        size = form.size
        switch form.route {
        case .native(.jpeg):
            let picture = JPEGTables.completed(Array(bytes)) + JPEGEnds.missing(in: bytes)
            let (pixels, found) = try JPEGStill.decode(picture)
            guard found == form.size else {
                throw CaptureError(
                    .damagedData, "a picture of \(found) arrived instead of one of \(form.size)")
            }
            format = .rgb8
            self.pixels = pixels
            original = EncodedOriginal(mediaType: "image/jpeg", bytes: picture)
        case .native(.gray8), .native(.rgb8), .swapped:
            let isGray = form.route == .native(.gray8)
            format = isGray ? .gray8 : .rgb8
            var packed = RowCopy.packed(
                bytes, form, bytesPerPixel: isGray ? 1 : 3, isSwapped: form.route == .swapped)
            LevelChange(form)?.stretch(&packed)
            pixels = packed
            original = nil
        case .native:
            format = .rgb8
            pixels = VideoColors(form).rgb(bytes)
            original = nil
        case .converted:
            throw CaptureError(
                .internalFault, "\(form.format) is decoded by libv4lconvert, and not here")
        }
    }

    /// A picture that libv4lconvert made.
    init(rgb pixels: [UInt8], _ form: FrameForm) {
        format = .rgb8
        size = form.size
        self.pixels = pixels
        original = nil
    }

    /// The description for the host.
    var description: FrameDescription {
        FrameDescription(
            format: format, width: size.width, height: size.height, facts: PageFacts(origin: .photo)
        )
    }
}
