import CaptureKit
import Documents
import Recognition

/// What a helper is asked.
enum HelperQuestion: Sendable {
    case prepare([String])
    case read(HelperRows, languages: [String], ReadingManner)
    case orientation(HelperRows)

    /// The languages that a helper has loaded once it has answered, nil when it keeps those it had.
    var loadedLanguages: [String]? {
        switch self {
        case .prepare(let languages), .read(_, let languages, _): languages
        case .orientation: nil
        }
    }

    /// Asks a helper, which may take as long as `limit`, and its engine `milliseconds`.
    func ask(
        _ helper: HelperProcess, milliseconds: Int, within limit: Duration
    ) throws(HelperFailure) -> HelperAnswer {
        let answer: HelperProcess.Answer
        var request = ReaderWire.Request(
            languages: loadedLanguages ?? [], picture: nil, layout: nil,
            milliseconds: milliseconds)
        switch self {
        case .prepare:
            answer = try helper.exchange(.prepare, request, within: limit)
        case .read(let rows, _, let manner):
            request.picture = rows.image
            request.layout = manner.layout
            request.keepsSize = manner.keepsSize ? true : nil
            answer = try helper.exchange(.read, request, picture: file(rows), within: limit)
        case .orientation(let rows):
            request.picture = rows.image
            answer = try helper.exchange(.orientation, request, picture: file(rows), within: limit)
        }
        if let refusal = answer.message.header.error {
            return .refused(
                [refusal.message, refusal.advice].compactMap { $0 }.joined(separator: " "))
        }
        switch self {
        case .prepare: return .ready
        case .read(let rows, let languages, _):
            let text = try AnswerReader(picture: rows.image).text(
                of: answer.lines, languages: languages)
            return .text(text, try answer.decode(ReaderWire.ReadAnswer.self))
        case .orientation(let rows):
            return .orientation(
                try AnswerReader(picture: rows.image).orientation(
                    answer.decode(ReaderWire.OrientationAnswer.self)))
        }
    }

    private func file(_ rows: HelperRows) throws(HelperFailure) -> OwnedDescriptor {
        do throws(WireError) { return try rows.file() } catch { throw .notStarted(error.message) }
    }
}

/// How a page is to be read.
struct ReadingManner: Hashable, Sendable {
    /// How its text is laid out, as far as that is known.
    var layout = TextLayout.any
    /// Whether it has the size at which it is to be read.
    var keepsSize = false
}

/// What a helper answers.
enum HelperAnswer: Sendable {
    case ready
    /// The text that was read, and the reader's report about what it left out.
    case text(PageText, ReaderWire.ReadAnswer)
    /// The orientation; nil when there are too few letters to determine it.
    case orientation(OrientationGuess?)
    case refused(String)
}

extension HelperProcess.Answer {
    /// Reads the answer's fields.
    func decode<Body: Decodable>(_ type: Body.Type) throws(HelperFailure) -> Body {
        do throws(WireError) { return try message.decode(type) } catch {
            throw .nonsense("an answer that \(error.message)")
        }
    }
}

extension HelperProcess {
    /// Says hello, and checks that the helper speaks this protocol.
    func greet(within limit: Duration) throws(HelperFailure) -> ReaderWire.HelloAnswer {
        let answer = try exchange(
            .hello, Wire.Hello(protocol: readerProtocolVersion, host: "copystand"), within: limit)
        if let refusal = answer.message.header.error { throw .nonsense(refusal.message) }
        let hello = try answer.decode(ReaderWire.HelloAnswer.self)
        guard hello.protocol == readerProtocolVersion else {
            throw .nonsense(
                "protocol \(hello.protocol), this host speaks \(readerProtocolVersion)")
        }
        return hello
    }
}
