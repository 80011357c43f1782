import BlockingWork
public import CaptureHost
import CaptureKit
public import Delivery
import Detection
import Documents
import FileNames
import FoundationEssentials
import Glibc
import Imaging
public import Processing

/// Looks for a page in each of some pictures, and writes those found as a document.
///
/// Pictures come through the file backend's process like every page, so any fault of one
/// stays there.
public struct PictureSearch: Sendable {
    /// The result of searching all pictures.
    public struct Outcome: Sendable {
        /// The pictures in the order of their files.
        public var pictures: [SearchedPicture] = []
        /// The documents that were written.
        public var receipts: [Receipt] = []
        /// The pictures that could not be searched.
        public var failures: [DeliveryFailure] = []
    }

    private let host: CaptureHost
    private let search: PageSearch
    private let wantsAll: Bool
    private let queue = OwnQueue(label: "copystand.detect")

    /// A search that reads pictures through `host`.
    ///
    /// - Parameters:
    ///   - host: opens the files.
    ///   - target: the kind of object to look for; a page unless given.
    ///   - wantsAll: whether to find every page in view, or only the main one,
    ///     which is the default.
    public init(
        host: CaptureHost, looksFor target: Profile.Target = .page, wantsAll: Bool = false
    ) {
        self.host = host
        search = PageSearch(for: target)
        self.wantsAll = wantsAll
    }

    /// Searches the pictures of `files` one after another.
    ///
    /// - Parameters:
    ///   - files: absolute paths, each with its name in the outcome.
    ///   - outputs: files to write the found pages to, made rectangular; the extension chooses the
    ///     format. None when empty.
    /// - Throws: ``DeliveryError`` when an output is refused before anything is read, ``JobError``
    ///   without a temporary folder, `CancellationError`. Problems of a picture are reported in the
    ///   outcome.
    public func run(
        _ files: [(name: String, path: String)], outputs: [String]
    ) async throws -> Outcome {
        let sinks = try outputs.map { try FileSink(path: $0) }
        let title = files.first.map { FileNames.title($0.path.lastComponent) } ?? "Pages"
        let delivering = try Delivering(
            sinks, DocumentInfo(title: title, created: Date().timeIntervalSince1970), now: Date.init
        ) { _ in }
        do {
            let folder = try TemporarySpool()
            var outcome = Outcome()
            var written = 0
            for file in files {
                outcome.pictures += try await pictures(
                    of: file, in: folder, to: sinks.isEmpty ? nil : delivering, &written)
            }
            if written == 0 {
                await delivering.cancel()
            } else {
                outcome.receipts = await delivering.finish()
            }
            outcome.failures = delivering.failures
            return outcome
        } catch {
            await delivering.cancel()
            throw error
        }
    }

    /// The pictures in one file; an error stands for a file that can't be opened, or for the rest
    /// after a failure.
    private func pictures(
        of file: (name: String, path: String), in folder: TemporarySpool,
        to delivering: Delivering?, _ written: inout Int
    ) async throws -> [SearchedPicture] {
        try Task.checkCancellation()
        var pictures: [SearchedPicture] = []
        do {
            let device = try await host.open(try await host.find("file:" + file.path))
            do {
                try refuseFolder(device.device, file.name)
                let spool = SpoolFolder(path: folder.path)
                for try await event in device.capture(CaptureRequest(), spool: spool, window: 2) {
                    switch event {
                    case .page(let page):
                        pictures.append(
                            try await examined(page, of: file, to: delivering, &written))
                    case .skipped(_, _, let error):
                        pictures.append(.init(file: file.name, result: .unreadable(error)))
                    case .began, .progress: continue
                    }
                }
            } catch {
                await device.close()
                throw error
            }
            await device.close()
        } catch let error as CancellationError {
            throw error
        } catch {
            try Task.checkCancellation()
            pictures.append(.init(file: file.name, result: .unreadable(captureError(error))))
        }
        try Task.checkCancellation()
        if pictures.count > 1 {
            for index in pictures.indices { pictures[index].number = index + 1 }
        }
        return pictures
    }

    private func refuseFolder(_ device: ListedDevice, _ name: String) throws {
        guard device.descriptor.sources.contains("folder") else { return }
        throw CaptureError(
            .unsupported, "'\(name)' is a folder", advice: "Name the pictures in it: '\(name)/'*")
    }

    private func examined(
        _ page: CapturedPage, of file: (name: String, path: String), to delivering: Delivering?,
        _ written: inout Int
    ) async throws -> SearchedPicture {
        defer { page.discard() }
        let wantsPicture = delivering != nil
        let examined = try await queue.run { [search, wantsAll] in
            try Examined(page, search, all: wantsAll, flattens: wantsPicture)
        }
        var pages: [SearchedPicture.Found] = []
        for sighting in examined.sightings {
            var found = sighting.found
            if let delivering, let flat = sighting.flat {
                written += 1
                found.place = written
                let page = Page(
                    number: written, width: flat.width, height: flat.height,
                    resolution: flat.resolution ?? 300,
                    provenance: Provenance(device: "file:" + file.path, label: file.name))
                await delivering.add(DeliveredPage(page: page, image: flat))
            }
            pages.append(found)
        }
        return SearchedPicture(
            file: file.name, result: pages.isEmpty ? .nothing : .found(pages),
            milliseconds: examined.milliseconds)
    }
}

/// The result of examining one captured page.
private struct Examined: Sendable {
    struct Sighting: Sendable {
        /// The page's corners in pixels of the picture as captured.
        var found: SearchedPicture.Found
        var flat: Raster?
    }

    var sightings: [Sighting]
    var milliseconds: Double

    init(_ page: CapturedPage, _ search: PageSearch, all: Bool, flattens: Bool) throws {
        let (image, isStretched) = try page.raster()
        // The time is that of the detector, not of the disk: every page of the mapped file is
        // loaded first.
        image.withBytes { bytes in
            var sum: UInt8 = 0
            for offset in stride(from: 0, to: bytes.count, by: 4096) { sum &+= bytes[offset] }
            withExtendedLifetime(sum) {}
        }
        let start = ContinuousClock.now
        let detected =
            all
            ? try search.detectAll(in: image)
            : try search.detectClosely(in: image).map { [$0] } ?? []
        milliseconds = (ContinuousClock.now - start) / .milliseconds(1)
        let (width, height) = (page.description.width, page.description.height ?? image.height)
        let scale = (
            x: isStretched ? Double(width) / Double(image.width) : 1,
            y: isStretched ? Double(height) / Double(image.height) : 1
        )
        sightings = try detected.map { page in
            Sighting(
                found: .init(
                    corners: page.quad.corners.map { .init(x: $0.x * scale.x, y: $0.y * scale.y) },
                    confidence: page.confidence),
                flat: flattens ? try search.flattened(page, in: image) : nil)
        }
    }
}
