/// A page's pixels in a separate file, after room for a header: a sink that writes the same pixels
/// may use the file itself.
///
/// The file must contain the page's picture, row after row without gaps, and nothing after it. A
/// sink that uses the file gives it a second name: after that, both names share one file.
public struct SpooledPicture: Hashable, Sendable {
    /// The room that the sinks of this module need, in bytes.
    public static let room = 4096

    /// The path of the file.
    public var path: String
    /// The bytes before the first row, which a sink may write to.
    public var room: Int

    /// The picture in a file.
    public init(path: String, room: Int) {
        self.path = path
        self.room = room
    }
}
