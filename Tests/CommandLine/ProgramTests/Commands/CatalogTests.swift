import CommandLine
import JobOptions
import Listings
import ScanService
import Testing

@testable import copystand

@Suite struct CatalogTests {
    private static func all(_ path: [Command]) -> [[Command]] {
        [path] + (path.last?.subcommands ?? []).flatMap { all(path + [$0]) }
    }

    static let paths = all([CommandCatalog.root])

    @Test("Every command describes itself and its arguments")
    func documented() {
        for path in Self.paths {
            let command = path[path.count - 1]
            let name = path.map(\.name).joined(separator: " ")
            #expect(
                command.summary.first?.isLetter == true && command.summary.last != ".", "\(name)")
            #expect(command.handler != nil || !command.subcommands.isEmpty, "\(name)")
            if command.handler != nil, !command.isHidden {
                #expect(!command.examples.isEmpty, "\(name)")
            }
            for option in command.options {
                #expect(option.help.last == ".", "\(name) \(option.name)")
            }
            for argument in command.arguments { #expect(argument.help.last == ".", "\(name)") }
        }
    }

    @Test("Names are unique, only the last argument repeats, and exclusions name options")
    func sound() {
        for path in Self.paths {
            let command = path[path.count - 1]
            let options = command.options + GlobalOptions.all
            let names = options.map(\.name)
            let shorts = options.compactMap(\.short)
            #expect(Set(names).count == names.count, "\(command.name)")
            #expect(Set(shorts).count == shorts.count, "\(command.name)")
            let words = command.subcommands.map(\.name)
            #expect(Set(words).count == words.count, "\(command.name)")
            #expect(command.arguments.dropLast().allSatisfy { $0.count == .one }, "\(command.name)")
            #expect(options.flatMap(\.excludes).allSatisfy(names.contains), "\(command.name)")
            // A word before the subcommand could be an argument or a subcommand.
            if !command.subcommands.isEmpty {
                #expect(command.arguments.isEmpty, "\(command.name)")
            }
        }
    }

    @Test(
        "Every command has the options of a job as they are declared for it",
        arguments: [
            (ScanCommand.command, .scan), (ImportCommand.command, .import),
            (WatchCommand.command, .watch), (WatchFolderCommand.command, .watchFolder),
            (CaptureCommand.command, .capture), (ExportCommand.command, .export),
            (JobsCommand.command.subcommands[0], .resume),
        ] as [(Command, JobCommand)])
    func jobOptions(_ command: Command, _ name: JobCommand) {
        let declared = Option.of(name)
        #expect(!declared.isEmpty && declared.allSatisfy(command.options.contains))
        // `export --pages` takes page numbers, and no option of a job.
        let own: Set = name == .export ? ["pages"] : []
        let spellings = Set(JobOptions.all.compactMap(\.argument?.name)).subtracting(own)
        #expect(
            command.options.filter { spellings.contains($0.name) }.count == declared.count)
    }

    @Test("Every example is a valid command line")
    func examples() throws {
        for command in Self.paths.compactMap(\.last) {
            for example in command.examples {
                let start = try #require(example.command.firstRange(of: "copystand "))
                let line = example.command[start.upperBound...].prefix { !"|>)".contains($0) }
                let words = line.split(separator: " ").map(String.init)
                guard case .run = try ArgumentParser(CommandCatalog.root).parse(words) else {
                    Issue.record("\(example.command) runs nothing")
                    continue
                }
                let shown = 4 + example.command.count
                #expect(shown <= 80, "\(example.command)")
            }
        }
    }

    @Test("The commands scan and import read their whole request from the command line")
    func scanArguments() throws {
        let line =
            "import a.png - -o x.pdf -o y.txt -p none -s mode=gray --set a=b=c -n 3 --step deskew.maximum=5 "
            + "--no-step light --password-file pw -t Title -l eng -l deu --json -v"
        guard
            case .run(_, let parsed) = try ArgumentParser(CommandCatalog.root).parse(
                line.split(separator: " ").map(String.init))
        else {
            Issue.record("nothing to run")
            return
        }
        let arguments = try ScanArguments(
            .files(parsed.texts(ImportCommand.paths)), parsed, Console(parsed))
        #expect(arguments.source == .files(["a.png", "-"]))
        #expect(arguments.outputs == ["x.pdf", "y.txt"])
        let request = arguments.request
        #expect(request.profile == "none")
        #expect(request.settings?.list.map(\.option) == ["mode", "a"])
        #expect(request.settings?.list.map(\.value) == ["gray", "b=c"])
        #expect(request.options[.pages] == 3)
        #expect(request.steps == ["deskew.maximum": "5"])
        #expect(request.omittedSteps == ["light"])
        #expect(arguments.password == .file("pw"))
        #expect(request.options[.title] == "Title")
        #expect(request.options[.languages] == ["eng", "deu"])
        #expect(arguments.isJSON && arguments.console.isVerbose && !arguments.console.isQuiet)
    }
}
