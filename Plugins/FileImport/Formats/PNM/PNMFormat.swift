extension ImportFormat {
    /// PNM: PBM, PGM, PPM and PAM.
    static let pnm = Self(
        name: "PNM", usualExtensions: ["pnm", "pbm", "pgm", "ppm", "pam"],
        isHead: { head in
            head.count >= 3 && head[0] == UInt8(ascii: "P")
                && (UInt8(ascii: "1")...UInt8(ascii: "7")).contains(head[1])
                && (isPNMSpace(head[2]) || head[2] == UInt8(ascii: "#"))
        },
        open: { (file, _, limits) throws(DecodeFault) in
            let bytes = try file.readAll(limit: limits.maximumFileBytes)
            return PNMSource(bytes: bytes, limits: limits)
        })
}
