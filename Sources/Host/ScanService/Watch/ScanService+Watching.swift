public import CaptureHost
import CaptureKit
import Detection
import JobOptions
public import LiveCapture
import Processing

// Watching a camera or a recording.
extension ScanService {
    /// Watches a camera or a recording, captures page after page, and processes and delivers them
    /// at the end.
    ///
    /// The watch ends with a stop of ``LiveControl/scan``, at the order's limit, after
    /// ``LiveOptions/idle``, or at the end of a recording; all of these are normal ends. While a
    /// camera is gone, the watch waits for it.
    ///
    /// - Parameters:
    ///   - device: the camera or recording; the order's sources are for the record. An order whose
    ///     ``ScanOrder/area`` is given in parts captures that part, which may be drawn elsewhere
    ///     meanwhile: ``LiveControl/draw(_:)``.
    ///   - onLive: called for each event of the camera, from any thread.
    /// - Throws: the errors of ``run(_:control:onEvent:)``.
    public func watch(
        _ device: ListedDevice, _ order: ScanOrder, options: LiveOptions, control: LiveControl,
        onEvent: @escaping @Sendable (ScanEvent) -> Void,
        onLive: @escaping @Sendable (LiveEvent) -> Void
    ) async throws -> ScanOutcome {
        let claim = try await queue.claim(
            device, isStopped: { control.scan.isStopped }, onEvent: onEvent)
        defer { withExtendedLifetime(claim) {} }
        return try await begin(order, control.scan, onEvent: onEvent) { profile, folder in
            var settings = profile.live
            settings.isManual = options.isManual
            settings.shapes = PageSearch.shapes(of: profile.looksFor)
            var area = LiveArea(profile.looksFor, search: search)
            if let region = order.area?.region {
                control.draw(region)
                area = .drawn(region)
            }
            if profile.looksFor == .nothing, order.area?.region == nil, !options.isManual {
                onLive(.note(time: 0, Self.looksForNothing(profile.name)))
            }
            let live = LiveFeed(
                host: host, device: device,
                request: LiveAnalyzer.Request(
                    settings: settings, area: area,
                    spool: SpoolFolder(path: folder), limit: order.options[.pages],
                    idle: options.idle.map { $0 / .seconds(1) },
                    isRecording: device.descriptor.kind == .files, stills: options.stills,
                    control: control.requests,
                    onLive: onLive), waiting: waitingClock)
            let feed = WatchedFeed(live: live, device: device, settings: order.settings)
            var record = JobRecord(order, [device.id], isRereadable: false, at: now())
            record.isRecording = device.descriptor.kind == .files ? true : nil
            return (
                record,
                { _, beginning in BegunFeed(feed: feed, beginning: beginning) }
            )
        }
    }

    private static func looksForNothing(_ profile: String) -> String {
        "The profile '\(profile)' does not look for a page, so a picture is taken only when most of it has changed, or by hand. To capture pages automatically, choose another, such as: --profile document"
    }
}

extension CaptureArea {
    /// The part of every frame that this area covers; nil for an area that is not given as
    /// fractions.
    var region: Profile.Region? {
        guard case .parts(let x, let y, let width, let height) = self else { return nil }
        return Profile.Region(left: x, top: y, width: width, height: height)
    }
}
