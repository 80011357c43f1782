import Delivery
import FileNames

/// The view for all clients who may scan: without the machine's folders, and without texts from a
/// sink's service.
enum PublicView {
    /// The text without the names of folders and without the texts of services.
    static func words(_ text: String) -> String {
        PlaceNames.removed(from: ForeignWords.removed(from: text))
    }
}
