import BlockingWork
import CaptureHost
import ESCL
import FoundationEssentials
import Imaging
import ScanService

/// Makes documents from captured pages, in the form that a client and the share's owner request.
struct PageEncoder: Sendable {
    private let plan: ScanPlan
    private let folder: String
    private let queue = OwnQueue(label: "copystand.sharing.encode")
    /// The processing of each page; nil for none.
    private let steps: PassingSteps?
    /// The binder for the PDF of all pages; nil if each page becomes a picture.
    private let binder: DocumentBinder?

    /// - Parameter folder: the job's own folder.
    /// - Throws: `ProfileError` for a missing profile; `DeliveryError`.
    init(
        _ plan: ScanPlan, _ share: SharingSettings.Share, _ service: ScanService, in folder: String
    ) throws {
        (self.plan, self.folder) = (plan, folder)
        // A camera's page has been through its profile already.
        let steps = try service.passingSteps(
            of: plan.isPhotograph ? "none" : share.profile ?? "none",
            readsText: share.readsText == true && plan.format == .pdf, device: share.device)
        self.steps = steps.leavesPages ? nil : steps
        binder =
            try plan.format == .pdf
            ? DocumentBinder(
                in: folder, at: Date().timeIntervalSince1970, resolution: plan.resolution,
                device: share.device) : nil
    }

    /// The documents that a page becomes; none for a page that goes into the PDF.
    ///
    /// - Throws: ``HostError``, `DeliveryError`, `CancellationError`.
    func encode(_ page: CapturedPage) async throws -> [ScannedDocument] {
        guard let steps else {
            return try await queue.run {
                guard let binder else {
                    return [
                        try ScannedDocument(
                            page, as: plan.format, needsColors: plan.needsColors,
                            resolution: plan.resolution, in: folder)
                    ]
                }
                try binder.add(try page.raster().image, text: nil)
                return []
            }
        }
        let pages = try await steps.process(page)
        return try await queue.run {
            try pages.compactMap { page in
                let image = page.image.converted(to: plan.pixelFormat)
                guard let binder else {
                    return try ScannedDocument(
                        image, as: plan.format, needsColors: plan.needsColors,
                        resolution: plan.resolution, in: folder)
                }
                try binder.add(image, text: page.text)
                return nil
            }
        }
    }

    /// The PDF of all pages; nil if each page became a picture.
    func finish() async throws -> ScannedDocument? { try await queue.run { try binder?.finish() } }

    /// Stops writing, and deletes the unfinished PDF, if there is one.
    func cancel() async { await queue.run { binder?.cancel() } }
}
