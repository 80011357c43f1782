import Delivery

/// What all clients who may scan can see: nothing about the machine's folders, and nothing that a
/// sink's service itself said.
enum PublicView {
    /// The text without either.
    static func words(_ text: String) -> String {
        PlaceNames.removed(from: ForeignWords.removed(from: text))
    }
}
