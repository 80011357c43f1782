import CaptureHost
import Dispatch
import ExpectedFailures
import Imaging
import Synchronization

/// A watched camera's pictures as JPEG for viewers: each viewer gets the newest picture when it is
/// ready for one.
///
/// A camera's own JPEG is passed on unchanged. Other frames are reduced and encoded on a separate
/// queue, one at a time. Frames that arrive meanwhile are left out, so that the search for pages
/// never waits for viewers. Without viewers, a frame costs only one lock.
public final class LivePictures: Sendable {
    /// A live frame.
    public struct Picture: Sendable {
        /// A JPEG file.
        public var bytes: [UInt8]
        /// The time of the frame, as in ``LiveView/time``.
        public var time: Double
    }

    private struct Viewer: Sendable {
        var isReady: @Sendable () -> Bool
        var take: @Sendable (Picture) -> Void
    }

    private struct State {
        var viewers: [Int: Viewer] = [:]
        var next = 0
        var isWriting = false
        /// The time of the last encoded frame.
        var lastWritten = -Double.infinity
    }

    /// The long side, in pixels, of pictures that are not the camera's own JPEG.
    private static let longSide = 1280
    /// The minimum time between two such pictures, in seconds: fifteen per second.
    private static let pause = 1.0 / 15
    /// The quality of such pictures, as for `Raster.encodedJPEG`.
    private static let quality = 75

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "copystand.live-pictures", qos: .utility)

    init() {}

    /// Adds a viewer.
    ///
    /// - Parameters:
    ///   - isReady: whether the viewer accepts a picture now; called for every frame, from any
    ///     thread.
    ///   - take: gets a picture, on any thread.
    /// - Returns: the viewer's number, for ``remove(_:)``.
    public func add(
        isReady: @escaping @Sendable () -> Bool, take: @escaping @Sendable (Picture) -> Void
    ) -> Int {
        state.withLock { state in
            defer { state.next += 1 }
            state.viewers[state.next] = Viewer(isReady: isReady, take: take)
            return state.next
        }
    }

    /// Removes a viewer.
    public func remove(_ number: Int) {
        _ = state.withLock { $0.viewers.removeValue(forKey: number) }
    }

    /// Shows a frame to viewers that are ready; an unreadable frame is left out.
    func show(_ frame: CapturedPage, at time: Double) {
        guard isWanted else { return }
        reportedLater { try frame.withFrame { camera in show(camera, at: time) } }
    }

    private func show(_ camera: CameraFrame, at time: Double) {
        if camera.format == .jpeg, HuffmanTables.areIn(camera.bytes) {
            return pass(Picture(bytes: Array(camera.bytes), time: time))
        }
        guard begins(at: time) else { return }
        let copy = OwnFrame(camera)
        queue.async { [self] in
            defer { state.withLock { $0.isWriting = false } }
            guard let bytes = copy.jpeg(longSide: Self.longSide, quality: Self.quality) else {
                return
            }
            pass(Picture(bytes: bytes, time: time))
        }
    }

    private var ready: [Viewer] {
        state.withLock { Array($0.viewers.values) }.filter { $0.isReady() }
    }

    private var isWanted: Bool { !ready.isEmpty }

    private func pass(_ picture: Picture) {
        for viewer in ready { viewer.take(picture) }
    }

    /// True if the next frame should be encoded.
    private func begins(at time: Double) -> Bool {
        state.withLock { state in
            guard !state.isWriting, time - state.lastWritten >= Self.pause else { return false }
            state.isWriting = true
            state.lastWritten = time
            return true
        }
    }
}

/// A copy of a frame in memory.
private struct OwnFrame: Sendable {
    let format: CameraFormat
    let width: Int
    let height: Int
    let stride: Int
    let bytes: [UInt8]

    init(_ frame: CameraFrame) {
        format = frame.format
        width = frame.width
        height = frame.height
        stride = frame.stride
        bytes = Array(frame.bytes)
    }

    /// The frame as a JPEG file with at most this long side; nil when it is damaged.
    func jpeg(longSide: Int, quality: Int) -> [UInt8]? {
        let raster = bytes.withUnsafeBytes { bytes -> Raster? in
            ofKnownForm {
                try CameraFrame(
                    format: format, width: width, height: height, stride: stride, bytes: bytes
                ).raster()
            }
        }
        guard let raster else { return nil }
        let small =
            max(raster.width, raster.height) > longSide
            ? raster.thumbnail(longSide: longSide) : raster
        return ifSupported { try small.encodedJPEG(quality: quality) }
    }
}

/// The Huffman tables of JPEG files, which Motion JPEG may leave out (ITU-T T.81, B.2.4.2).
private enum HuffmanTables {
    /// True if a file has its own tables before its first scan; browsers show no others.
    static func areIn(_ file: UnsafeRawBufferPointer) -> Bool {
        var place = 2
        while place + 4 <= file.count, file[place] == 0xFF {
            switch file[place + 1] {
            case 0xC4: return true
            case 0xDA: return false
            default: place += 2 + Int(file[place + 2]) << 8 + Int(file[place + 3])
            }
        }
        return false
    }
}
