import CaptureHost
import CaptureKit
import ContractSupport
import Delivery
import Documents
import Glibc
@testable import HTTPServer
import Imaging
import Processing
import Recognition
import ScanService
import Testing
import VirtualBackend

@testable import ScannerSharing

/// The virtual scanners, shared by a server that tests use without a network.
final class SharingBench: Sendable {
    let folder: TemporaryFolder
    let scanners: SharedScanners
    let sharing: SharingSettings
    let server: SharingServer
    let claims: DeviceClaims
    private let host: CaptureHost

    /// Time limits that a busy machine does not reach.
    static let patient = ScanJob.Limits(idle: .seconds(600), busy: .seconds(600))

    /// - Parameters:
    ///   - settings: Options of every device, set when it is opened.
    ///   - profile: The profile that processes the pages.
    ///   - allowed: The networks that may scan; nil for this machine's.
    ///   - text: The text that is read on every page; nil for PDFs without text.
    init(
        _ settings: [String: OptionValue] = [:], device: String = "virtual:feeder",
        profile: String? = nil, text: String? = nil, limits: ScanJob.Limits = patient,
        allowed: [Network]? = nil
    ) throws {
        folder = try TemporaryFolder()
        host = CaptureHost(
            HostConfiguration(backendFolders: [], stateFile: folder.file("devices.json")),
            inProcess: ["virtual": PresetBackend(VirtualBackend(environment: [:]), settings)])
        sharing = SharingSettings(path: folder.file("shares.json"))
        claims = DeviceClaims(folder: folder.file("claims"))
        try sharing.add(
            device: device, name: "Scanner", profile: profile, readsText: text.map { _ in true })
        scanners = SharedScanners(
            sharing, host: host,
            service: ScanService(
                host: host, store: JobStore(root: folder.file("spool")),
                profiles: ProfileLibrary(folder: folder.file("profiles")),
                recognizer: OneWordReader(word: text ?? ""), workers: 1,
                namedSink: { _ in throw DeliveryError(.invalidOption, "none") }
            ).claiming(with: claims, as: "a scan from the network", waits: false), names: [],
            limits: limits)
        try scanners.refresh()
        server = SharingServer(scanners, allowed: allowed)
    }

    /// Sends a request as a client on this machine.
    ///
    /// A refusal at admission is returned as the answer.
    func ask(
        _ method: String, _ path: String, _ body: String = "", peer: String = "127.0.0.1",
        headers: [(name: String, value: String)] = [(name: "Host", value: "localhost:8471")]
    ) async -> HTTPResponse {
        let head = HTTPRequestHead(
            method: method, path: path.split(separator: "/").map(String.init), headers: headers,
            peer: peer)
        switch server.admit(head) {
        case .refused(let response): return response
        case .memory(let limit) where body.utf8.count > limit:
            return HTTPResponse(status: 413)
        default:
            return await server.respond(
                to: HTTPRequest(head: head, body: .bytes(Array(body.utf8))))
        }
    }

    /// Requests the next page of a job.
    ///
    /// The request is repeated until the page is there, as clients do.
    func next(_ job: String, peer: String = "127.0.0.1") async -> HTTPResponse {
        for _ in 0..<40 {
            let answer = await ask("GET", job + "/NextDocument", peer: peer)
            if answer.status != 503 { return answer }
        }
        return HTTPResponse(status: 503)
    }

    /// Requests a scan.
    ///
    /// Returns the path of its job, or nil if the scan was refused.
    func order(_ inside: String, peer: String = "127.0.0.1") async -> String? {
        let answer = await ask("POST", "eSCL/ScanJobs", Self.settings(inside), peer: peer)
        guard answer.status == 201,
            let place = answer.headers.first(where: { $0.name == "Location" })?.value
        else { return nil }
        return place.replacing("http://localhost:8471/", with: "")
    }

    static func settings(_ inside: String) -> String {
        """
        <scan:ScanSettings xmlns:pwg="http://www.pwg.org/schemas/2010/12/sm" \
        xmlns:scan="http://schemas.hp.com/imaging/escl/2011/05/03">\(inside)</scan:ScanSettings>
        """
    }

    /// The body of an answer as text.
    static func text(_ answer: HTTPResponse) -> String {
        guard case .bytes(let bytes) = answer.body else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Makes a profile of the user's own.
    func addProfile(_ name: String, _ text: String) throws {
        let folder = folder.file("profiles")
        mkdir(folder, 0o700)
        let file = fopen("\(folder)/\(name).json5", "w")
        #expect(fputs(text, file) >= 0 && fclose(file) == 0)
    }

    /// The text of a PDF in an answer, as poppler's `pdftotext` reads it.
    func pdfText(_ answer: HTTPResponse) throws -> String {
        guard case .file(let file) = answer.body else { return "" }
        var bytes = [UInt8](repeating: 0, count: file.count)
        let copy = file.duplicate()
        defer { close(copy) }
        #expect(pread(copy, &bytes, bytes.count, off_t(file.offset)) == bytes.count)
        let path = folder.file("answer.pdf")
        let written = fopen(path, "w")
        #expect(fwrite(bytes, 1, bytes.count, written) == bytes.count && fclose(written) == 0)
        let reader = try #require(popen("pdftotext '\(path)' -", "r"))
        var text = [UInt8](repeating: 0, count: 1 << 16)
        let count = fread(&text, 1, text.count, reader)
        #expect(pclose(reader) == 0)
        return String(decoding: text.prefix(count), as: UTF8.self)
    }

    /// The status once it contains all of these words, or the last status after ten seconds.
    func status(saying words: String...) async throws -> String {
        var text = ""
        for _ in 0..<500 {
            text = Self.text(await ask("GET", "eSCL/ScannerStatus"))
            if words.allSatisfy(text.contains) { break }
            try await Task.sleep(for: .milliseconds(20))
        }
        return text
    }

    deinit {
        let host = host
        Task { await host.shutdown() }
    }
}

/// A reader that reads one word on every page, or none.
private struct OneWordReader: TextRecognizer {
    let word: String

    func recognize(_ image: Raster, languages: [String]) async throws -> PageText {
        guard !word.isEmpty else { return PageText(blocks: [], languages: languages) }
        let place = Box(x: 50, y: 50, width: 200, height: 30)
        let line = TextLine(words: [Word(text: word, box: place, confidence: 1)], box: place)
        return PageText(
            blocks: [
                TextBlock(paragraphs: [Paragraph(lines: [line], box: place)], box: place)
            ], languages: languages)
    }
}

/// A backend that sets options of its devices when they are opened; no client could set these.
private struct PresetBackend: CaptureBackend {
    let backend: any CaptureBackend
    let settings: [String: OptionValue]

    init(_ backend: any CaptureBackend, _ settings: [String: OptionValue]) {
        (self.backend, self.settings) = (backend, settings)
    }

    func devices(_ query: DeviceQuery) async throws -> [DeviceDescriptor] {
        try await backend.devices(query)
    }

    func open(_ id: String) async throws -> any CaptureDevice {
        let device = try await backend.open(id)
        for (name, value) in settings { _ = try await device.set(name, to: value) }
        return device
    }
}
