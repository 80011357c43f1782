import Delivery

/// What is told to all who may scan: nothing of the machine's folders, and nothing that a sink's
/// service itself said.
enum ForEveryone {
    /// The text without either.
    static func words(_ text: String) -> String {
        PlaceNames.removed(from: ForeignWords.removed(from: text))
    }
}
