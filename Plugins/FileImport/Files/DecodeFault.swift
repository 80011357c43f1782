import CaptureKit

/// A failure while reading a file, as a fact; ``sentence(for:page:format:)`` makes the message.
enum DecodeFault: Error, Equatable {
    /// The data is incomplete or contradicts itself.
    case damaged(String)
    /// The file has no known format; the text describes its contents.
    case unrecognized(looksLike: String)
    /// The content is of a known kind that is not supported.
    case foreign(ForeignContent)
    /// The file claims to be empty but is not, like those under /proc.
    case sizeless
    /// A video that is not decoded here, such as "an MP4 video".
    case video(String)
    /// A library that decodes videos is not installed.
    case videoLibrary(String)
    /// A recording, though pages were requested.
    case recording
    /// A picture or document, though a recording was requested.
    case notLive
    /// A folder without a picture, though a recording was requested.
    case noPictures
    /// A known format in a form that can't be decoded.
    case unsupported(String)
    /// The path leads to a device, a socket or a pipe.
    case noFile
    /// A size is beyond a limit.
    case tooLarge(String, limit: String)
    /// Encrypted, and no password was given.
    case passwordMissing
    /// Encrypted, and the password given does not open it.
    case passwordWrong
    /// The file is missing.
    case missing
    /// The file can't be opened because of its permissions.
    case permissionDenied
    /// A system call failed.
    case inputOutput(String)
    /// A page selection that fits no page.
    case noPageSelected(String, pages: Int)
    /// Not enough memory is left for this many bytes.
    case outOfMemory(Int)
    /// The capture was canceled.
    case cancelled
}

extension DecodeFault {
    /// The last frame of a recording whose rest is missing, as when the recorder lost power.
    static let brokenOff = DecodeFault.damaged("the recording ends in the middle of a frame")
}
