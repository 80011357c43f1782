import CommandLine
import FileNames
import FoundationEssentials
import HTTPServer
import Listings
import ScanService
import Testing

@testable import JobOptions
@testable import WebServer
@testable import copystand

/// An option that is declared once is everywhere.
@Suite struct MadeUpOptionTests {
    private static let sheen = sheen(.everyone)

    private static func sheen(_ reach: JobOptionDeclaration.Reach) -> JobOption<Int> {
        JobOption(
            "sheen", .whole(1...9), usual: 4, reach: reach, isDrawn: true,
            argument: JobOptionArgument(
                name: "sheen", value: "N", commands: [.scan, .import],
                help: "How much sheen pages get."))
    }

    /// Runs `body` in a program that has the option.
    private func withOption<Value>(
        _ option: JobOption<Int> = sheen, _ body: () async throws -> Value
    ) async rethrows -> Value {
        try await JobOptions.$all.withValue(
            JobOptions.all + [option.declaration], operation: body)
    }

    /// A program whose only command has the options of `scan`.
    private var program: Command {
        Command(
            name: "copystand", summary: "s",
            subcommands: [
                Command(
                    name: "scan", summary: "s", options: ScanOptions.all(in: .scan),
                    handler: { _ in 0 })
            ])
    }

    private func parsed(_ words: [String]) throws -> ParsedArguments {
        guard case .run(_, let parsed) = try ArgumentParser(program).parse(words) else {
            throw CancellationError()
        }
        return parsed
    }

    @Test("The command line has it, with its help, its completion and its errors")
    func commandLine() async throws {
        try await withOption {
            let request = try ScanRequest(try parsed(["scan", "--sheen", "7"]))
            #expect(request.options[Self.sheen] == 7)
            #expect(try ScanRequest(try parsed(["scan"])).options[Self.sheen] == 4)
            let error = #expect(throws: UsageError.self) { try parsed(["scan", "--sheen", "12"]) }
            #expect(
                error?.message.hasPrefix("--sheen takes a whole number from 1 to 9, not '12'.")
                    == true)
            let help = HelpPage(
                for: [program, program.subcommands[0]], terminal: Terminal(isTerminal: false)
            ).text
            #expect(help.contains("--sheen N") && help.contains("How much sheen pages get."))
            #expect(help.contains("Default: 4."))
            for shell in Shell.allCases {
                #expect(shell.completionScript(for: program).contains("sheen"))
            }
            let manual = ManualPage(program, version: "1", date: "2026-01-01").text
            #expect(manual.contains("How much sheen pages get."))
        }
        #expect(throws: UsageError.self) { try parsed(["scan", "--sheen", "7"]) }
    }

    @Test("The record of a job keeps it")
    func record() async throws {
        try await withOption {
            var order = ScanOrder(sources: [], outputs: ["a.pdf"], profile: "none")
            order.options[Self.sheen] = 7
            let data = try JSONEncoder().encode(order)
            #expect(String(decoding: data, as: UTF8.self).contains(#""sheen":7"#))
            let again = try JSONDecoder().decode(ScanOrder.self, from: data)
            #expect(again.options[Self.sheen] == 7 && again.outputs == ["a.pdf"])
        }
    }

    private func request(_ text: String) throws -> ScanRequest {
        try BodyCheck(Array(text.utf8))?.check(against: ScanRequest.described)
        return try JSONDecoder().decode(ScanRequest.self, from: Data(text.utf8))
    }

    @Test("A request over the network can have it, and only with a value in its range")
    func network() async throws {
        try await withOption {
            let type = ScanRequest.described.json.value(at: "properties.sheen.type")
            #expect(type?.words == "integer")
            let asked = try request(#"{"sheen": 7}"#)
            try asked.options.check(for: .scan)
            #expect(ScanOrder(asked, from: []).options[Self.sheen] == 7)
            let problem = #expect(throws: Problem.self) { try request(#"{"sheen": 12}"#) }
            #expect(problem?.detail == "'sheen' is 12. Give a whole number from 1 to 9.")
            var wild = JobSettings()
            wild[Self.sheen] = 12
            #expect(throws: Problem.self) { try wild.check(for: .scan) }
        }
        #expect(throws: Problem.self) { try request(#"{"sheen": 7}"#) }
    }

    @Test("Only those may set it who may")
    func reach() async throws {
        try await withOption(Self.sheen(.administrators)) {
            let asked = try request(#"{"sheen": 7}"#)
            try asked.options.check(for: .admin)
            let problem = #expect(throws: Problem.self) { try asked.options.check(for: .scan) }
            #expect(problem?.status == 403)
        }
        await withOption(Self.sheen(.thisMachine)) {
            #expect(throws: Problem.self) { try request(#"{"sheen": 7}"#) }
            #expect(JobOptions.withoutHost(.scan).contains { $0.name == "sheen" })
        }
    }

    @Test("The web page learns of it")
    func page() async throws {
        try await withOption {
            let call = Call(
                request: HTTPRequest(
                    head: HTTPRequestHead(method: "GET", path: [], headers: []), body: .bytes([])),
                parameters: [:])
            let answer = try await JobOptionRoutes().routes[0].work(call)
            guard case .bytes(let bytes) = answer.body else { throw CancellationError() }
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(text.contains(#""name":"sheen""#) && text.contains(#""maximum":9"#), "\(text)")
        }
    }
}
