import CV4L2
import CaptureKit

/// The layout of a camera's frames in memory, as agreed with its driver (`VIDIOC_S_FMT`), and their
/// description for the host.
struct FrameForm: Hashable, Sendable {
    let format: FourCC
    let size: FrameSize
    let route: FrameRoute
    /// Bytes from one row to the next in the driver's memory.
    let stride: Int
    /// The maximum number of bytes a frame takes in the driver's memory.
    let capacity: Int
    /// The brightness that the samples' numbers stand for.
    let signal: VideoSignal

    /// Reads the form that the driver agreed to.
    ///
    /// - Throws: ``CaptureError`` `unsupported` for frames that can't be decoded here.
    init(_ form: cv4l2_form, camera name: String) throws(CaptureError) {
        let format = FourCC(rawValue: form.format)
        let size = FrameSize(width: Int(form.width), height: Int(form.height))
        guard let route = FrameRoute(format), ModeList.isPossible(size) else {
            throw CaptureError(
                .unsupported,
                "The camera '\(name)' sends \(format) of \(size), which can't be read",
                advice: "Choose another format or size.")
        }
        guard form.planes == 1 else {
            throw CaptureError(
                .unsupported,
                "The camera '\(name)' sends the \(form.planes) planes of \(format) separately, which can't be read",
                advice: "Choose another format.")
        }
        let fields = [
            V4L2_FIELD_ALTERNATE, V4L2_FIELD_SEQ_TB, V4L2_FIELD_SEQ_BT, V4L2_FIELD_TOP,
            V4L2_FIELD_BOTTOM,
        ]
        guard !fields.map(\.rawValue).contains(form.field) else {
            throw CaptureError(
                .unsupported, "The camera '\(name)' sends half pictures (fields) in this size",
                advice: "Choose another size.")
        }
        self.format = format
        self.size = size
        self.route = route
        signal = VideoSignal(form, route)
        switch route {
        case .native(.jpeg):
            stride = 0
            // Some drivers give no size here, and some a far too large one.
            let most = size.area * 4 + (1 << 20)
            capacity = form.size == 0 ? most : min(Int(form.size), most)
        case .native(let native):
            stride = max(Int(form.stride), native.minimumStride(width: size.width))
            capacity = Int(form.size)
        case .swapped:
            stride = max(Int(form.stride), size.width * 3)
            capacity = Int(form.size)
        case .converted:
            stride = Int(form.stride)
            capacity = Int(form.size)
        }
        if let fault = description(time: nil).impossibility {
            throw CaptureError(
                .unsupported, "The camera '\(name)' describes its frames wrongly: \(fault)",
                advice: "Choose another format or size.")
        }
    }

    /// The description of a live frame for the host.
    func description(time: Double?) -> FrameDescription {
        guard case .native(let native) = route else {
            return FrameDescription(
                format: .rgb8, width: size.width, height: size.height, time: time)
        }
        return FrameDescription(
            format: native, width: size.width, height: size.height, stride: stride,
            capacity: native == .jpeg ? capacity : nil, time: time)
    }

    /// The reason why a frame can't be used; nil for a good frame.
    ///
    /// - Parameter bytes: the number of bytes that the driver reports.
    func fault(of bytes: UnsafeRawBufferPointer, endIsKnown: Bool) -> FrameFault? {
        switch route {
        case .native(.jpeg):
            guard bytes.count <= capacity else { return .tooLong }
            guard bytes.count >= 4, bytes[0] == 0xff, bytes[1] == 0xd8 else { return .noPicture }
            return endIsKnown && JPEGEnds.length(of: bytes) == nil ? .cutOff : nil
        case .native, .swapped:
            let least =
                route == .swapped
                ? stride * (size.height - 1) + size.width * 3
                : description(time: nil).leastBytes(rows: size.height)
            return bytes.count < least ? .cutOff : nil
        case .converted:
            // Only libv4lconvert knows the size of a private format.
            return bytes.isEmpty ? .cutOff : nil
        }
    }
}

/// The reason why a frame is dropped.
enum FrameFault: Hashable, Sendable {
    /// The driver reports it (`V4L2_BUF_FLAG_ERROR`).
    case damaged
    /// The frame has too few bytes for its form, or a JPEG picture without an end.
    case cutOff
    /// The frame has more bytes than the driver announced.
    case tooLong
    /// The frame is not a JPEG picture.
    case noPicture
}

/// Finds the end of a JPEG picture.
enum JPEGEnds {
    /// The mark at the end (EOI), without which decoders assume that a picture is cut off.
    static let mark: [UInt8] = [0xff, 0xd9]

    /// The mark if the bytes don't end with it, as with some cameras; otherwise nothing.
    static func missing(in bytes: UnsafeRawBufferPointer) -> [UInt8] {
        bytes.suffix(2).elementsEqual(mark) ? [] : mark
    }

    /// The bytes up to the end of the picture, without a camera's padding; nil when it has no end
    /// (EOI).
    ///
    /// Within a picture's data 0xFF is never followed by 0xD9, so the last such pair is the end.
    static func length(of bytes: UnsafeRawBufferPointer) -> Int? {
        var end = bytes.count
        while end >= 4 {
            if bytes[end - 1] == 0xd9 && bytes[end - 2] == 0xff { return end }
            end -= 1
        }
        return nil
    }
}
