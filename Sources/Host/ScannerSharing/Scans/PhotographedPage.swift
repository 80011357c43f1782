import BlockingWork
import CaptureHost
import CaptureKit
import Delivery
import ESCL
import FoundationEssentials
import Glibc
import Imaging
import JobOptions
import LiveCapture
import ScanService

/// Makes a camera usable like a scanner's glass: the page that lies still under it is flattened and
/// put at the place, and in the size, that a client requested.
struct PhotographedPage {
    let service: ScanService
    let plan: ScanPlan
    /// The profile with the picture's steps; `none` for the whole frame.
    let profile: String

    /// The maximum wait for a page.
    static let patience = Duration.seconds(20)
    /// The size of the glass that clients see for a camera: A4, in 1/300 inch.
    static let glass = (width: 2480, height: 3508)
    /// A page whose sides differ from the glass's by less is scaled to it; others keep their shape,
    /// with white beside them.
    private static let tolerance = 0.03

    /// The abilities of a camera, as clients see them.
    static var abilities: DeviceAbilities {
        var abilities = DeviceAbilities()
        abilities.isCamera = true
        abilities.inputs[.platen] = ScannerCapabilities.Input(
            least: (300, 300), most: glass, colorModes: [.gray, .color],
            resolutions: [75, 100, 150, 200, 300])
        return abilities
    }

    /// Waits for a page, and stores it as a scanner's page of the plan's size.
    ///
    /// - Throws: ``HostError`` `feederEmpty` when none appears; `CancellationError` when stopped.
    func capture(_ camera: ListedDevice, through folder: String, control: ScanControl) async throws
        -> CapturedPage
    {
        let live = LiveControl()
        control.whenStopped { live.scan.stop() }
        let isWhole = profile == "none"
        var order = ScanOrder(
            sources: [camera.id], outputs: [folder + "/photo.png"], profile: profile, limit: 1,
            omittedSteps: isWhole ? [] : ["text"])
        order.options[.keepsBlankPages] = true
        if isWhole { live.captureNow() }
        let outcome = try await service.watch(
            camera, order, options: LiveOptions(idle: Self.patience, isManual: isWhole),
            control: live, onEvent: { _ in }, onLive: { _ in })
        if control.isStopped { throw CancellationError() }
        if let failure = outcome.failures.first {
            throw HostError(.spoolFailed, "\(failure)")
        }
        guard let path = outcome.receipts.first?.locations.first else {
            throw HostError(
                HostError.Code(.feederEmpty),
                "no page lay still under '\(camera.id)' within \(Self.patience.components.seconds) seconds",
                advice: "Put one under the camera, then scan again")
        }
        return try await onOwnThread {
            let photo = try Raster.decoded(from: readFile(path) ?? [])
            unlink(path)
            // A whole frame is put in the same place as a page, because clients cut off
            // everything beyond the requested size.
            return try Self.store(Self.laid(photo, plan), plan, in: folder)
        }
    }

    /// The requested part of the glass, with the page on it.
    static func laid(_ photo: Raster, _ plan: ScanPlan) -> Raster {
        func pixels(_ length: Int) -> Int { max(1, length * plan.resolution / 300) }
        let (width, height) = (pixels(glass.width), pixels(glass.height))
        let scale = min(
            Double(width) / Double(photo.width), Double(height) / Double(photo.height))
        var (across, down) = (
            max(1, Int(Double(photo.width) * scale)), max(1, Int(Double(photo.height) * scale))
        )
        let shape = Double(photo.width) / Double(photo.height)
        let own = Double(width) / Double(height)
        if abs(shape / own - 1) < tolerance { (across, down) = (width, height) }
        let page = photo.converted(to: plan.colorMode == .gray ? .gray8 : .rgb8)
            .resized(to: across, down)
        var glass = Raster(
            width: width, height: height, format: page.format,
            resolution: Double(plan.resolution))
        let bytes = page.format.minimumStride(width: across)
        let stride = glass.stride
        page.withBytes { source in
            glass.withMutableBytes { target in
                target.initializeMemory(as: UInt8.self, repeating: 255)
                for row in 0..<down {
                    UnsafeMutableRawBufferPointer(rebasing: target[(row * stride)...]).copyMemory(
                        from: UnsafeRawBufferPointer(
                            rebasing: source[(row * page.stride)...].prefix(bytes)))
                }
            }
        }
        let region = plan.region
        return glass.cropped(
            to: PixelRect(
                x: region.x * plan.resolution / 300, y: region.y * plan.resolution / 300,
                width: pixels(region.width), height: pixels(region.height)))
    }

    private static func store(_ picture: Raster, _ plan: ScanPlan, in folder: String) throws
        -> CapturedPage
    {
        let page = picture.converted(to: plan.colorMode == .gray ? .gray8 : .rgb8)
        let frame = FrameDescription(
            format: plan.colorMode == .gray ? .gray8 : .rgb8, width: page.width,
            height: page.height, stride: page.stride,
            resolution: Resolution(x: Double(plan.resolution)))
        return try page.withBytes {
            try SpoolFolder(path: folder, isKept: false).store(1, frame, rows: $0)
        }
    }
}
