import BlockingWork
public import CaptureHost
import CaptureKit
import Documents
import Imaging
import Recognition

/// Checks whether a reader follows the protocol, and lists its reports about itself.
public struct ReaderCheck: Sendable {
    /// The result of one check.
    public struct Result: Codable, Hashable, Sendable {
        /// The check's name.
        public var check: String
        /// The result in words.
        public var message: String
        /// True if the check passed.
        public var isGood: Bool
    }

    private let command: HelperCommand
    private let limit: Duration

    /// A check of an installed reader, which may take `limit` for each answer.
    public init(_ report: BackendReport, limit: Duration = .seconds(60)) {
        self.init(HelperCommand(report), limit: limit)
    }

    /// A check of a reader's program.
    init(_ command: HelperCommand, limit: Duration) {
        self.command = command
        self.limit = limit
    }

    /// The results of the checks, up to the first failure of one that the others need.
    public func run() async -> [Result] {
        // Waiting for a reader blocks the thread.
        await onOwnThread { results() }
    }

    private func results() -> [Result] {
        var results: [Result] = []
        let helper: HelperProcess
        do throws(HelperFailure) {
            helper = try HelperProcess(command, clock: ContinuousClock())
            results.append(Self.described(try helper.greet(within: limit)))
        } catch {
            return [Result(check: "hello", message: "it \(error.description)", isGood: false)]
        }
        for (name, page) in Self.pages {
            guard let rows = HelperRows(page) else { continue }
            do throws(HelperFailure) {
                let question = HelperQuestion.read(rows, languages: ["eng"], ReadingManner())
                let answer = try question.ask(
                    helper, milliseconds: limit.milliseconds, within: limit)
                results.append(Self.described(name, answer))
            } catch {
                results.append(
                    Result(check: name, message: "it \(error.description)", isGood: false))
                return results
            }
        }
        return results
    }

    private static func described(_ hello: ReaderWire.HelloAnswer) -> Result {
        let languages = hello.languages.map { $0.joined(separator: ", ") } ?? "any language"
        let more = hello.capabilities ?? []
        return Result(
            check: "hello",
            message: "\(hello.name) \(hello.version ?? ""): \(languages)"
                + (more.isEmpty ? "" : "; " + more.joined(separator: ", ")),
            isGood: true)
    }

    private static func described(_ name: String, _ answer: HelperAnswer) -> Result {
        switch answer {
        case .text(let text, _):
            let words = text.words.map(\.text).prefix(20).joined(separator: " ")
            return Result(
                check: name, message: words.isEmpty ? "no words" : "read: \(words)", isGood: true)
        case .refused(let reason):
            return Result(check: name, message: "refused: \(reason)", isGood: false)
        case .ready, .orientation:
            return Result(check: name, message: "answered a different request", isGood: false)
        }
    }

    /// Pictures that every reader must be able to process, by name.
    private static var pages: [(String, Raster)] {
        [
            ("a white page", filled(600, 800, format: .gray8) { _, _ in 255 }),
            ("a black page", filled(600, 800, format: .gray8) { _, _ in 0 }),
            (
                "a page of stripes",
                filled(600, 800, format: .gray8) { x, y in x / 3 % 2 == y / 5 % 2 ? 0 : 255 }
            ),
            ("a page of one pixel", filled(1, 1, format: .gray8) { _, _ in 255 }),
            (
                "a black and white page",
                filled(601, 80, format: .bilevel) { x, _ in UInt8(x % 256) }
            ),
        ]
    }

    private static func filled(
        _ width: Int, _ height: Int, format: PixelFormat, value: (Int, Int) -> UInt8
    ) -> Raster {
        var page = Raster(width: width, height: height, format: format)
        let stride = page.stride
        page.withMutableBytes { bytes in
            for index in bytes.indices { bytes[index] = value(index % stride, index / stride) }
        }
        return page
    }
}
