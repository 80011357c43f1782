import CLeptonica
import CPosix
import Dispatch
import Glibc
import Recognition

/// The helper process in which an engine reads pages for a ``RecognizerPool``.
public enum RecognizerHelper {
    /// Answers the host on descriptor 3 until it is gone; the main of a helper process.
    ///
    /// Call it first thing in `main`, before anything else is set up.
    public static func run() -> Never {
        let channel = HelperChannel(descriptor: 3)
        guard isSocket(channel.descriptor) else {
            let words = "The recognizer's helper is started by the program itself, not by hand.\n"
            _ = words.withCString { write(2, $0, strlen($0)) }
            exit(2)
        }
        limitHarm()
        cposix_keep_freed_memory()
        // A page can be read a little later; a feeder that is not served in time stops, and may
        // smear.
        _ = nice(5)
        endWithHost(channel.descriptor)
        setMsgSeverity(Int32(L_SEVERITY_NONE))
        var desk = EngineCache(channel: channel)
        while let request = channel.nextRequest(), let answer = desk.answer(request) {
            guard channel.answer(answer) else { break }
            cposix_give_back_memory()
        }
        // Without the engine's destructors, which complain about a cache that is freed anyway.
        _exit(0)
    }

    private static func isSocket(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }

    /// A page that eats memory ends this process, not the machine.
    private static func limitHarm() {
        var limit = rlimit(rlim_cur: 6 << 30, rlim_max: 6 << 30)
        _ = setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
        if let file = fopen("/proc/self/oom_score_adj", "w") {
            fputs("500", file)
            fclose(file)
        }
    }

    /// Ends the process as soon as the host's end of the socket is closed, even while the engine
    /// reads.
    ///
    /// `PR_SET_PDEATHSIG` would not do: it fires when the *thread* that started the helper ends.
    private static func endWithHost(_ descriptor: Int32) {
        DispatchQueue(label: "host").async {
            while true {
                var polled = pollfd(fd: descriptor, events: 0, revents: 0)
                if poll(&polled, 1, -1) > 0 { _exit(0) }
            }
        }
    }
}

/// Answers requests, and keeps the engines that answered the last ones.
private struct EngineCache {
    let channel: HelperChannel
    private var reader: Engine?
    private var codeReader: Engine?
    private var detector: Engine?

    init(channel: HelperChannel) { self.channel = channel }

    /// Nil when the host went away, or did not keep to the protocol.
    mutating func answer(_ request: HelperRequest) -> HelperAnswer? {
        do throws(EngineRefusal) {
            switch request.verb {
            case .prepare:
                _ = try engine(&reader, request.languages)
                return .ready
            case .read:
                guard let page = page(of: request) else { return nil }
                let engine =
                    request.layout == .code
                    ? try engine(&codeReader, request.languages, readsCodes: true)
                    : try engine(&reader, request.languages)
                return .text(
                    try engine.read(
                        page, request.layout, milliseconds: request.milliseconds))
            case .orientation:
                guard let page = page(of: request) else { return nil }
                return .orientation(try engine(&detector, request.languages).orientation(of: page))
            }
        } catch {
            return .refused(error.description)
        }
    }

    private func page(of request: HelperRequest) -> PreparedPage? {
        guard let form = request.image, let picture = Picture(form, from: channel) else {
            return nil
        }
        return PreparedPage(picture, resolution: form.resolution)
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
