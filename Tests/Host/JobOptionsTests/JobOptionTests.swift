import FoundationEssentials
import JobOptions
import Testing

/// The declarations of a job's options.
@Suite struct JobOptionTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../").path

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: URL(filePath: root + "/" + path), encoding: .utf8)
    }

    @Test("Every option that is declared is in the list, with names of its own")
    func complete() throws {
        let folder = "Sources/Host/JobOptions/Options"
        var declared: Set<String> = []
        for file in try FileManager.default.contentsOfDirectory(atPath: Self.root + "/" + folder) {
            let matches = try Self.text("\(folder)/\(file)").matches(
                of: /public static var \w+: Self \{\s*Self\(\s*"(\w+)"/)
            declared.formUnion(matches.map { String($0.1) })
        }
        let names = JobOptions.all.map(\.name)
        #expect(declared == Set(names))
        #expect(declared.count == names.count)
        #expect(Set(JobOptions.all.map(\.recordName)).count == names.count)
        let spellings = JobOptions.all.compactMap(\.argument?.name)
        #expect(Set(spellings).count == spellings.count)
    }

    @Test("Every declaration says what it accepts, and its usual value is accepted")
    func sound() {
        for option in JobOptions.all {
            if let usual = option.usual { #expect(option.kind.accepts(usual), "\(option.name)") }
            guard let argument = option.argument else { continue }
            #expect(argument.help.last == ".", "\(option.name)")
            #expect(argument.value.isEmpty == (option.kind == .flag), "\(option.name)")
            #expect(argument.otherHelp.keys.allSatisfy(argument.commands.contains))
        }
    }

    @Test(
        "Words of a command line become values of the option's kind",
        arguments: [
            (.flag, [], .flag(true)), (.whole(1...9), ["3"], .whole(3)),
            (.whole(1...9), ["12"], nil), (.seconds(1...86_400), ["5m"], .seconds(300)),
            (.seconds(1...86_400), ["25h"], nil), (.seconds(1...86_400), ["soon"], nil),
            (.choice(["keep", "drop"]), ["keep"], .text("keep")),
            (.choice(["keep", "drop"]), ["lose"], nil),
            (.text(mayBeEmpty: true), [""], .text("")), (.texts, ["a", "b"], .texts(["a", "b"])),
        ] as [(JobOptionKind, [String], JobOptionValue?)])
    func words(_ kind: JobOptionKind, _ words: [String], _ value: JobOptionValue?) {
        #expect(kind.value(of: words) == value)
    }

    @Test("A rule refuses the first text that breaks it")
    func rule() {
        let option = JobOption.splitAt.declaration
        #expect(option.brokenRule(.texts(["separator", #"ASN\d+"#])) == nil)
        let broken = option.brokenRule(.texts(["separator", "ASN["]))
        #expect(broken?.text == "ASN[" && broken?.clause.isEmpty == false)
    }

    @Test("The page about the options lists all of them and no others, in order")
    func page() throws {
        let rows = try Self.text("Docs/developers/JobOptions.md").split(separator: "\n").filter {
            $0.hasPrefix("| `")
        }
        let wanted = JobOptions.all.map(Self.row)
        #expect(rows.map(String.init) == wanted, "\(wanted.joined(separator: "\n"))")
    }

    /// An option's row in Docs/developers/JobOptions.md.
    private static func row(_ option: JobOptionDeclaration) -> String {
        let argument = option.argument.map { ["--\($0.name)", $0.value].filter { !$0.isEmpty } }
        let commands = option.argument?.commands.map { "`\($0.words)`" } ?? []
        let request =
            switch (option.effect, option.reach) {
            case (.step(let name), _): "as `\(name)` in `steps`"
            case (.device(let name), _): "as `\(name)` in `settings`"
            case (.own, .everyone): "yes"
            case (.own, .administrators): "administrators"
            case (.own, .thisMachine): "no"
            }
        let cells = [
            "`\(option.name)`", argument.map { "`\($0.joined(separator: " "))`" } ?? "",
            option.kind.expectation, option.usual?.words ?? "",
            commands.joined(separator: ", "), request,
        ]
        return "| " + cells.joined(separator: " | ") + " |"
    }
}
