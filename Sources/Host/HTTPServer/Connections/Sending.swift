import CMicroHTTPD
import Glibc

/// Passes an answer to the library (`MHD_queue_response`).
func send(_ response: HTTPResponse, on connection: OpaquePointer, _ core: ListenerCore)
    -> MHD_Result
{
    if case .stream(let stream) = response.body,
        !core.add(stream, of: PeerAddress(copystand_mhd_peer(connection)) ?? PeerAddress(""))
    {
        return send(Problems.tooManyStreams, on: connection, core)
    }
    guard let made = made(response.body, for: connection, core) else { return .NO }
    defer { MHD_destroy_response(made) }
    for (name, value) in response.headers {
        // The library refuses a header with a line end, so that no one can add other headers.
        _ = MHD_add_response_header(made, name, value)
    }
    return MHD_queue_response(connection, UInt32(response.status), made)
}

private func made(_ body: HTTPResponse.Body, for connection: OpaquePointer, _ core: ListenerCore)
    -> OpaquePointer?
{
    switch body {
    case .bytes(let bytes):
        return bytes.withUnsafeBytes { bytes in
            MHD_create_response_from_buffer(
                bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress),
                .RESPMEM_MUST_COPY)
        }
    case .file(let file):
        let descriptor = file.duplicate()
        guard descriptor >= 0 else { return nil }
        // The library closes the descriptor with the response.
        return MHD_create_response_from_fd_at_offset64(
            UInt64(file.count), descriptor, UInt64(file.offset))
    case .stream(let stream):
        let reader = Unmanaged.passRetained(
            StreamReader(stream: stream, core: core, connection: Sleeper(connection: connection)))
        return MHD_create_response_from_callback(
            UInt64.max, 64 << 10, readStream, reader.toOpaque(),
            { context in
                guard let context else { return }
                let reader = Unmanaged<StreamReader>.fromOpaque(context).takeRetainedValue()
                reader.core.remove(reader.stream)
            })
    }
}

/// Reads a stream for the library.
private final class StreamReader: Sendable {
    let stream: HTTPStream
    let core: ListenerCore
    let connection: Sleeper

    init(stream: HTTPStream, core: ListenerCore, connection: Sleeper) {
        self.stream = stream
        self.core = core
        self.connection = connection
    }
}

/// MHD_ContentReaderCallback.
private func readStream(
    _ context: UnsafeMutableRawPointer?, _ position: UInt64, _ room: UnsafeMutablePointer<CChar>?,
    _ size: Int
) -> Int {
    guard let context, let room else { return -2 }
    let reader = Unmanaged<StreamReader>.fromOpaque(context).takeUnretainedValue()
    let portion = reader.stream.read(
        into: UnsafeMutableRawBufferPointer(start: room, count: size)
    ) {
        reader.core.sleep(reader.connection.connection)
    } wake: { [core = reader.core, connection = reader.connection] in
        core.wake(connection.connection)
    }
    return switch portion {
    case .bytes(let count): count
    case .later: 0
    case .end: -1
    }
}
