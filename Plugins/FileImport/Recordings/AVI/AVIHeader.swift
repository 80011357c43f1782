/// The header of an AVI file's Motion JPEG stream (Microsoft's AVI RIFF File Reference).
struct AVIHeader {
    /// The number of the stream, with which its chunks' names begin.
    let stream: Int
    /// Frames a second; nil when the file does not state it.
    let rate: Double?
    /// The rows of a frame; 0 when the file does not state them.
    let height: Int
    /// The offset of the first chunk of frames.
    let frames: Int

    /// The maximum number of chunks before the first frame; more of them are damage.
    private static let mostChunks = 10_000

    /// Walks the chunks before the frames.
    ///
    /// - Throws: ``DecodeFault`` `video` when the pictures are coded otherwise.
    init(_ file: OpenFile) throws(DecodeFault) {
        var offset = 12
        var streams = 0
        var isVideo = false
        var rate: Double?
        var found: (stream: Int, rate: Double?, height: Int)?
        var others: [String] = []
        for _ in 0..<Self.mostChunks {
            guard let chunk = try AVIChunk(file, at: offset) else {
                throw .damaged("it ends before its first frame")
            }
            switch chunk.name {
            case "LIST" where chunk.type == "movi":
                guard let found else {
                    if let other = others.first {
                        throw .video("an AVI video whose pictures are coded as '\(other)'")
                    }
                    throw .damaged("it holds no pictures")
                }
                (stream, self.rate, height) = found
                frames = chunk.body + 4
                return
            case "strh":
                let bytes = try file.read(at: chunk.body, count: min(chunk.size, 56))
                isVideo = bytes.starts(with: ascii("vids"))
                rate = Self.rate(bytes)
                streams += 1
            case "strf" where isVideo && found == nil:
                let bytes = try file.read(at: chunk.body, count: min(chunk.size, 40))
                let code = Self.code(bytes)
                // The names under which Motion JPEG is known.
                if ["MJPG", "JPEG", "DMB1", "AVRN"].contains(code.uppercased()) {
                    found = (streams - 1, rate, Self.height(bytes))
                } else {
                    others.append(code)
                }
            default: break
            }
            let isEntered = chunk.name == "LIST" && ["hdrl", "strl"].contains(chunk.type)
            offset = isEntered ? chunk.body + 4 : chunk.next
        }
        throw .damaged("it has more than \(Self.mostChunks) chunks before its first frame")
    }

    private static func rate(_ bytes: [UInt8]) -> Double? {
        bytes.withUnsafeBytes { raw in
            let reader = ByteReader(bytes: raw)
            guard let scale = reader.little32(20), let rate = reader.little32(24), scale > 0,
                rate > 0
            else { return nil }
            return Double(rate) / Double(scale)
        }
    }

    private static func code(_ bytes: [UInt8]) -> String {
        guard bytes.count >= 20 else { return "" }
        return printable(String(decoding: bytes[16..<20], as: UTF8.self))
    }

    private static func height(_ bytes: [UInt8]) -> Int {
        bytes.withUnsafeBytes { raw in
            let height = ByteReader(bytes: raw).little32(8) ?? 0
            // A 32-bit number with a sign: negative for rows from the top.
            return height > 0x7FFF_FFFF ? 0x1_0000_0000 - height : height
        }
    }
}

/// The header of a RIFF chunk.
struct AVIChunk {
    /// The chunk's four letters.
    let name: String
    /// The four letters of a list or file's type; for any other chunk, its first four bytes.
    let type: String
    /// The place at which the list's or chunk's contents begin.
    let body: Int
    /// The number of bytes in the contents, according to the header.
    let size: Int

    /// The chunk at `offset`; nil at the file's end.
    ///
    /// - Throws: ``DecodeFault`` `damaged` when none begins there.
    init?(_ file: OpenFile, at offset: Int) throws(DecodeFault) {
        let head = try file.read(at: offset, count: 12)
        guard head.count >= 8 else { return nil }
        guard head[..<4].allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw .damaged("no chunk begins at byte \(offset)")
        }
        name = String(decoding: head[..<4], as: UTF8.self)
        type = String(decoding: head[8...], as: UTF8.self)
        body = offset + 8
        size = head[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// The offset of the next chunk: chunks are padded to an even length.
    var next: Int { body + size + size & 1 }
}
