import CaptureKit

// --- Fetching a picture ---

/// The picture that the camera shows now.
func fetch(_ address: String) async throws -> [UInt8] {
    let words = [
        "curl", "--silent", "--fail", "--max-time", "8", "--proto", "=http,https", "--", address,
    ]
    guard let picture = try await run(words) else {
        throw CaptureError(
            .offline, "the camera at \(address) does not answer",
            advice: "Switch it on and check its address in netcam.txt.")
    }
    return picture
}

let damaged = CaptureError(.damagedData, "the camera's picture is not a readable JPEG")

// --- Decoding it ---

/// A picture as a page's pixels.
struct Picture {
    var format: FrameFormat
    var width: Int
    var height: Int
    var pixels: [UInt8]

    /// Decodes a JPEG with the program djpeg, whose output is a PGM or PPM file.
    init(decoding jpeg: [UInt8], scale: String) async throws {
        guard let file = try await run(["djpeg", "-pnm", "-scale", scale], input: jpeg) else {
            throw damaged
        }
        let words = file.prefix(40).split(maxSplits: 4, whereSeparator: { $0 == 10 || $0 == 32 })
        guard words.count > 3, let width = Int(String(decoding: words[1], as: UTF8.self)),
            let height = Int(String(decoding: words[2], as: UTF8.self))
        else { throw damaged }
        format = file[1] == UInt8(ascii: "5") ? .gray8 : .rgb8
        self.width = width
        self.height = height
        pixels = Array(file.suffix(format.minimumStride(width: width) * height))
    }
}

// --- Live frames stay JPEG ---

/// Width and height of a JPEG, from its frame header (ITU-T T.81, B.2.2).
func size(of jpeg: [UInt8]) throws -> (width: Int, height: Int) {
    func number(_ place: Int) -> Int { Int(jpeg[place]) << 8 | Int(jpeg[place + 1]) }
    var place = 2
    while place + 9 < jpeg.count, jpeg[place] == 0xFF {
        if (0xC0...0xC2).contains(jpeg[place + 1]) { return (number(place + 7), number(place + 5)) }
        place += 2 + number(place + 2)
    }
    throw damaged
}
