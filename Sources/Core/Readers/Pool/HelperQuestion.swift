import CaptureKit
import Documents
import Recognition

/// A request to a helper.
enum HelperQuestion: Sendable {
    case prepare([String])
    case read(HelperRows, languages: [String], ReadingManner)
    case orientation(HelperRows)

    /// The maximum number of letters of a refusal that are kept with the page.
    private static let mostLetters = 1000

    /// The languages that a helper has loaded after its answer; nil when the question does not
    /// change them.
    var loadedLanguages: [String]? {
        switch self {
        case .prepare(let languages), .read(_, let languages, _): languages
        case .orientation: nil
        }
    }

    /// Sends the question to a helper, which may take up to `limit`; its engine may take
    /// `milliseconds`.
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
            let words = [refusal.message, refusal.advice].compactMap { $0 }.joined(separator: " ")
            return .refused(String(words.prefix(Self.mostLetters)))
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

/// The settings for reading a page.
struct ReadingManner: Hashable, Sendable {
    /// The layout of the text, if known.
    var layout = TextLayout.any
    /// True if the picture has the right size already.
    var keepsSize = false
}

/// A helper's answer.
enum HelperAnswer: Sendable {
    case ready
    /// The text, and the reader's report about omitted parts.
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
    /// Sends `hello`, and checks that the helper speaks this protocol.
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
