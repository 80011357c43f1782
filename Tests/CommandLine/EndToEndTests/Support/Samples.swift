import Foundation

/// The pages that the repository brings.
enum Samples {
    static let path = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Samples").path
}
