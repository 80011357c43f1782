import CaptureHost
import CommandLine
import ExpectedFailures
import FoundationEssentials

/// A message of a trace, as text or as JSON.
struct TraceEntry {
    /// The fields that identify a message.
    struct Header: Decodable {
        var request: Int?
        var answer: Int?
        var event: String?
        var verb: String?
        var option: String?
    }

    /// The fields that identify the message.
    let header: Header
    /// The answered request, and the time when it was sent.
    var request: (verb: String, time: ContinuousClock.Instant)?
    /// The deviations of the message from its schema.
    var faults: [String] = []
    private let message: TracedMessage
    private let seconds: Double

    /// The maximum number of characters of a message that are shown as text.
    private static let longest = 600

    /// A message, with the time since `start` at which it arrived.
    init(_ message: TracedMessage, since start: ContinuousClock.Instant) {
        self.message = message
        seconds = (message.time - start) / .seconds(1)
        header =
            ofKnownForm { try JSONDecoder().decode(Header.self, from: message.json) } ?? Header()
    }

    /// True for one of the many messages about a page's progress.
    var isProgress: Bool { header.event == "progress" || header.event == "pixels" }

    /// A line such as `  0.0123 s  host → scan: capture #6   58 B   {"handle":1}`.
    var text: String {
        var what: String
        if let number = header.request {
            what = "\(header.verb ?? "?") #\(number)"
        } else if let number = header.answer {
            what = "answer #\(number)"
            if let request {
                what +=
                    " (\(request.verb), \(Self.time((message.time - request.time) / .seconds(1))))"
            }
        } else {
            what = header.event ?? "?"
        }
        var size = "\(message.json.count + 1) B"
        if message.bytes > 0 { size += " + \(message.bytes) B raw" }
        if message.hasDescriptor { size += " + descriptor" }
        let arrow = message.sender == .host ? "→" : "←"
        let name = Sanitized.line(message.backend)
        let body = Sanitized.line(
            fields.prefix(Self.longest) + (fields.count > Self.longest ? "…" : ""))
        let line =
            "\(Self.time(seconds).leftPadded(to: 12))  \(arrow) \(name)  \(what)  [\(size)]  \(body)\n"
        return faults.reduce(line) {
            $0 + String(repeating: " ", count: 14) + "✗ \(Sanitized.line($1))\n"
        }
    }

    /// Compares the message with its schema; an answer's verb must be known by now.
    mutating func judge() {
        faults = MessageSchemas.ofProtocol.faults(
            message.json, isFromHost: message.sender == .host, answering: request?.verb)
    }

    /// The entry as an object on one line, with the message exactly as it was sent.
    var json: String {
        var parts = [
            "\"time\":\(Self.decimal(seconds))", "\"backend\":\"\(message.backend)\"",
            "\"from\":\"\(message.sender.rawValue)\"", "\"size\":\(message.json.count + 1)",
        ]
        if message.bytes > 0 { parts.append("\"bytes\":\(message.bytes)") }
        if message.hasDescriptor { parts.append("\"descriptor\":true") }
        if let request {
            parts.append("\"verb\":\"\(request.verb)\"")
            parts.append("\"took\":\(Self.decimal((message.time - request.time) / .seconds(1)))")
        }
        if !faults.isEmpty, let list = ifSupported({ try JSONEncoder().encode(faults) }) {
            parts.append("\"faults\":\(String(decoding: list, as: UTF8.self))")
        }
        parts.append("\"message\":\(fields)")
        return "{" + parts.joined(separator: ",") + "}\n"
    }

    /// The message's JSON, without its value if that is a password.
    private var fields: String {
        guard header.verb == "set", header.option?.contains("password") == true else {
            return String(decoding: message.json, as: UTF8.self)
        }
        return
            #"{"request":\#(header.request ?? 0),"verb":"set","option":"password","value":"(not shown)"}"#
    }

    private static func time(_ seconds: Double) -> String {
        let microseconds = Int((max(0, seconds) * 1_000_000).rounded())
        let rest = String(microseconds % 1_000)
        return "\(microseconds / 1_000)." + String(repeating: "0", count: 3 - rest.count) + rest
            + " ms"
    }

    private static func decimal(_ seconds: Double) -> String {
        let microseconds = Int((max(0, seconds) * 1_000_000).rounded())
        let rest = String(microseconds % 1_000_000)
        return "\(microseconds / 1_000_000)." + String(repeating: "0", count: 6 - rest.count) + rest
    }
}

extension String {
    /// The text, filled with spaces before it to at least `width` characters.
    fileprivate func leftPadded(to width: Int) -> String {
        String(repeating: " ", count: max(0, width - count)) + self
    }
}
