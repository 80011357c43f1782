import CaptureKit
import Glibc

/// A clip of uncompressed frames: a YUV4MPEG2 file (`.y4m`) of 8-bit 4:2:0, 4:2:2, 4:4:4 or gray
/// samples.
///
/// Frames are found once, by their headers, and read when they are requested. The file's descriptor
/// is closed with the clip.
final class VideoClip: Sendable {
    /// The form of a clip's frames.
    struct Layout: Hashable, Sendable {
        var width: Int
        var height: Int
        /// Columns and rows that share a chroma sample; nil when there is none.
        var subsampling: Subsampling?
        /// True when samples use 0…255 and not 16…235.
        var isFullRange: Bool

        struct Subsampling: Hashable, Sendable {
            var x: Int
            var y: Int
        }

        var chromaWidth: Int { subsampling.map { (width + $0.x - 1) / $0.x } ?? 0 }
        var chromaHeight: Int { subsampling.map { (height + $0.y - 1) / $0.y } ?? 0 }
        /// Bytes of a frame's planes.
        var frameBytes: Int { width * height + 2 * chromaWidth * chromaHeight }
    }

    let layout: Layout
    /// The number of complete frames in the file.
    var count: Int { offsets.count }
    private let descriptor: Int32
    private let offsets: [Int]
    private let name: String

    /// The maximum number of pixels a frame may have.
    static let mostPixels = 64_000_000
    /// The maximum number of frames to use.
    static let mostFrames = 1_000_000
    /// The longest header line; a longer one counts as damage.
    private static let longestLine = 1024

    /// Opens the clip and finds its frames.
    ///
    /// The call blocks, so use ``onOwnThread(_:)``. A truncated last frame is left out.
    ///
    /// - Throws: ``CaptureError`` `invalidValue` when it can't be opened, is not such a clip or
    ///   holds no whole frame.
    init(path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw CaptureError(
                .invalidValue, "'\(path)' can't be opened as a clip",
                advice: "Name a .y4m file.")
        }
        do {
            let name = String(
                path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...])
            let header = try VideoClip.line(descriptor, at: 0, name)
            let layout = try VideoHeader.layout(header, name: name)
            var info = stat()
            guard fstat(descriptor, &info) == 0 else {
                throw VideoClip.damaged(name, "its size is unknown")
            }
            var offsets: [Int] = []
            var place = header.utf8.count + 1
            while place < Int(info.st_size), offsets.count < VideoClip.mostFrames {
                let line = try VideoClip.line(descriptor, at: place, name)
                guard line == "FRAME" || line.hasPrefix("FRAME ") else {
                    throw VideoClip.damaged(name, "no frame begins at byte \(place)")
                }
                place += line.utf8.count + 1
                guard place + layout.frameBytes <= Int(info.st_size) else { break }
                offsets.append(place)
                place += layout.frameBytes
            }
            guard !offsets.isEmpty else { throw VideoClip.damaged(name, "it holds no whole frame") }
            self.layout = layout
            self.offsets = offsets
            self.name = name
            self.descriptor = descriptor
        } catch {
            close(descriptor)
            throw error
        }
    }

    deinit { close(descriptor) }

    /// Reads frame `index`, counted from 0.
    ///
    /// Blocks: call it through ``onOwnThread(_:)``.
    ///
    /// - Throws: ``CaptureError`` `inputOutput` when the file became shorter or can't be read.
    func frame(_ index: Int) throws -> ClipFrame {
        var bytes = [UInt8](repeating: 0, count: layout.frameBytes)
        let read = bytes.withUnsafeMutableBytes {
            VideoClip.readFully(descriptor, $0, at: offsets[index])
        }
        guard read == bytes.count else {
            throw CaptureError(.inputOutput, "Frame \(index + 1) of '\(name)' could not be read")
        }
        return ClipFrame(layout: layout, planes: bytes, label: "\(name), frame \(index + 1)")
    }

    /// Reads until the buffer is full or the file ends (`pread`); the bytes read.
    private static func readFully(
        _ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer, at offset: Int
    ) -> Int {
        var done = 0
        while done < buffer.count {
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let count = pread(descriptor, part.baseAddress, part.count, off_t(offset + done))
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { break }
            done += count
        }
        return done
    }

    private static func line(_ descriptor: Int32, at offset: Int, _ name: String) throws -> String {
        var bytes = [UInt8](repeating: 0, count: longestLine)
        let read = bytes.withUnsafeMutableBytes { readFully(descriptor, $0, at: offset) }
        guard let end = bytes[..<read].firstIndex(of: 10),
            let text = String(validating: bytes[..<end], as: UTF8.self)
        else { throw damaged(name, "no header line begins at byte \(offset)") }
        return text
    }

    private static func damaged(_ name: String, _ why: String) -> CaptureError {
        CaptureError(
            .invalidValue, "'\(name)' is not a YUV4MPEG2 clip: \(why)",
            advice: "Make one with: ffmpeg -i FILE -pix_fmt yuv420p clip.y4m")
    }
}
