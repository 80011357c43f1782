import CaptureHost
import CaptureKit
import ESCL
import ExpectedFailures
public import HTTPServer
import Synchronization

/// Answers eSCL for the shared devices: capabilities, status, jobs and their documents, and nothing
/// else of the host.
///
/// eSCL has no names for clients, so a job belongs to the address that began it. To every other
/// address, it does not exist.
public final class SharingServer: HTTPHandler {
    private let scanners: SharedScanners
    /// Networks that may scan; nil for those of this machine's interfaces.
    private let allowed: [Network]?
    private let scheme: String

    /// The maximum size of a request's body in bytes.
    private static let bodyLimit = 64 << 10

    /// A server of the scanners that are shared.
    ///
    /// - Parameters:
    ///   - allowed: the networks that may scan; nil for those of this machine's interfaces.
    ///   - isSecure: whether it is reached by TLS.
    public init(
        _ scanners: SharedScanners, allowed: [Network]? = nil, isSecure: Bool = false
    ) {
        self.scanners = scanners
        self.allowed = allowed
        scheme = isSecure ? "https" : "http"
    }

    // MARK: Admission

    /// Refuses foreign networks and pages, and unexpected bodies.
    public func admit(_ head: HTTPRequestHead) -> HTTPAdmission {
        guard mayScan(head.peer) else {
            return .refused(
                words(403, "This scanner is not shared with your network."))
        }
        guard head.count(ofHeader: "Host") == 1, let host = head.header("Host"),
            scanners.names.areMeant(by: host)
        else { return .refused(words(403, "This scanner does not answer to that name.")) }
        // Browsers send these headers with the requests of a page; scanning programs never send
        // them.
        let site = head.header("Sec-Fetch-Site")
        guard head.header("Origin") == nil, site == nil || site == "none" || site == "same-origin"
        else { return .refused(words(403, "A web page may not use this scanner.")) }
        return .memory(limit: head.method == "POST" || head.method == "PUT" ? Self.bodyLimit : 0)
    }

    private func mayScan(_ peer: String) -> Bool {
        let address = PeerAddress(peer)
        if address.isLoopback { return true }
        let own = Network.ofThisMachine().contains { $0.contains(address.text) }
        guard let allowed else { return own }
        return allowed.contains { $0.contains(address.text) }
    }

    // MARK: Answers

    /// Answers with a scanner's state, which clients request often.
    public func answerAtOnce(_ head: HTTPRequestHead) -> HTTPResponse? {
        guard head.method == "GET", let (scanner, _, rest) = scanner(head.path),
            rest == ["ScannerStatus"]
        else { return nil }
        return xml(scanner.status(for: Self.client(head)).document)
    }

    /// Answers a request.
    public func respond(to request: HTTPRequest) async -> HTTPResponse {
        let head = request.head
        let host = head.header("Host") ?? "localhost"
        if head.path.isEmpty || head.path == ["icon.png"] {
            guard head.method == "GET" else { return notAllowed("GET") }
            return head.path.isEmpty ? scanners.page() : SharedScanners.icon
        }
        guard let (scanner, root, rest) = scanner(head.path) else { return nothing }
        switch (rest.count, rest.first) {
        case (1, "ScannerCapabilities"?):
            guard head.method == "GET" else { return notAllowed("GET") }
            return await capabilities(of: scanner, "\(scheme)://\(host)")
        case (1, "ScannerStatus"?): return answerAtOnce(head) ?? notAllowed("GET")
        case (1, "ScanJobs"?):
            guard head.method == "POST" else { return notAllowed("POST") }
            return await begin(request, scanner, root: root, base: "\(scheme)://\(host)")
        case (1, "ScanBufferInfo"?):
            guard head.method == "PUT" else { return notAllowed("PUT") }
            switch await plan(request, scanner) {
            case .success(let plan): return xml(ScanBufferInfo(settings: plan.asSettings).document)
            case .failure(let refusal): return refusal.response
            }
        case (2, "ScanJobs"?):
            guard let job = scanner.job(rest[1], of: Self.client(head)) else { return nothing }
            guard head.method == "DELETE" else { return notAllowed("DELETE") }
            job.cancel()
            return HTTPResponse(status: 200)
        case (3, "ScanJobs"?):
            guard let job = scanner.job(rest[1], of: Self.client(head)) else { return nothing }
            return await answer(rest[2], of: job, head.method)
        default: return nothing
        }
    }

    /// The client of a request, to which its jobs belong.
    private static func client(_ head: HTTPRequestHead) -> String { PeerAddress(head.peer).client }

    /// The device that a path names, the part of the path before eSCL's own, and eSCL's own part.
    private func scanner(_ path: [String]) -> (SharedScanner, root: String, rest: [String])? {
        if path.first == "eSCL" {
            // SANE's own driver knows no other root, and Mopria adds it to a typed address.
            return scanners.first.map { ($0, "/eSCL", Array(path.dropFirst())) }
        }
        guard path.count >= 2, path[1] == "eSCL", let scanner = scanners.scanner(path[0]) else {
            return nil
        }
        return (scanner, "/\(path[0])/eSCL", Array(path.dropFirst(2)))
    }

    private func capabilities(of scanner: SharedScanner, _ base: String) async -> HTTPResponse {
        do {
            let abilities = try await scanner.abilities()
            return xml(
                ScannerCapabilities(
                    name: scanner.name, uuid: scanner.share.uuid, adminAddress: base + "/",
                    iconAddress: base + "/icon.png", inputs: abilities.inputs,
                    sensesPaper: abilities.sensesPaper, brightness: abilities.brightness,
                    contrast: abilities.contrast
                ).document)
        } catch {
            return unusable
        }
    }

    /// The reason why a request gets no plan.
    private struct Refusal: Error {
        var response: HTTPResponse
    }

    /// The plan for a request's settings.
    private func plan(_ request: HTTPRequest, _ scanner: SharedScanner) async
        -> Result<ScanPlan, Refusal>
    {
        guard case .bytes(let body) = request.body else {
            return .failure(Refusal(response: nothing))
        }
        let settings: ScanSettings
        do { settings = try ScanSettings(body) } catch {
            return .failure(Refusal(response: words(error.isOurs ? 500 : 400, error.message)))
        }
        guard let abilities = await ifStillThere({ try await scanner.abilities() }) else {
            return .failure(Refusal(response: unusable))
        }
        do { return .success(try ScanPlan(settings, abilities)) } catch {
            return .failure(Refusal(response: words(409, error.message)))
        }
    }

    private func begin(
        _ request: HTTPRequest, _ scanner: SharedScanner, root: String, base: String
    ) async -> HTTPResponse {
        var plan: ScanPlan
        switch await self.plan(request, scanner) {
        case .success(let made): plan = made
        case .failure(let refusal): return refusal.response
        }
        // SANE's own driver, which sends this, asks for gray PNGs and can't read them.
        plan.needsColors =
            request.head.header("Content-Type") == "application/x-www-form-urlencoded"
        guard
            let job = scanner.begin(plan, root: root, for: PeerAddress(request.head.peer))
        else {
            return words(503, "Somebody else is scanning. Try again in a few seconds.")
                .with("Retry-After", "5")
        }
        return HTTPResponse(status: 201).with("Location", base + job.path)
    }

    private func answer(_ what: String, of job: ScanJob, _ method: String) async -> HTTPResponse {
        switch what {
        case "NextDocument":
            guard method == "GET" else { return notAllowed("GET") }
            switch await job.next() {
            case .document(let document):
                var response = HTTPResponse(
                    status: 200,
                    headers: [
                        ("Content-Type", document.format.rawValue), ("Cache-Control", "no-store"),
                    ], body: .file(document.file))
                response.whenGone = { job.documentWent() }
                return response
            case .over: return nothing
            case .later:
                return words(503, "The page is not ready yet.").with("Retry-After", "1")
            case .failed(let error): return failure(error)
            }
        case "ScanImageInfo":
            guard method == "GET" else { return notAllowed("GET") }
            guard let last = job.last else { return nothing }
            return xml(
                ScanImageInfo(
                    path: job.path, width: last.width, height: last.height,
                    bytesPerLine: last.bytesPerLine
                ).document)
        default: return nothing
        }
    }

    /// The answer to a failure in a client's terms; the feeder's state in the status has details.
    private func failure(_ error: HostError) -> HTTPResponse {
        switch error.code {
        case HostError.Code(.feederEmpty): words(404, "The feeder is empty.")
        case HostError.Code(.jammed): words(409, "Paper is stuck.")
        case HostError.Code(.coverOpen): words(409, "A cover is open.")
        case HostError.Code(.doubleFeed): words(409, "Two sheets were drawn in at once.")
        case HostError.Code(.busy):
            words(503, "Somebody else is using the scanner.").with("Retry-After", "5")
        // The message may contain facts that are not for the network.
        default: words(500, "The scan failed. The host's owner can find out why.")
        }
    }

    private var unusable: HTTPResponse {
        words(503, "The scanner can't be used now.").with("Retry-After", "5")
    }

    private var nothing: HTTPResponse { words(404, "There is nothing at this address.") }

    private func notAllowed(_ method: String) -> HTTPResponse {
        words(405, "Only \(method) is understood here.").with("Allow", method)
    }

    private func words(_ status: Int, _ text: String) -> HTTPResponse {
        HTTPResponse(status: status, type: "text/plain; charset=utf-8", text: text + "\n")
            .with("Cache-Control", "no-store").with("X-Content-Type-Options", "nosniff")
    }

    private func xml(_ document: [UInt8]) -> HTTPResponse {
        HTTPResponse(
            status: 200,
            headers: [
                ("Content-Type", "text/xml; charset=utf-8"), ("Cache-Control", "no-store"),
                ("X-Content-Type-Options", "nosniff"),
            ], body: .bytes(document))
    }
}
