import CLeptonica
import CPosix
import CaptureKit
import Dispatch
import Glibc
import Recognition

/// The process in which Tesseract reads pages: a reader like any other.
public enum RecognizerHelper {
    /// Answers the host on descriptor 3 until it is gone; the main of a helper process.
    ///
    /// Call it first thing in `main`, before anything else is set up.
    public static func run() -> Never {
        let socket = OwnedDescriptor(3)
        guard cposix_is_socket(socket.raw) == 1 else {
            let words = "The recognizer's helper is started by the program itself, not by hand.\n"
            _ = words.withCString { write(2, $0, strlen($0)) }
            exit(2)
        }
        cposix_keep_freed_memory()
        // The process has a low priority. A page can be read a little later, but a feeder that must
        // wait stops, and the scan may smear.
        _ = nice(5)
        endWithHost(socket)
        setMsgSeverity(Int32(L_SEVERITY_NONE))
        let writer = WireWriter(socket: socket)
        let reader = WireReader(socket: socket, acceptsDescriptors: true)
        var cache = EngineCache(writer: writer)
        // A malformed message ends the process, which the host notices.
        while let request = try? reader.next(), (try? cache.answer(request)) != nil {
            cposix_give_back_memory()
        }
        // Exits without running the engine's destructors, which complain about a cache that is
        // freed anyway.
        _exit(0)
    }

    /// Ends the process as soon as the host's end of the socket is closed, even while the engine
    /// reads.
    private static func endWithHost(_ socket: OwnedDescriptor) {
        DispatchQueue(label: "host").async {
            while true {
                var polled = pollfd(fd: socket.raw, events: 0, revents: 0)
                if poll(&polled, 1, -1) > 0 { _exit(0) }
            }
        }
    }
}

/// Answers requests, and keeps the engines that answered the last ones.
private struct EngineCache {
    let writer: WireWriter
    private var reader: Engine?
    private var codeReader: Engine?
    private var detector: Engine?

    init(writer: WireWriter) { self.writer = writer }

    /// Answers a request.
    ///
    /// - Throws: `WireError` for a request that it does not know.
    mutating func answer(_ line: WireLine) throws {
        guard let number = line.header.request else { return }
        let answer = WireHeader(answer: number)
        do {
            switch line.header.verb.flatMap(ReaderVerb.init) {
            case .hello:
                try writer.send(
                    answer,
                    ReaderWire.HelloAnswer(
                        name: "Tesseract", languages: installedLanguages(),
                        capabilities: ["orientation", "layouts"]))
            case .prepare:
                let request = try line.decode(ReaderWire.Request.self)
                _ = try engine(&reader, request.languages)
                try writer.send(answer)
            case .read:
                let request = try line.decode(ReaderWire.Request.self)
                let (lines, facts) = try read(request, line.descriptor, number)
                for line in lines {
                    var event = WireHeader()
                    event.event = ReaderEvent.line.rawValue
                    try writer.send(event, line)
                }
                try writer.send(answer, facts)
            case .orientation:
                let request = try line.decode(ReaderWire.Request.self)
                let guess = try engine(&detector, ["osd"]).orientation(
                    of: try page(of: request, line.descriptor))
                try writer.send(answer, ReaderWire.OrientationAnswer(guess))
            case nil:
                throw CaptureError(.unsupported, "there is no verb '\(line.header.verb ?? "")'")
            }
        } catch let refusal as EngineRefusal {
            try writer.send(refused(number, CaptureError(.internalFault, refusal.description)))
        } catch let error as CaptureError {
            try writer.send(refused(number, error))
        }
    }

    private func refused(_ number: Int, _ error: CaptureError) -> WireHeader {
        WireHeader(answer: number, error: error)
    }

    private mutating func read(
        _ request: ReaderWire.Request, _ file: OwnedDescriptor?, _ number: Int
    ) throws -> (lines: [ReaderWire.Line], answer: ReaderWire.ReadAnswer) {
        let page = try page(of: request, file)
        let layout = request.layout ?? .any
        let engine =
            layout == .code
            ? try engine(&codeReader, request.languages, readsCodes: true)
            : try engine(&reader, request.languages)
        return try engine.read(
            page, layout, milliseconds: request.milliseconds, reading: number)
    }

    private func page(
        of request: ReaderWire.Request, _ file: OwnedDescriptor?
    ) throws -> PreparedPage {
        guard let form = request.picture, let file, let picture = Picture(form, in: file) else {
            throw CaptureError(.damagedData, "the page's picture did not arrive completely")
        }
        return PreparedPage(
            picture, resolution: form.resolution, keepsSize: request.keepsSize ?? false)
    }

    private func engine(
        _ kept: inout Engine?, _ languages: [String], readsCodes: Bool = false
    ) throws(EngineRefusal) -> Engine {
        if let kept, kept.languages == languages { return kept }
        kept = nil
        let engine = try Engine(languages, readsCodes: readsCodes)
        kept = engine
        return engine
    }
}
