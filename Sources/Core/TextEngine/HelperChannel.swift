import FoundationEssentials
import Glibc
import Recognition

/// The helper's end of the socket to its host; blocking.
struct HelperChannel {
    let descriptor: Int32

    /// The next request, or nil when the host is gone.
    func nextRequest() -> HelperRequest? {
        guard let header = bytes(FrameHeader.byteCount),
            let length = FrameHeader.length(in: header), let body = bytes(length)
        else { return nil }
        return try? JSONDecoder().decode(HelperRequest.self, from: Data(body))
    }

    /// Sends the answer; false when the host is gone.
    func answer(_ answer: HelperAnswer) -> Bool {
        guard let body = try? JSONEncoder().encode(answer) else { return false }
        return (FrameHeader.bytes(announcing: body.count) + body).withUnsafeBytes { buffer in
            var sent = 0
            while sent < buffer.count {
                let count = send(
                    descriptor, buffer.baseAddress! + sent, buffer.count - sent,
                    Int32(MSG_NOSIGNAL))
                if count > 0 {
                    sent += count
                } else if errno != EINTR {
                    return false
                }
            }
            return true
        }
    }

    /// Fills `buffer`; false when the host is gone before it is full.
    func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Bool {
        var filled = 0
        while filled < buffer.count {
            let count = read(descriptor, buffer.baseAddress! + filled, buffer.count - filled)
            if count > 0 {
                filled += count
            } else if count == 0 || errno != EINTR {
                return false
            }
        }
        return true
    }

    private func bytes(_ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return bytes.withUnsafeMutableBytes(fill) ? bytes : nil
    }
}
