import CV4L2
import CaptureKit
import Glibc

/// An open camera: its file, and its description of itself (`VIDIOC_QUERYCAP`).
final class CameraNode: Sendable {
    /// The facts in a capture device's `VIDIOC_QUERYCAP`.
    struct Facts: Hashable, Sendable {
        /// The name people know, such as "HD Pro Webcam C920".
        var card: String
        /// The driver's name, such as "uvcvideo".
        var driver: String
        /// The camera's connector, such as "usb-0000:00:14.0-1".
        var bus: String
        /// The capabilities of this node, without those of its neighbors.
        var capabilities: UInt32

        /// True when the node sends pictures, and neither receives them nor sends only metadata.
        var isCamera: Bool {
            let captures = has(V4L2_CAP_VIDEO_CAPTURE) || has(V4L2_CAP_VIDEO_CAPTURE_MPLANE)
            let isCodec = has(V4L2_CAP_VIDEO_M2M) || has(V4L2_CAP_VIDEO_M2M_MPLANE)
            return captures && !isCodec
        }

        /// True if the node has the given capability, one of `V4L2_CAP_…`.
        func has(_ capability: Int32) -> Bool { capabilities & UInt32(capability) != 0 }
    }

    let path: String
    let file: OwnedDescriptor
    let facts: Facts

    /// The type of buffers to ask for, single-planar where there is a choice.
    var type: UInt32 {
        facts.has(V4L2_CAP_VIDEO_CAPTURE)
            ? V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue : V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE.rawValue
    }

    /// The camera's name in messages.
    var name: String { facts.card.isEmpty ? path : facts.card }

    /// Opens the node at `path`, which may be any file that answers the requests of V4L2.
    ///
    /// - Throws: ``CaptureError`` `noSuchDevice`, `permissionDenied` with the group that may,
    ///   `busy`, `offline`; `unsupported` when it is not a camera.
    init(path: String) throws(CaptureError) {
        let raw = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard raw >= 0 else { throw CameraNode.refusal(errno, path) }
        let file = OwnedDescriptor(raw)
        var answer = v4l2_capability()
        guard retried({ cv4l2_query_capabilities(file.raw, &answer) }) == 0 else {
            let number = errno
            if [ENOTTY, EINVAL, ENOSYS, EOPNOTSUPP].contains(number) {
                throw CaptureError(
                    .unsupported, "'\(path)' is not a camera",
                    advice: "List the cameras with: copystand devices")
            }
            throw CameraFault.error(number, path, "be asked what it is")
        }
        let own = answer.capabilities & V4L2_CAP_DEVICE_CAPS != 0
        facts = Facts(
            card: CameraNode.cleaned(text(answer.card)), driver: text(answer.driver),
            bus: text(answer.bus_info),
            capabilities: own ? answer.device_caps : answer.capabilities)
        self.path = path
        self.file = file
    }

    /// Refuses a node that sends no pictures, or only by reading from it.
    func checkUsable() throws(CaptureError) {
        guard facts.isCamera else {
            throw CaptureError(
                .unsupported, "'\(path)' of '\(name)' sends no pictures",
                advice: "A camera often has several nodes; see which to use with: copystand devices"
            )
        }
        guard facts.has(V4L2_CAP_STREAMING) else {
            throw CaptureError(
                .unsupported, "The camera '\(name)' can only be read from, not streamed from")
        }
    }

    /// True when another program uses the camera: only that program may free its buffers
    /// (`VIDIOC_REQBUFS` of none).
    var isBusy: Bool {
        var count: UInt32 = 0
        return retried { cv4l2_request_buffers(file.raw, type, &count) } != 0 && errno == EBUSY
    }

    /// The error of not being able to open a node.
    private static func refusal(_ number: Int32, _ path: String) -> CaptureError {
        guard number == EACCES || number == EPERM else {
            return CameraFault.error(number, path, "be opened")
        }
        return CaptureError(
            .permissionDenied, "You have no permission to use the camera '\(path)'",
            advice: nodeGroupAdvice(path, usually: "video"))
    }

    /// Removes repetitions: "USB Camera: USB Camera" becomes "USB Camera".
    static func cleaned(_ card: String) -> String {
        let parts = card.split(separator: ": ", maxSplits: 1)
        guard parts.count == 2, parts[0].hasPrefix(parts[1]) || parts[1].hasPrefix(parts[0]) else {
            return card
        }
        return String(parts[0].count >= parts[1].count ? parts[0] : parts[1])
    }
}

/// The text in a field of fixed size, up to its zero; control characters become blanks.
func text<Field>(_ field: Field) -> String {
    withUnsafeBytes(of: field) { bytes in
        let letters = bytes.prefix { $0 != 0 }.map { $0 < 32 || $0 == 127 ? 32 : $0 }
        let text = String(decoding: letters, as: UTF8.self)
        let start = text.firstIndex { $0 != " " } ?? text.endIndex
        let end = text.lastIndex { $0 != " " }.map(text.index(after:)) ?? text.endIndex
        return String(text[start..<end])
    }
}
