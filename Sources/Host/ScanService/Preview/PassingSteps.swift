package import CaptureHost
import CaptureKit
package import Documents
package import Imaging
import Processing
import Recognition

/// A profile's steps for pages that belong to no job.
package struct PassingSteps: Sendable {
    /// A page after the steps.
    package struct Page: Sendable {
        /// The picture.
        package let image: Raster
        /// The text that was read, in the picture's pixels; nil for none.
        package let text: PageText?
    }

    fileprivate let pipeline: PagePipeline
    fileprivate let device: String

    /// True when pages come out as they went in.
    package var leavesPages: Bool { pipeline.leavesPages }

    /// Processes a captured page with the steps.
    ///
    /// - Returns: at least one page; several where a step splits the picture.
    /// - Throws: ``HostError`` when the page's file is gone; `CancellationError`.
    package func process(_ page: CapturedPage) async throws -> [Page] {
        let input = PageInput(
            image: try page.raster().image,
            provenance: Provenance(device: device, label: page.description.label),
            facts: page.facts, number: page.number)
        return try await pipeline.process(input).map { Page(image: $0.image, text: $0.text) }
    }
}

extension ScanService {
    /// The steps of a profile.
    ///
    /// - Parameters:
    ///   - readsText: whether text is read, also where the profile reads none.
    ///   - device: where the pages come from.
    /// - Throws: `ProfileError` for a profile that can't be read.
    package func passingSteps(of profile: String, readsText: Bool, device: String) throws
        -> PassingSteps
    {
        var order = ScanOrder(
            sources: [], outputs: [], profile: profile, omittedSteps: readsText ? [] : ["text"])
        var steps = try self.profile(for: order)
        if readsText, steps.text == nil {
            order.stepChanges = ["text=on"]
            steps = try self.profile(for: order)
        }
        return PassingSteps(pipeline: try pipeline(for: steps), device: device)
    }
}
