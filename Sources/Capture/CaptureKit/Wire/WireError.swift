/// Why a message could not be read from, or written to, the other side of a connection.
package struct WireError: Error, Hashable, Sendable {
    /// What sort of failure it is.
    package enum Code: Hashable, Sendable {
        /// A line is longer than ``WireLimits/line``.
        case lineTooLong
        /// A line is not JSON object, or lacks a field its message needs, or has one of the wrong
        /// type.
        case malformed
        /// A message announces more bytes than ``WireLimits``, or fewer than none.
        case badLength
        /// The other side went away in the middle of a message.
        case cutOff
        /// A message announces a descriptor that did not arrive.
        case descriptorMissing
        /// The socket failed.
        case inputOutput
    }

    /// What sort of failure it is.
    package let code: Code
    /// What failed, with the value it failed on.
    package let message: String

    /// An error for people to read.
    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

/// The most a message may hold.
package enum WireLimits {
    /// Bytes of a line of JSON without its end: 1 MiB.
    package static let line = 1 << 20
    /// Raw bytes after a line: 1 GiB, enough for the encoded original of any page within the frame
    /// limits.
    package static let bytes = 1 << 30
    /// Raw bytes after a `pixels` message: 16 MiB.
    package static let pixels = 16 << 20
}
