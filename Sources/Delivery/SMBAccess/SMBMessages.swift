import FoundationEssentials
import Glibc

/// The host's requests to `copystand-smb`, one after the other.
///
/// Addresses are `smb://host/share/path`, percent-encoded and without a port.
package enum SMBRequest: Codable, Hashable, Sendable {
    /// Signs in, and looks into a folder of the share.
    case connect(SMBAccount, folder: String)
    /// The length of a file.
    case size(String)
    /// Opens a file to be read from its beginning.
    case read(String)
    /// The next bytes of the file that is read; none at its end.
    case next
    /// Opens a file for writing; with `isNew`, this fails if the name is in use.
    case write(String, isNew: Bool)
    /// Writes the bytes that come with it.
    case more
    /// Closes the file that is read or written.
    case close
    case rename(String, to: String)
    case remove(String)
    case makeFolder(String)
}

/// The account for signing in to an SMB server.
package struct SMBAccount: Codable, Hashable, Sendable {
    package var user: String
    package var domain: String
    package var password: String
    package var port: Int
    /// The seconds that the server may take for an answer.
    package var patience: Int

    package init(user: String, domain: String, password: String, port: Int, patience: Int) {
        self.user = user
        self.domain = domain
        self.password = password
        self.port = port
        self.patience = patience
    }
}

/// An answer of `copystand-smb`.
package struct SMBAnswer: Codable, Hashable, Sendable {
    /// The error number of Linux; 0 for a success.
    package var error: Int32 = 0
    /// The reason why libsmbclient can't be loaded; nil if it was loaded.
    package var problem: String?
    /// The length that was asked for.
    package var size: Int?

    package init() {}
}

/// A socket for messages, each of which may be followed by bytes of a file.
package struct SMBChannel: Sendable {
    /// The maximum size of a file with one message in bytes.
    package static let largest = 1 << 20
    private static let longestMessage = 1 << 16
    private let socket: Int32

    package init(_ socket: Int32) { self.socket = socket }

    /// Sends a message.
    ///
    /// - Returns: false when nobody receives it anymore.
    package func send(_ message: some Encodable, _ bytes: ArraySlice<UInt8> = []) -> Bool {
        guard let text = try? JSONEncoder().encode(message) else { return false }
        let head = [UInt32(text.count), UInt32(bytes.count)].flatMap { number in
            withUnsafeBytes(of: number.littleEndian) { Array($0) }
        }
        return sendAll(head + Array(text) + bytes)
    }

    /// The next message, and the bytes that came with it; nil when the other side has ended, or
    /// sends anything else.
    ///
    /// - Parameter shouldContinue: called several times a second; returns false to give up.
    package func receive<Message: Decodable>(
        _: Message.Type, shouldContinue: () -> Bool = { true }
    ) -> (message: Message, bytes: [UInt8])? {
        guard let head = receiveExactly(8, shouldContinue) else { return nil }
        let counts = head.withUnsafeBytes { bytes in
            (0..<2).map {
                Int(
                    UInt32(
                        littleEndian: bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self)))
            }
        }
        guard counts[0] <= Self.longestMessage, counts[1] <= Self.largest,
            let text = receiveExactly(counts[0], shouldContinue),
            let bytes = receiveExactly(counts[1], shouldContinue),
            let message = try? JSONDecoder().decode(Message.self, from: Data(text))
        else { return nil }
        return (message, bytes)
    }

    private func sendAll(_ bytes: [UInt8]) -> Bool {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(
                    socket, $0.baseAddress! + done, bytes.count - done, Int32(MSG_NOSIGNAL))
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }

    private func receiveExactly(_ count: Int, _ shouldContinue: () -> Bool) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            var request = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            let ready = poll(&request, 1, 100)
            guard ready != 0 || shouldContinue() else { return nil }
            if ready <= 0 { continue }
            let got = bytes.withUnsafeMutableBytes {
                recv(socket, $0.baseAddress! + done, count - done, 0)
            }
            if got < 0 && errno == EINTR { continue }
            guard got > 0 else { return nil }
            done += got
        }
        return bytes
    }
}
