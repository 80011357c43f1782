import Foundation
import Testing

/// Tests the stored settings, questions and reports of `copystand sinks`.
@Suite struct SinkSettingTests {
    let program: Program
    init() throws { program = try Program() }

    @Test("Aliases stand for addresses, and are listed and removed")
    func addresses() throws {
        let words = ["sinks", "addresses"]
        #expect(try program.run(words + ["add", "bob", "bob@example.org"]).status == 0)
        let board = ["add", "board", "ada@example.org", "bob@example.org"]
        #expect(try program.run(words + board).status == 0)
        let listed = try program.run(words + ["--json"]).output
        let known = try JSONDecoder().decode(
            [String: [String: [String]]].self, from: Data(listed.utf8))
        #expect(
            known == [
                "addresses": [
                    "bob": ["bob@example.org"], "board": ["ada@example.org", "bob@example.org"],
                ]
            ])
        let wrong = try program.run(words + ["add", "eve", "nobody"])
        #expect(wrong.status != 0 && wrong.messages.contains("'nobody' is not an e-mail address"))
        #expect(try program.run(words + ["remove", "bob"]).status == 0)
        #expect(try program.run(words).output.contains("board"))
        #expect(try !program.run(words).output.contains("bob  "))
        let typo = try program.run([
            "import", Samples.path + "/06-receipt.jpg", "-p", "none", "--sink", "email:bord",
        ])
        #expect(typo.messages.contains("'board'"), "\(typo.messages)")
    }
}
