import CaptureKit
import FileImportBackend

/// Small videos of known frames, coded by ffmpeg.
struct VideoFixture {
    static let (width, height) = (176, 144)

    /// The brightness and the two differences of frame `number`'s left and right half: 16 to 235 and
    /// 16 to 240.
    static func halves(_ number: Int) -> [(light: UInt8, blue: UInt8, red: UInt8)] {
        [
            (UInt8(40 + 8 * number), UInt8(128 - 3 * number), 150),
            (UInt8(220 - 7 * number), 110, UInt8(120 + 4 * number)),
        ]
    }

    /// Writes `raw.y4m`: that many frames, ten a second.
    static func write(_ frames: Int, in scratch: Scratch) throws {
        var bytes = Array("YUV4MPEG2 W\(width) H\(height) F10:1 Ip A1:1 C420jpeg\n".utf8)
        for number in 0..<frames {
            let halves = halves(number)
            func plane(_ width: Int, _ height: Int, _ value: (Int) -> UInt8) -> [UInt8] {
                let row = (0..<width).map { value($0 * 2 / width) }
                return (0..<height).flatMap { _ in row }
            }
            bytes += Array("FRAME\n".utf8)
            bytes += plane(width, height) { halves[$0].light }
            bytes += plane(width / 2, height / 2) { halves[$0].blue }
            bytes += plane(width / 2, height / 2) { halves[$0].red }
        }
        try scratch.file("raw.y4m", bytes)
    }

    /// A video of that many frames, made by ffmpeg with these options; its path.
    static func make(
        _ name: String, _ options: String, frames: Int = 10, in scratch: Scratch
    ) throws -> String {
        try write(frames, in: scratch)
        let quiet = options.contains("libx265") ? "-x265-params log-level=none" : ""
        try run(
            "-i raw.y4m -colorspace smpte170m -color_range tv \(options) \(quiet) \(name)",
            in: scratch)
        return scratch.path + "/" + name
    }

    /// Runs ffmpeg with these words.
    static func run(_ words: String, in scratch: Scratch) throws {
        try FileImportBackendTests.make(in: scratch, "ffmpeg -nostdin -v error -y \(words)")
    }

    /// The largest difference of a frame from the coded colors, in the middle of its halves.
    static func error(of page: Recording.Page, _ number: Int) -> Int {
        guard page.description.format == .nv12, page.description.width == width,
            page.description.height == height
        else { return 256 }
        return halves(number).enumerated().map { half, value in
            let x = width / 4 + half * width / 2
            let light = page.bytes[height / 2 * width + x]
            let color = width * height + height / 4 * width + x / 2 * 2
            return max(
                abs(Int(light) - Int(value.light)), abs(Int(page.bytes[color]) - Int(value.blue)),
                abs(Int(page.bytes[color + 1]) - Int(value.red)))
        }.max() ?? 256
    }

    /// The file with another matrix in its track's header: rows (a b) (c d) of ISO/IEC 14496-12.
    static func turned(_ file: [UInt8], a: Int, b: Int, c: Int, d: Int) throws -> [UInt8] {
        // Version 0 has 40 bytes between the box's name and its matrix.
        guard let name = file.indices.first(where: { file[$0...].starts(with: "tkhd".utf8) }) else {
            throw Unexpected("no tkhd")
        }
        let matrix = [a << 16, b << 16, 0, c << 16, d << 16, 0, 0, 0, 1 << 30]
        var bytes = file
        bytes.replaceSubrange(
            name + 44..<name + 80, with: matrix.flatMap { big32($0 & 0xFFFF_FFFF) })
        return bytes
    }
}
