package import CPictureWriter
package import Imaging

extension PartialFile {
    /// Adds a picture as a PNG, row by row, so that memory never holds the whole file.
    ///
    /// Every format is written unchanged, including 16 bits per sample.
    func append(
        png image: Raster, resolution: (across: Double, down: Double)
    ) throws {
        let sink = Sink(self)
        try withUnsafeTemporaryAllocation(of: CChar.self, capacity: 300) { message in
            func fault() -> any Error {
                sink.fault
                    ?? ImagingError(
                        .libraryFailed,
                        "The picture could not be written as PNG; memory may be short.")
            }
            guard
                let writer = picture_writer_open_sink(
                    picture_png_small, Sink.take, Unmanaged.passUnretained(sink).toOpaque(),
                    UInt32(image.width), UInt32(image.height), image.format.written,
                    resolution.across, resolution.down, 0, message.baseAddress, message.count)
            else { throw fault() }
            let result = image.withBytes { bytes in
                picture_writer_rows(
                    writer, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), image.stride,
                    UInt32(image.height))
            }
            guard result == 0 else {
                picture_writer_abandon(writer)
                throw fault()
            }
            guard picture_writer_finish(writer) == 0 else { throw fault() }
        }
    }

    /// The destination of the writer's bytes, and the error that stopped it.
    private final class Sink {
        private let file: PartialFile
        private(set) var fault: DeliveryError?

        init(_ file: PartialFile) { self.file = file }

        static let take: picture_sink = { context, bytes, count in
            guard let context else { return 0 }
            let sink = Unmanaged<Sink>.fromOpaque(context).takeUnretainedValue()
            guard sink.fault == nil else { return 0 }
            do throws(DeliveryError) {
                try sink.file.append(UnsafeRawBufferPointer(start: bytes, count: count))
                return count
            } catch {
                sink.fault = error
                return 0
            }
        }
    }
}

extension PixelFormat {
    /// The format's name in the picture writer.
    package var written: picture_format {
        switch self {
        case .bilevel: picture_bilevel
        case .gray8: picture_gray8
        case .gray16: picture_gray16
        case .rgb8: picture_rgb8
        case .rgb16: picture_rgb16
        }
    }
}
