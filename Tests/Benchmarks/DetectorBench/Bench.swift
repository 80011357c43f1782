import Detection
import FoundationEssentials
import Glibc
import Imaging

/// Measures the page detector inside one process.
///
///     swift run -c release detector-bench frame PHOTO.jpg
///     swift run -c release detector-bench quads FOLDER
///     swift run -c release detector-bench answers FOLDER [once | LONG:SHORT …]
///     swift run -c release detector-bench spreads FOLDER [LONG:SHORT …]
///
/// `frame` prints milliseconds of processor time for a camera's frame in memory, `quads` how well
/// the pages of a folder's `quads.jsonl` are found, `answers` the overlap and confidence of every
/// answer, as JSON: looking closely, as at a still, or once, as at a live frame, or closely for
/// things of the named shapes, such as 88:63. `spreads` prints how many of the cards of each
/// picture in a folder's `spreads.jsonl` are found.
@main enum Bench {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        do {
            switch (arguments.first, arguments.dropFirst().first) {
            case ("frame", let photo?): try FrameBench(photo).run()
            case ("quads", let folder?): try QuadsBench(folder).run()
            case ("answers", let folder?):
                let shapes = arguments.dropFirst(2).compactMap(shape)
                try AnswersBench(
                    folder, looksClosely: arguments.last != "once", shapes: shapes
                ).run()
            case ("spreads", let folder?):
                let shapes = arguments.dropFirst(2).compactMap(shape)
                try SpreadsBench(folder, shapes: shapes).run()
            default: fail("Say 'frame PHOTO.jpg', or 'quads', 'answers' or 'spreads' and a folder.")
            }
        } catch {
            fail("\(error)")
        }
    }

    static func fail(_ message: String) -> Never {
        var line = "detector-bench: \(message)\n"
        line.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
        exit(1)
    }

    /// The bytes of a file.
    static func bytes(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: path)))
    }

    /// A shape such as `88:63` as one number; nil for another word.
    private static func shape(_ text: String) -> Double? {
        let sides = text.split(separator: ":").compactMap { Double($0) }
        return sides.count == 2 ? sides[0] / sides[1] : nil
    }

    /// True if a file can be read.
    static func isFile(_ path: String) -> Bool { access(path, R_OK) == 0 }

    /// Milliseconds of processor time of this thread, so that other load on the machine does not
    /// count.
    static func milliseconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
    }

    /// A number with this many decimals.
    static func text(_ value: Double, decimals: Int = 2) -> String {
        let scale = (0..<decimals).reduce(1.0) { power, _ in power * 10 }
        let whole = Int((value * scale).rounded())
        let digits = String(repeating: "0", count: max(0, decimals + 1 - "\(whole)".count))
        let all = digits + "\(whole)"
        return all.dropLast(decimals) + "." + all.suffix(decimals)
    }
}
