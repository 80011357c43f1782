/// A page's pixels in a file of their own, after room for a header: a sink that writes pixels as
/// they are may take the file itself.
///
/// The file must hold the page's picture, row after row without gaps, and nothing after it. It has
/// one name, and the sink that takes it adds another: from then on, writing to one writes to the
/// other.
public struct SpooledPicture: Hashable, Sendable {
    /// The room that the sinks of this module need, in bytes.
    public static let room = 4096

    /// The file's path.
    public var path: String
    /// The bytes before the first row, which a sink may write to.
    public var room: Int

    /// The picture in a file.
    public init(path: String, room: Int) {
        self.path = path
        self.room = room
    }
}
