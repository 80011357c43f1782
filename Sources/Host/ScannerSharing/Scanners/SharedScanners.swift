public import CaptureHost
import ESCL
import ExpectedFailures
import HTTPServer
import ProgramFiles
public import ScanService
import Synchronization

/// The shared devices of this host, according to the sharing settings.
public final class SharedScanners: Sendable {
    /// A shared device for an announcement.
    public struct Announced: Hashable, Sendable {
        /// The name under which the device is listed.
        public var name: String
        /// The device's UUID.
        public var uuid: String
        /// The path at which its eSCL begins, without a leading slash.
        public var root: String
        /// True when the scanner has a feeder.
        public var hasFeeder: Bool
        /// True when its feeder takes both sides.
        public var hasDuplex: Bool
        /// True when the scanner has a glass.
        public var hasPlaten: Bool
        /// The words for its color modes, such as `color,grayscale`.
        public var colors: String
    }

    private let service: ScanService
    private let host: CaptureHost
    private let sharing: SharingSettings
    private let limits: ScanJob.Limits
    let names: OwnNames
    private let scanners = Mutex<[SharedScanner]>([])

    /// The shares in the settings; none is served until ``refresh()``.
    ///
    /// - Parameter names: other names of this machine besides its own, its addresses and
    ///   `localhost`.
    public convenience init(
        _ sharing: SharingSettings, host: CaptureHost, service: ScanService, names: [String] = []
    ) {
        self.init(sharing, host: host, service: service, names: names, limits: ScanJob.Limits())
    }

    init(
        _ sharing: SharingSettings, host: CaptureHost, service: ScanService, names: [String],
        limits: ScanJob.Limits
    ) {
        self.names = OwnNames(others: names)
        (self.sharing, self.host, self.service) = (sharing, host, service)
        self.limits = limits
    }

    /// Accepts another name of this machine, such as the one from mDNS.
    public func answer(to name: String) { names.add(name) }

    /// Serves exactly the devices in the present settings.
    ///
    /// - Throws: the reason why the settings can't be read; the shared devices stay shared.
    public func refresh() throws {
        let shares = try sharing.shares().filter { !SharingSettings.isForeign($0.device) }
        let gone = scanners.withLock { scanners in
            let kept = scanners.filter { scanner in
                shares.contains { $0.isSame(as: scanner.share) }
            }
            let gone = scanners.filter { scanner in !kept.contains { $0 === scanner } }
            scanners = shares.map { share in
                kept.first { $0.share.isSame(as: share) }
                    ?? SharedScanner(
                        share, service: service, host: host, sharing: sharing, limits: limits)
            }
            return gone
        }
        for scanner in gone { scanner.close() }
    }

    /// Requests the capabilities of every device without known ones; a missing device is tried
    /// again later.
    ///
    /// - Returns: the devices that can be announced.
    public func announced() async -> [Announced] {
        var found: [Announced] = []
        for (index, scanner) in scanners.withLock({ $0 }).enumerated() {
            guard let abilities = await repeatedSoon({ try await scanner.abilities() }) else {
                continue
            }
            let inputs = abilities.inputs
            let modes = Set(inputs.values.flatMap(\.colorModes))
            let words = [
                (modes.contains(.blackAndWhite), "binary"), (modes.contains(.gray), "grayscale"),
                (modes.contains(.color), "color"),
            ]
            found.append(
                Announced(
                    name: scanner.name, uuid: scanner.share.uuid,
                    root: scanner.share.root(isFirst: index == 0),
                    hasFeeder: inputs[.feeder] != nil || inputs[.feederDuplex] != nil,
                    hasDuplex: inputs[.feederDuplex] != nil, hasPlaten: inputs[.platen] != nil,
                    colors: words.filter(\.0).map(\.1).joined(separator: ",")))
        }
        return found
    }

    /// The device that was shared first.
    var first: SharedScanner? { scanners.withLock(\.first) }

    /// The device whose addresses contain that part.
    func scanner(_ slug: String) -> SharedScanner? {
        scanners.withLock { $0.first { $0.share.slug == slug } }
    }

    /// Stops all jobs, and accepts no more.
    public func shutDown() {
        for scanner in scanners.withLock({ $0 }) { scanner.close() }
    }

    /// A page for people who open the announced address.
    func page() -> HTTPResponse {
        let names = scanners.withLock { $0.map(\.name) }
        let items = names.map { "<li>\(Self.escaped($0))</li>" }.joined()
        return HTTPResponse(
            status: 200, type: "text/html; charset=utf-8",
            text: """
                <!doctype html><meta charset="utf-8"><title>Copystand</title>
                <h1>Shared by Copystand</h1><ul>\(items)</ul>
                <p>Add one as a scanner in your system's settings, or choose it in your scanning \
                program.</p>

                """
        ).with("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
    }

    /// The picture that lists show next to the scanners.
    static var icon: HTTPResponse {
        HTTPResponse(
            status: 200, headers: [("Content-Type", "image/png")],
            body: .bytes(
                ProgramFiles.bytes(of: "Sources/Host/ScannerSharing/icon.png")))
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            default: result.append(character)
            }
        }
        return result
    }
}
