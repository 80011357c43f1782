import CaptureKit
import Processes
import Testing

@testable import CaptureHost

/// A backend that misbehaves, and the expected outcome.
struct HostileBackend: CustomTestStringConvertible, Sendable {
    /// The name of the behavior.
    let name: String
    /// The verb at which the backend misbehaves.
    let verb: Verb
    /// Python code, which follows ``Bench/prelude`` and ``prelude``.
    let script: String
    /// The error code that the host reports.
    let code: HostError.Code
    /// A part of the expected message.
    let words: String
    var end: ProcessEnd?
    /// The pages that were complete before the failure.
    var pages: [Int] = []
    var isLive = false
    /// The `limits` of its manifest, as JSON.
    var limits: String?

    var testDescription: String { name }

    /// All backends.
    static let all = crashes + hangs + lies + framesThatLie + floods + leftovers + hungers

    /// `until(verb)` answers requests until that verb comes, and returns the request.
    static let prelude = """
        OPTION = {"name": "lamp", "type": {"kind": "toggle"}, "value": False}
        def serve(request):
            verb = request.get("verb")
            if verb == "hello": answer(request, protocol=1, name="bad", version="0")
            elif verb == "devices": answer(request, devices=[DEVICE])
            elif verb == "open": answer(request, handle=1)
            elif verb == "options": answer(request, options=[OPTION])
            elif verb == "capture":
                send({"event": "frame", "capture": request["request"], "frame": 1, "format": \
                "gray8",
                      "width": 40, "height": 30})
            elif verb: answer(request)
        def until(verb):
            while True:
                request = take()
                if request.get("verb") == verb: return request
                serve(request)

        """

    // MARK: Crashes and hangs

    private static let crashes = Verb.allCases.map { verb in
        HostileBackend(
            name: "crashes at \(verb)", verb: verb,
            script: "until('\(verb)'); os.kill(os.getpid(), signal.SIGSEGV)", code: .crashed,
            words: "was ended by signal 11 (segmentation fault)", end: .signal(11))
    }

    private static let hangs = Verb.allCases.map { verb in
        HostileBackend(
            name: "hangs at \(verb)", verb: verb, script: "until('\(verb)'); time.sleep(600)",
            code: .hung,
            words: verb == .capture
                ? "sent nothing for 1.5 s during a capture"
                : "did not answer '\(verb)' within 1.5 s")
    }
}
