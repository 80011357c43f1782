/// The place in a file that a device reads next, and the places where a later capture can continue.
///
/// A backend that crashes or hangs over a file is restarted, and the capture continues with the
/// next page or file.
public struct ReadingPlace: Codable, Hashable, Sendable {
    /// An unreadable page that was not reported yet, because it is reported only together with a
    /// good page.
    public struct Held: Codable, Hashable, Sendable {
        /// The page's name.
        public var label: String?
        /// The reason why the page could not be read.
        public var error: CaptureError

        /// An unreadable page, with the reason.
        public init(label: String?, error: CaptureError) {
            self.label = label
            self.error = error
        }
    }

    /// The page's name, such as `scan.tiff, page 3`.
    public var label: String?
    /// The place from which a capture continues without this page; in the backend's own form, at
    /// most 16,384 bytes.
    public var next: String
    /// The place from which a capture continues without the rest of the file; in the same form.
    public var rest: String
    /// The unreadable pages since the previous place that are not yet reported; nil for none.
    public var held: [Held]?

    /// A place in a file or folder.
    public init(label: String?, next: String, rest: String, held: [Held] = []) {
        self.label = label
        self.next = next
        self.rest = rest
        self.held = held.isEmpty ? nil : held
    }

    /// The maximum number of bytes of `next` and `rest`.
    package static let longest = 16_384
}
