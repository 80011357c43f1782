import Documents
import Imaging

/// Writes one document in one format.
///
/// A writer is used by one thread at a time, and cleans up when it is released.
protocol FormatWriter: AnyObject {
    /// Adds a page at the end.
    func add(_ page: DeliveredPage) throws

    /// Receives the findings in the whole document, after its last page.
    func note(_ found: DocumentFindings) throws

    /// Completes the document.
    ///
    /// - Returns: the document's files, in the order of the pages, still under temporary names.
    func finish() throws -> [PartialFile]

    /// Notes for people about the writing of the document; empty for most
    /// formats.
    var notes: [String] { get }
}

extension FormatWriter {
    /// Does nothing by default, because most formats have no place for such facts.
    func note(_ found: DocumentFindings) throws {}

    /// Nothing.
    var notes: [String] { [] }
}

/// The folder and settings for a format's writer.
struct FormatContext: Sendable {
    /// The folder of the document.
    let folder: OutputFolder
    /// The folder for pages that wait.
    let spoolFolder: OutputFolder
    /// The document's name, its ending included, for messages and temporary names.
    let name: String
    let info: DocumentInfo
    let options: FileSinkOptions
}

/// The resolution to write for a page, in dots per inch.
///
/// The page's own value counts if it is from 1 to 100,000 dpi; otherwise that of its picture, or
/// else 300.
func resolution(of page: DeliveredPage) -> Double {
    if believable.contains(page.page.resolution) { return page.page.resolution }
    if let known = page.image.resolution, believable.contains(known) { return known }
    return 300
}

/// The resolution to write for a page's height, which differs where its pixels are not square.
func resolutionDown(of page: DeliveredPage) -> Double {
    if let down = page.page.resolutionDown, believable.contains(down) { return down }
    return resolution(of: page)
}

private let believable = 1.0...100_000.0
