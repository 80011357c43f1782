/// The reason why a job's capture ended early, and the place where it continues.
public struct Interruption: Codable, Hashable, Sendable {
    /// The device's error code, such as `jammed`, or `stopped` when the user stopped it.
    public var code: String
    /// The event, for people: one sentence without a period.
    public var reason: String
    /// The sheet to continue with; nil for pages that do not come in sheets.
    public var next: NextSheet?

    /// The code of a job that its user stopped.
    public static let stopped = "stopped"

    /// The code of a job that has the only copy of an input that could not be read completely.
    public static let unread = "unread"

    /// The code of a job whose program ended in the middle of it.
    public static let broken = "broken"
}
