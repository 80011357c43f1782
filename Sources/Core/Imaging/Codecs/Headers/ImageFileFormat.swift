/// A picture file format that Imaging reads, recognized by its first bytes.
public enum ImageFileFormat: String, Hashable, Sendable, CaseIterable {
    /// JPEG (ISO/IEC 10918-1).
    case jpeg
    /// PNG (ISO/IEC 15948).
    case png
    /// TIFF 6.0 and BigTIFF.
    case tiff
    /// Netpbm: PBM, PGM, PPM (P1…P6) and PAM (P7).
    case pnm
    /// WebP, still pictures.
    case webp

    /// The format whose signature the bytes begin with; nil for no known format.
    public init?(signatureOf bytes: [UInt8]) {
        func begins(_ signature: [UInt8], at offset: Int = 0) -> Bool {
            bytes.count >= offset + signature.count
                && bytes[offset..<offset + signature.count].elementsEqual(signature)
        }
        if begins([0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if begins([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if begins([0x49, 0x49, 0x2A, 0]) || begins([0x4D, 0x4D, 0, 0x2A])
            || begins([0x49, 0x49, 0x2B, 0]) || begins([0x4D, 0x4D, 0, 0x2B])
        {
            self = .tiff
        } else if begins(Array("RIFF".utf8)), begins(Array("WEBP".utf8), at: 8) {
            self = .webp
        } else if bytes.count >= 3, bytes[0] == 0x50, (0x31...0x37).contains(bytes[1]),
            [0x09, 0x0A, 0x0D, 0x20].contains(bytes[2])
        {
            self = .pnm
        } else {
            return nil
        }
    }
}
