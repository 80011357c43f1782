import CaptureHost
import CommandLine
import FoundationEssentials
import Readers

/// `copystand readers`: the programs that read text.
enum ReadersCommand {
    private static let name = Argument(
        "READER", .one, .name, help: "The reader's id, as 'copystand readers' shows it.")

    static let command = Command(
        name: "readers", summary: "List, check and install the programs that read text",
        discussion: """
            'tesseract' comes with the program. 'auto' reads with it first, and then has 'paddle' \
            read the doubtful text again; it is the default where paddle is installed. Others can \
            be added: Docs/developers/ReaderProtocol.md describes the protocol. Choose one with \
            'scan --reader NAME', in a profile, or in COPYSTAND_READER.

            With --json the result is an object with "usual" and "readers", each with "id", \
            "name" and, where known, "version", "serves", "program", "manifest", and "problem" \
            where it can't be used.
            """,
        examples: [
            Example("List the readers", "copystand readers"),
            Example("Read better", "copystand readers install paddle"),
            Example("Check a reader", "copystand readers check paddle"),
        ],
        options: [SharedOptions.json], subcommands: [check, ReadersInstall.command],
        handler: handler(list))

    private static let check = Command(
        name: "check", summary: "Check whether a reader follows the protocol",
        discussion: """
            The reader gets a few generated pages: white, black and striped. The exit code is 0 \
            when it answers for all of them.
            """,
        examples: [Example("Try it", "copystand readers check paddle")],
        arguments: [name], options: [SharedOptions.json], handler: handler(check))

    private struct ReadersJSON: Encodable {
        struct Reader: Encodable {
            var id: String
            var name: String
            var version: String?
            var serves: String?
            var program: String?
            var manifest: String?
            var problem: String?
        }
        var usual: String
        var readers: [Reader]
    }

    private static func list(_ arguments: ParsedArguments, _ console: Console) async throws
        -> ExitCode
    {
        let readers = Readers()
        let all = ReadersJSON(usual: readers.defaultName(), readers: known(readers))
        if arguments.isGiven(SharedOptions.json) {
            try console.json(all)
            return .done
        }
        var table = Table([
            .init("READER"), .init("VERSION"), .init("READS", minimumWidth: 16), .init("STATE"),
            .init("FROM", minimumWidth: 20),
        ])
        for reader in all.readers {
            table.add([
                reader.id, reader.version ?? "", reader.serves ?? reader.name,
                reader.problem != nil
                    ? "can't be used" : reader.id == all.usual ? "default" : "ready",
                reader.manifest ?? "",
            ])
        }
        try console.result(table.text(for: console.output))
        for reader in all.readers {
            if let problem = reader.problem { console.warn("\(reader.id): \(problem)") }
        }
        return .done
    }

    private static func known(_ readers: Readers) -> [ReadersJSON.Reader] {
        let installed = readers.installed()
        var known = [
            ReadersJSON.Reader(
                id: Readers.tesseract, name: "Tesseract", serves: "print, in installed languages",
                program: HelperCommand.installed.program)
        ]
        if installed.contains(where: { $0.id == Readers.network && $0.problem == nil }) {
            known.append(
                ReadersJSON.Reader(
                    id: Readers.automatic, name: "Automatic",
                    serves: "with tesseract, and doubtful text again with paddle"))
        }
        return known
            + installed.map {
                ReadersJSON.Reader(
                    id: $0.id, name: $0.name, version: $0.version, serves: $0.serves,
                    program: $0.program, manifest: $0.manifest, problem: $0.problem)
            }
    }

    private struct CheckJSON: Encodable {
        var ok: Bool
        var results: [ReaderCheck.Result]
    }

    private static func check(_ arguments: ParsedArguments, _ console: Console) async throws
        -> ExitCode
    {
        let id = arguments.text(name) ?? ""
        let report = try Readers().program(id)
        let results = await ReaderCheck(report).run()
        let isGood = results.allSatisfy(\.isGood)
        if arguments.isGiven(SharedOptions.json) {
            try console.json(CheckJSON(ok: isGood, results: results))
        } else {
            for result in results {
                let words = Sanitized.line("\(result.check): \(result.message)")
                try console.result("\(result.isGood ? "ok  " : "BAD ") \(words)\n")
            }
        }
        return isGood ? .done : .deviceFailed
    }
}
