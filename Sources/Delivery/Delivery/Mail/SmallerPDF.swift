import CPDFWriter
import ExpectedFailures
import Glibc
import Imaging

/// A PDF file whose pictures are made smaller; its text and whatever is black and white stay.
struct SmallerPDF {
    /// The factor for the size of every picture, 0…1.
    let scale: Double
    private(set) var longest = 0

    /// Writes the smaller file, the same at every try.
    ///
    /// - Returns: the pixels of the longest side of a picture that was made smaller; 0 for none.
    /// - Throws: ``DeliveryError`` `invalidOption` for a PDF that is encrypted or signed;
    ///   `inputOutput`.
    mutating func write(_ path: String, as goal: String) throws(DeliveryError) -> Int {
        var problem = ""
        let source = PDFSourceFile(path: path) { problem = $0 }
        guard let source else {
            throw DeliveryError(.invalidOption, "The PDF can't be made smaller: \(problem)")
        }
        guard !source.isSigned else {
            throw DeliveryError(
                .invalidOption,
                "The PDF can't be made smaller: it is signed, and a change breaks its signature")
        }
        var message = [CChar](repeating: 0, count: 512)
        let code = withUnsafeMutablePointer(to: &self) { this in
            message.withUnsafeMutableBufferPointer {
                cpdf_shrink(path, goal, shrinkPicture, this, $0.baseAddress)
            }
        }
        guard code == 0 else {
            let bytes = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            throw DeliveryError(
                .inputOutput,
                "The PDF can't be made smaller: \(String(decoding: bytes, as: UTF8.self))")
        }
        return longest
    }

    /// A smaller JPEG of a picture in the file; nil for an unreadable one.
    fileprivate mutating func smaller(_ picture: cpdf_picture) -> (bytes: [UInt8], Raster)? {
        guard let raster = Self.raster(picture) else { return nil }
        let side = Int((Double(max(raster.width, raster.height)) * scale).rounded(.down))
        let small = raster.thumbnail(longSide: max(1, side))
        guard let bytes = ifSupported({ try small.encodedJPEG() }) else { return nil }
        longest = max(longest, side)
        return (bytes, small)
    }

    private static func raster(_ picture: cpdf_picture) -> Raster? {
        let bytes = UnsafeBufferPointer(start: picture.bytes, count: picture.count)
        let format: PixelFormat = picture.components == 1 ? .gray8 : .rgb8
        if picture.is_jpeg != 0 {
            let raster = ifSupported {
                try Raster.decodedJPEG(from: withoutProfiles(Array(bytes)))
            }
            return raster?.format == format ? raster : nil
        }
        let (width, height) = (Int(picture.width), Int(picture.height))
        var raster = Raster(width: width, height: height, format: format, resolution: nil)
        let row = width * Int(picture.components)
        let stride = raster.stride
        raster.withMutableBytes { target in
            for y in 0..<height {
                UnsafeMutableRawBufferPointer(rebasing: target[(y * stride)...]).copyMemory(
                    from: UnsafeRawBufferPointer(
                        rebasing: UnsafeRawBufferPointer(bytes)[
                            (y * row)..<((y + 1) * row)]))
            }
        }
        return raster
    }

    /// A JPEG file without its color profile and similar data, since the PDF defines the colors.
    private static func withoutProfiles(_ bytes: [UInt8]) -> [UInt8] {
        var result = Array(bytes.prefix(2))
        var place = 2
        // Segments of a marker and a length (ITU-T T.81, B.1.1.4) up to the first scan.
        while place + 4 <= bytes.count, bytes[place] == 0xFF, bytes[place + 1] != 0xDA {
            let end = place + 2 + Int(bytes[place + 2]) << 8 + Int(bytes[place + 3])
            guard end <= bytes.count, end > place + 3 else { return bytes }
            if ![0xE1, 0xE2].contains(bytes[place + 1]) { result += bytes[place..<end] }
            place = end
        }
        return result + bytes[place...]
    }
}

private func shrinkPicture(
    _ context: UnsafeMutableRawPointer?, _ picture: UnsafePointer<cpdf_picture>?,
    _ goal: UnsafeMutablePointer<cpdf_smaller>?
) {
    guard let context, let picture, let goal,
        let (bytes, raster) = context.assumingMemoryBound(to: SmallerPDF.self).pointee.smaller(
            picture.pointee),
        let memory = malloc(bytes.count)
    else { return }
    UnsafeMutableRawBufferPointer(start: memory, count: bytes.count).copyBytes(from: bytes)
    goal.pointee = cpdf_smaller(
        bytes: memory.assumingMemoryBound(to: UInt8.self), count: bytes.count,
        width: Int64(raster.width), height: Int64(raster.height))
}
