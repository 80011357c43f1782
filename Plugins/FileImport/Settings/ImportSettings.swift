/// The values of a device's options.
struct ImportSettings: Hashable, Sendable {
    /// The frame rates of recordings that are accepted.
    static let rates = 0.01...1_000

    /// Dots per inch at which PDF pages are rendered.
    var resolution = 300
    /// The pages to read of each file.
    var pages = PageSelection.all
    /// Opens encrypted PDFs; empty for none.
    var password = ""
    /// Dots per inch of pictures that name none; 0 for unknown.
    var assumedResolution = 0
    /// True if folders in a folder are followed.
    var recursive = false
    /// True if damaged pictures are refused.
    var strict = false
    /// Frames per second of a recording; 0 for its own rate.
    var rate = 0.0
}
