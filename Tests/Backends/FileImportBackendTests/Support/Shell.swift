import CaptureKit
import Glibc

/// Runs commands of independent programs in a test's folder, which must succeed.
func make(in scratch: Scratch, _ commands: String) throws {
    let words = ["/bin/sh", "-ec", "cd '\(scratch.path)'; exec 2>&1; \(commands)"]
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var process: pid_t = 0
    guard posix_spawn(&process, "/bin/sh", nil, nil, &arguments, environ) == 0 else {
        throw Unexpected("no shell")
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    guard status == 0 else { throw Unexpected("'\(commands)' ended with status \(status)") }
}

/// A picture of known pixels, as a PPM file for independent encoders.
struct KnownPicture {
    let width: Int
    let height: Int
    /// Red, green and blue of every pixel.
    let pixels: [[UInt8]]

    /// A picture whose pixel at (x, y) is `color(x, y)`.
    init(width: Int = 48, height: Int = 32, _ color: (Int, Int) -> [UInt8]) {
        self.width = width
        self.height = height
        pixels = (0..<width * height).map { color($0 % width, $0 / width) }
    }

    /// A picture in which every pixel has another color.
    static var steps: KnownPicture {
        KnownPicture { x, y in [UInt8(x * 5), UInt8(y * 8), UInt8((x + y) * 3)] }
    }

    /// Gray from left to right, black at the top.
    static var gray: KnownPicture {
        KnownPicture { x, y in .init(repeating: UInt8(y < 4 ? 0 : x * 5), count: 3) }
    }

    /// Four colors in bands of eight columns, which survive lossy coding.
    static var bands: KnownPicture {
        KnownPicture(width: 64, height: 64) { x, _ in
            [[230, 40, 30], [30, 200, 60], [20, 40, 220], [240, 240, 240]][x / 16]
        }
    }

    /// The bytes of a PPM file.
    var ppm: [UInt8] { Array("P6\n\(width) \(height)\n255\n".utf8) + pixels.flatMap { $0 } }
    /// All samples in order.
    var samples: [UInt8] { pixels.flatMap { $0 } }
    /// The first sample of each pixel.
    var grays: [UInt8] { pixels.map { $0[0] } }
}

/// The largest difference of two lists of samples; 256 where they are of different lengths.
func difference(_ a: [UInt8], _ b: [UInt8]) -> Int {
    a.count == b.count ? zip(a, b).map { abs(Int($0) - Int($1)) }.max() ?? 0 : 256
}

/// The one page of `path`, which must be delivered as damaged, and refused with the option
/// 'strict'.
func damagedPage(_ path: String) async throws -> Recording.Page {
    let recording = try await record(path)
    guard let page = recording.pages.first, recording.pages.count == 1 else {
        throw Unexpected("\(recording.pages.count) pages")
    }
    guard page.description.problems?.contains(where: { $0.contains("damaged") }) == true else {
        throw Unexpected("nothing is said of the damage")
    }
    guard page.original == nil else { throw Unexpected("damaged bytes are handed on") }
    let error = try await failure(path, ["strict": .bool(true)])
    guard error.code == .damagedData, error.message.contains("damaged") else {
        throw Unexpected("\(error)")
    }
    return page
}
