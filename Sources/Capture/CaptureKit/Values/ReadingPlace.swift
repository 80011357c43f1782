/// What a device that reads files reads next, and where a capture begins that continues after it.
///
/// A backend that crashes or hangs over a file is restarted, and the capture continues with the
/// next page or file.
public struct ReadingPlace: Codable, Hashable, Sendable {
    /// A page that could not be read and is not reported yet, since it is reported only along with
    /// a good one.
    public struct Held: Codable, Hashable, Sendable {
        /// What the page is called.
        public var label: String?
        /// Why it could not be read.
        public var error: CaptureError

        /// A page and why it could not be read.
        public init(label: String?, error: CaptureError) {
            self.label = label
            self.error = error
        }
    }

    /// What the page is called, such as `scan.tiff, page 3`.
    public var label: String?
    /// Where a capture begins that leaves out this page; of a form of the backend's own, at most
    /// 16,384 bytes.
    public var next: String
    /// Where a capture begins that leaves out the rest of the file.
    public var rest: String
    /// The pages that were held back since the place before; nil for none.
    public var held: [Held]?

    /// A place in what is read.
    public init(label: String?, next: String, rest: String, held: [Held] = []) {
        self.label = label
        self.next = next
        self.rest = rest
        self.held = held.isEmpty ? nil : held
    }

    /// The most bytes of `next` and `rest`.
    package static let longest = 16_384
}
