extension ImportFormat {
    /// HEIC, the pictures of many telephones (HEIF with HEVC).
    static let heic = Self(
        name: "HEIC", usualExtensions: ["heic", "heif", "hif"],
        isHead: { head in
            hasBrand(
                head, ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1", "mif3"])
        },
        open: openHEIF)

    /// Opens a file of HEIF's structure, with pictures of any coding.
    static let openHEIF: Opener = { (file, _, limits) throws(DecodeFault) in
        try HEIFSource(bytes: file.readAll(limit: limits.maximumFileBytes), limits: limits)
    }
}

/// True where one of the brands of HEIF and AVIF is there (ISO/IEC 23008-12 and the AV1 image
/// format), major or compatible.
func hasBrand(_ head: [UInt8], _ names: [String]) -> Bool {
    guard head.count >= 12, head[4..<8].elementsEqual(ascii("ftyp")) else { return false }
    let brands = names.map { Array($0.utf8) }
    let size = head[0..<4].reduce(0) { $0 << 8 | Int($1) }
    let end = min(head.count, max(12, size))
    return stride(from: 8, through: end - 4, by: 4).contains { offset in
        offset != 12 && brands.contains(Array(head[offset..<offset + 4]))
    }
}
