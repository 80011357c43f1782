/// The reason why a message could not be read from a connection, or written to it.
package struct WireError: Error, Hashable, Sendable {
    /// The kind of failure.
    package enum Code: Hashable, Sendable {
        /// A line is longer than ``WireLimits/line``.
        case lineTooLong
        /// A line is not a JSON object, lacks a field of its message, or has a field of the wrong
        /// type.
        case malformed
        /// A message announces more bytes than ``WireLimits`` allows, or a negative number.
        case badLength
        /// The other side went away in the middle of a message.
        case cutOff
        /// A message announces a descriptor that did not arrive.
        case descriptorMissing
        /// The socket failed.
        case inputOutput
    }

    /// The kind of failure.
    package let code: Code
    /// The failure, with the value that caused it.
    package let message: String

    /// An error with a message for people.
    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

/// The maximum sizes of a message.
package enum WireLimits {
    /// Bytes of a line of JSON without its end: 1 MiB.
    package static let line = 1 << 20
    /// Raw bytes after a line: 1 GiB, enough for the encoded original of any page within the frame
    /// limits.
    package static let bytes = 1 << 30
    /// Raw bytes after a `pixels` message: 16 MiB.
    package static let pixels = 16 << 20
}
