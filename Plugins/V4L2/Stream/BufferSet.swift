import CV4L2
import CaptureKit
import Glibc

/// The driver's buffers, mapped into memory (`VIDIOC_REQBUFS`, `VIDIOC_QUERYBUF`, `mmap`).
///
/// `@unchecked Sendable`: created and released on the stream's thread; in between, the mappings do
/// not change.
final class BufferSet: @unchecked Sendable {
    private let node: CameraNode
    private(set) var memory: [UnsafeMutableRawBufferPointer] = []

    /// The number of requested buffers: one is read, one is the newest, and the driver needs some
    /// to fill.
    private static let wanted: UInt32 = 5

    /// Asks for buffers and maps them.
    ///
    /// - Throws: ``CaptureError`` `busy` when another program uses the camera, `inputOutput`.
    init(_ node: CameraNode) throws(CaptureError) {
        self.node = node
        var count = BufferSet.wanted
        guard retried({ cv4l2_request_buffers(node.file.raw, node.type, &count) }) == 0 else {
            throw CameraFault.error(errno, node.name, "be streamed from")
        }
        guard count >= 2, count <= 64 else {
            throw CaptureError(
                .unsupported, "The camera '\(node.name)' has \(count) buffers and needs at least 2")
        }
        for index in 0..<count {
            var buffer = cv4l2_buffer()
            guard retried({ cv4l2_query_buffer(node.file.raw, node.type, index, &buffer) }) == 0
            else {
                throw failed()
            }
            // Readable and writable, since libv4lconvert may work in place.
            guard buffer.length > 0,
                let address = mmap(
                    nil, Int(buffer.length), PROT_READ | PROT_WRITE, MAP_SHARED, node.file.raw,
                    off_t(buffer.offset)), address != MAP_FAILED
            else { throw failed() }
            memory.append(
                UnsafeMutableRawBufferPointer(start: address, count: Int(buffer.length)))
        }
    }

    private func failed() -> CaptureError {
        CameraFault.error(errno, node.name, "share its memory")
    }

    deinit {
        for buffer in memory { munmap(buffer.baseAddress, buffer.count) }
        var none: UInt32 = 0
        _ = retried { cv4l2_request_buffers(node.file.raw, node.type, &none) }
    }
}
