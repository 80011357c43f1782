import CHEIF

/// Handles properties of AVIF pictures that libheif neither applies nor reports.
extension HEIFSource {
    /// Reports whether a picture is monochrome, and whether its samples have limited range.
    ///
    /// Limited range is 16 for black to 235 for white, which libheif stretches to the full range
    /// only for pictures in color (AV1, 6.4.2: `color_range`).
    static func gray(_ picture: OpaquePointer) -> (isGray: Bool, isNarrow: Bool) {
        var decoded: OpaquePointer?
        let result = heif_decode_image(
            picture, &decoded, heif_colorspace_undefined, heif_chroma_undefined, nil)
        guard result.code == heif_error_Ok, let decoded else { return (false, false) }
        defer { heif_image_release(decoded) }
        guard heif_image_get_colorspace(decoded) == heif_colorspace_monochrome else {
            return (false, false)
        }
        var numbers: UnsafeMutablePointer<heif_color_profile_nclx>?
        guard heif_image_get_nclx_color_profile(decoded, &numbers).code == heif_error_Ok,
            let numbers
        else { return (true, false) }
        defer { heif_nclx_color_profile_free(numbers) }
        return (true, numbers.pointee.full_range_flag == 0)
    }

    /// A sample of the narrow range, converted to the full one.
    static let widened: [UInt8] = (0...255).map {
        UInt8(min(255, max(0, (($0 - 16) * 255 + 109) / 219)))
    }

    /// True if a file is a sequence of pictures, of which libheif reads the first (ISO/IEC
    /// 23008-12, 7.2; AV1 Image File Format, 6.2).
    static func isSequence(_ head: [UInt8]) -> Bool {
        guard head.count > 16, head[4..<8].elementsEqual(ascii("ftyp")) else { return false }
        let end = min(head.count, Int(head[2]) << 8 | Int(head[3]), 512)
        let brands: [StaticString] = ["avis", "hevc", "hevx", "msf1"]
        return stride(from: 8, to: end - 3, by: 4).contains { place in
            brands.contains { head[place..<place + 4].elementsEqual(ascii($0)) }
        }
    }

    /// True if a file's header describes a monochrome AV1 picture, which may be an alpha channel
    /// (AV1 Codec ISO Media File Format Binding, 2.3.3).
    static func hasMonochrome(_ head: [UInt8]) -> Bool {
        let name = ascii("av1C")
        return head.indices.dropLast(8).contains { place in
            head[place..<place + 4].elementsEqual(name) && head[place + 6] & 0x10 != 0
        }
    }
}
