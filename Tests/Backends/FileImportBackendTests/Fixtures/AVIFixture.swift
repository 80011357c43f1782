/// A RIFF chunk: its name, length and body, padded to an even length.
func riffChunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
    Array(name.utf8) + little32(body.count) + body + (body.count.isMultiple(of: 2) ? [] : [0])
}

/// A RIFF list, or the whole file for the name `RIFF`.
func riffList(_ type: String, _ chunks: [[UInt8]], name: String = "LIST") -> [UInt8] {
    riffChunk(name, Array(type.utf8) + chunks.flatMap { $0 })
}

/// An AVI file of Motion JPEG as recorders write it: a sound stream first, then the pictures.
struct AVIFixture {
    var codec = "MJPG"
    /// Frames a second, as a fraction.
    var rate = (count: 25, seconds: 1)
    var height = 16
    /// The chunks of the first list of frames.
    var chunks: [[UInt8]] = []
    /// Chunks after that, such as an index or another `RIFF`.
    var tail: [[UInt8]] = []

    /// A chunk with a frame.
    static func frame(_ jpeg: [UInt8]) -> [UInt8] { riffChunk("01dc", jpeg) }

    var bytes: [UInt8] {
        let sound = riffList(
            "strl",
            [
                riffChunk(
                    "strh", Array("auds".utf8) + little32(0) + [UInt8](repeating: 0, count: 48)),
                // PCM: one channel of 8 bits, 8,000 a second.
                riffChunk(
                    "strf",
                    little16(1) + little16(1) + little32(8_000) + little32(8_000) + little16(1)
                        + little16(8) + little16(0)),
            ])
        var head = Array("vids".utf8) + Array(codec.utf8) + [UInt8](repeating: 0, count: 12)
        head += little32(rate.seconds) + little32(rate.count)
        head += [UInt8](repeating: 0, count: 28)
        let form =
            little32(40) + little32(24) + little32(height) + little16(1) + little16(24)
            + Array(codec.utf8) + [UInt8](repeating: 0, count: 20)
        let pictures = riffList("strl", [riffChunk("strh", head), riffChunk("strf", form)])
        let header = riffList(
            "hdrl", [riffChunk("avih", [UInt8](repeating: 0, count: 56)), sound, pictures])
        return riffList(
            "AVI ",
            [
                header, riffList("INFO", [riffChunk("ISFT", [65, 66, 67])]),
                riffList("movi", chunks),
            ],
            name: "RIFF") + tail.flatMap { $0 }
    }
}
