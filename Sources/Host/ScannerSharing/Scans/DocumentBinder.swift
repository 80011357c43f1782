import CaptureHost
import CaptureKit
import Delivery
import Documents
import ESCL
import Imaging
import ScanService
import Synchronization

/// Gathers pages for one PDF.
final class DocumentBinder: Sendable {
    private struct State {
        var pages = 0
        var size: (width: Int, height: Int, bytesPerLine: Int) = (0, 0, 0)
    }

    private let path: String
    private let writer: any SinkWriter
    private let resolution: Int
    private let device: String
    private let state = Mutex(State())

    /// Begins a PDF in the job's own folder.
    ///
    /// - Parameters:
    ///   - time: the time when it was made, in seconds since 1970.
    ///   - resolution: dots per inch of pages that do not state theirs.
    ///   - device: the device of the pages.
    /// - Throws: `DeliveryError`.
    init(in folder: String, at time: Double, resolution: Int, device: String) throws {
        path = folder + "/pages.pdf"
        self.resolution = resolution
        self.device = device
        writer = try FileSink(path: path, options: FileSinkOptions(spoolFolder: folder))
            .begin(DocumentInfo(title: "Scan", created: time))
    }

    /// Adds a page, and blocks meanwhile.
    func add(_ image: Raster, text: PageText?) throws {
        let pages = state.withLock { state in
            state.pages += 1
            state.size = (
                image.width, image.height, image.format.minimumStride(width: image.width)
            )
            return state.pages
        }
        try writer.add(
            DeliveredPage(
                page: Page(
                    number: pages, width: image.width, height: image.height,
                    resolution: image.resolution ?? Double(resolution), text: text,
                    provenance: Provenance(device: device)), image: image))
    }

    /// The finished PDF; nil when there was no page; blocks meanwhile.
    func finish() throws -> ScannedDocument? {
        let (pages, size) = state.withLock { ($0.pages, $0.size) }
        guard pages > 0 else {
            writer.cancel()
            return nil
        }
        _ = try writer.finish()
        return try ScannedDocument(taking: path, as: .pdf, pages: pages, lastSize: size)
    }

    /// Stops writing, and deletes the unfinished PDF.
    func cancel() { writer.cancel() }
}
