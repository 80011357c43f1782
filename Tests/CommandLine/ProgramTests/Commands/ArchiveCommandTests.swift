import FoundationEssentials
import Glibc
import Testing

@testable import copystand

/// Tests the commands that use the archive, as a user runs them.
@Suite struct ArchiveCommandTests {
    private let home: TemporaryFolder

    init() throws {
        home = try TemporaryFolder()
        // Three pages without text, which then get texts of their own.
        try write(
            """
            $P import -q -p none --title Invoice a.pgm b.pgm c.pgm && printf 'Total due\\n12 Euro' \
            > text && \
            $P edit -q 1 --text 2 text
            """)
    }

    private func write(_ line: String) throws {
        for (name, gray) in [("a", 40), ("b", 120), ("c", 200)] {
            let pixels = String(repeating: "\(gray) ", count: 40 * 60)
            try home.write("work/\(name).pgm", "P2 40 60 255 \(pixels)")
        }
        let outcome = try shell(line)
        try #require(outcome.status == 0, "\(outcome.errors)")
    }

    private func shell(_ line: String, _ environment: [String: String] = [:]) throws
        -> BuiltProgram.Outcome
    {
        try BuiltProgram.shell(
            "cd '\(home.path)/work'; " + line, in: home, environment: environment)
    }

    private struct Whole: Decodable {
        struct Document: Decodable {
            var id: Int
            var title: String
            var type: String
            var tags: [String]
        }
        struct Page: Decodable {
            var number: Int
            var id: Int
            var width: Int
            var turn: Int
        }
        var document: Document
        var pages: [Page]
        var undoable: Int
    }

    private func json<Value: Decodable>(_ line: String, as type: Value.Type) throws -> Value {
        let outcome = try shell(line)
        try #require(outcome.status == 0, "\(outcome.errors)")
        return try JSONDecoder().decode(type, from: Data(outcome.output.utf8))
    }

    @Test("A scan without an output prints the number of its document, and says where it is")
    func numbers() throws {
        let outcome = try shell("$P import -p none a.pgm")
        #expect(outcome.output == "2\n")
        #expect(outcome.errors.contains("copystand show 2"))
        #expect(access(home.path + "/.local/share/copystand/archive.sqlite", F_OK) == 0)
        let elsewhere = try shell(
            "$P import -q -p none a.pgm", ["XDG_DATA_HOME": home.path + "/data"])
        #expect(elsewhere.output == "1\n")
        #expect(try shell("$P list --archive '\(home.path)/data/copystand'").output.contains("a"))
    }

    @Test("A search shows document, page, place and the words in brackets, also as JSON")
    func search() throws {
        let outcome = try shell("$P search total due")
        #expect(outcome.status == 0)
        let lines = outcome.output.split(separator: "\n").map(String.init)
        #expect(lines.first?.hasPrefix("1  Invoice  page 2 at 0,0 ") == true)
        #expect(lines.last == "    [Total] [due] 12 Euro")
        struct Result: Decodable {
            struct Hit: Decodable {
                struct Word: Decodable { var text: String }
                var document: Int
                var page: Int
                var words: [Word]
            }
            var hits: [Hit]
            var total: Int
            var order: String
        }
        let result = try json("$P search '\"total due\"' --json", as: Result.self)
        #expect(result.total == 1 && result.order == "rank")
        #expect(result.hits.first?.document == 1 && result.hits.first?.page == 2)
        #expect(result.hits.first?.words.map(\.text) == ["Total", "due"])
        #expect(try shell("$P search nowhere").output == "")
        #expect(try shell("$P search '***'").status == 2)
        #expect(try shell("$P search total --type invoice").output == "")
        #expect(try shell("$P search -- total -due").output == "")
    }

    @Test("Pages are moved, deleted, turned and cut in one change, which can be undone and redone")
    func pages() throws {
        let before = try json("$P pages 1 --json", as: Whole.self)
        #expect(before.pages.map(\.number) == [1, 2, 3])
        let after = try json(
            "$P pages 1 --move 3 1 --delete 2 --rotate 1 -90 --crop 3 5,5,10,20 --json",
            as: Whole.self)
        #expect(after.pages.map(\.id) == [before.pages[2].id, before.pages[0].id])
        #expect(after.pages.map(\.width) == [10, 60] && after.pages[1].turn == 270)
        #expect(after.undoable == before.undoable + 1)
        let undone = try json("$P pages 1 --undo --json", as: Whole.self)
        #expect(undone.pages.map(\.id) == before.pages.map(\.id))
        let redone = try json("$P pages 1 --redo --json", as: Whole.self)
        #expect(redone.pages.map(\.id) == after.pages.map(\.id))
    }

    @Test("The history shows who did what, and stays after the deletion")
    func history() throws {
        struct History: Decodable {
            struct Entry: Decodable {
                var name: String
                var action: String
                var changes: [String]?
                var title: String
            }
            var entries: [Entry]
        }
        let name = try shell("id -un").output.filter { $0 != "\n" }
        #expect(try shell("$P show 1").output.contains("Owner     \(name)\n"))
        #expect(try shell("$P edit -q 1 --title Rent --owner ada").status == 0)
        #expect(try shell("$P show 1 --json").output.contains("\"ada\""))
        #expect(try shell("$P edit -q 1 --owner ''").status == 0)
        #expect(try shell("$P trash -q 1 && $P trash -q --empty").status == 0)
        let told = try json("$P archive history 1 --json", as: History.self).entries
        let acts = told.map { ([$0.action] + ($0.changes ?? [])).joined(separator: " ") }
        #expect(
            acts == [
                "deleted", "trashed", "changed owner", "changed owner", "changed title",
                "changed text", "imported",
            ])
        #expect(told.allSatisfy { $0.name == name } && told.last?.title == "Invoice")
        let lines = try shell("$P archive history --limit 2").output.split(separator: "\n")
        #expect(lines.count == 3 && lines[1].contains("deleted") && lines[2].contains("trashed"))
        #expect(try shell("$P archive history 4711").status == 2)
    }

    @Test("A document is split and merged")
    func splitting() throws {
        let first = try json("$P pages 1 --split-after 1 --json", as: Whole.self)
        #expect(first.pages.count == 1)
        #expect(try json("$P show 2 --json", as: Whole.self).pages.count == 2)
        #expect(try json("$P pages 1 --merge 2 --json", as: Whole.self).pages.count == 3)
        let left = try shell("$P list")
        #expect(left.output.split(separator: "\n").count == 2)
    }

    @Test("Title, type, tags and fields are set, listed and found")
    func editing() throws {
        #expect(
            try shell("$P edit 1 --title Rent --type contract --field serial=XK-77").status == 0)
        #expect(try shell("$P tag 1 tax may").status == 0)
        #expect(try shell("$P tag 1 --remove may").status == 0)
        let document = try json("$P show 1 --json", as: Whole.self).document
        #expect(document.title == "Rent" && document.type == "contract" && document.tags == ["tax"])
        for query in ["xk-77", "rent type:contract", "tag:tax"] {
            #expect(try shell("$P search \(query)").output.contains("Rent"), "\(query)")
        }
        #expect(try shell("$P list --tag tax --type contract").output.contains("Rent"))
        #expect(try !shell("$P list --tag may").output.contains("Rent"))
        #expect(
            try shell("$P show 1 --text").output == "\u{0C}Total due\n12 Euro\n\u{0C}\n"
                || shell("$P show 1 --text").output.contains("Total due\n12 Euro\n"))
    }

    @Test(
        "Documents in the trash are neither listed nor found, can be restored, and are deleted when it is emptied"
    )
    func trash() throws {
        #expect(try shell("$P trash 1").status == 0)
        #expect(try shell("$P list").output == "" && shell("$P search total").output == "")
        #expect(try shell("$P list --trash").output.contains("Invoice"))
        #expect(try shell("$P restore 1").status == 0)
        #expect(try shell("$P search total").output.contains("Invoice"))
        #expect(try shell("$P trash 1 && $P trash --empty && $P archive compact").status == 0)
        #expect(try shell("$P restore 1").status == 2)
        #expect(try shell("$P archive check").status == 0)
    }

    @Test("A document is exported in its present state, and never over an existing file")
    func export() throws {
        let outcome = try shell(
            "$P pages 1 --delete 1 >/dev/null; $P export 1 -o out.pdf -o out.txt")
        #expect(outcome.output == "out.pdf\nout.txt\n")
        #expect(try shell("cat out.txt").output.contains("Total due"))
        #expect(try shell("pdfinfo out.pdf").output.contains("Pages:           2"))
        #expect(try shell("$P export 1 -o out.pdf").status == 5)
        #expect(try shell("$P export 1 -o out.xyz").status == 2)
    }

    @Test("Some pages are exported in the document's order, under a name that says which")
    func somePages() throws {
        #expect(try shell("$P export 1 -o all.pdf").status == 0)
        #expect(try shell("$P export 1 --pages 3,1").output == "./Invoice p3,1.pdf\n")
        #expect(try shell("pdfinfo './Invoice p3,1.pdf'").output.contains("Pages:           2"))
        func look(_ page: Int, _ file: String) throws -> String {
            try shell("pdftoppm -r 20 -f \(page) -l \(page) '\(file)' | md5sum").output
        }
        let (first, third) = (try look(1, "all.pdf"), try look(3, "all.pdf"))
        #expect(first != third)
        #expect(try look(1, "Invoice p3,1.pdf") == first)
        #expect(try look(2, "Invoice p3,1.pdf") == third)
        let missing = try shell("$P export 1 --pages 2-4 -o part.pdf")
        #expect(missing.status == 2 && missing.errors.contains("no page 4. It has pages 1 to 3"))
        let wrong = try shell("$P export 1 --pages 3-2 -o part.pdf")
        #expect(wrong.status == 2 && wrong.errors.contains("page numbers such as 2,5 or 3-7"))
        let huge = try shell("$P export 1 --pages 1-9223372036854775807")
        #expect(huge.status == 2 && huge.errors.contains("no page 9223372036854775807"))
        #expect(try shell("$P export 1 --pages 2 --original").status == 2)
        #expect(try shell("ls part.pdf").status != 0)
    }

    @Test("Without a name, an export is named by the document's title")
    func namedByTitle() throws {
        _ = try shell("$P edit -q 1 --title 'Rent: May/June 2026'; mkdir folder")
        #expect(try shell("$P export 1").output == "./Rent- May-June 2026.pdf\n")
        #expect(try shell("$P export 1").status == 5)
        let outcome = try shell("$P export 1 -o folder -o out.txt")
        #expect(outcome.output == "folder/Rent- May-June 2026.pdf\nout.txt\n")
        #expect(try shell("pdfinfo 'folder/Rent- May-June 2026.pdf'").status == 0)
        #expect(try shell("$P export 1 -o nowhere/").status == 5)
    }

    @Test("A document is opened by xdg-open, which gets one path and no shell")
    func opening() throws {
        try home.write("bin/xdg-open", "#!/bin/sh\nprintf '%s|' \"$#\" \"$1\"\n", mode: 0o755)
        let path = ["PATH": home.path + "/bin:/usr/bin:/bin"]
        let shown = home.path + "/.cache/copystand/document-1.pdf"
        for _ in 0..<2 {
            let outcome = try shell("$P open 1", path)
            #expect(outcome.output == "1|\(shown)|" && outcome.status == 0, "\(outcome.errors)")
        }
        #expect(access(shown, F_OK) == 0)
        let missing = try shell("$P open 1", ["PATH": home.path + "/empty"])
        #expect(missing.status == 1 && missing.errors.contains("xdg-utils"))
    }

    @Test("Without a document, the web page is opened, and a host starts if none answers")
    func openingThePage() throws {
        try home.write("bin/xdg-open", "#!/bin/sh\nprintf '%s|' \"$#\" \"$1\"\n", mode: 0o755)
        try home.write("bin/systemctl", "#!/bin/sh\nexit 1\n", mode: 0o755)
        // The command has a network and a list of processes of its own, so that the host ends with
        // it.
        let outcome = try shell(
            "unshare -rnpf --mount-proc sh -c 'ip link set lo up && $P open && $P open'",
            ["PATH": home.path + "/bin:/usr/sbin:/usr/bin:/sbin:/bin"])
        #expect(
            outcome.output == "1|http://127.0.0.1:8470|1|http://127.0.0.1:8470|",
            "\(outcome.errors)")
    }

    @Test("Verbose, the version names the commit, the compiler and the libraries")
    func version() throws {
        #expect(try shell("$P --version").output.split(separator: "\n").count == 1)
        let lines = try shell("$P --version -v").output.split(separator: "\n")
        #expect(lines.count == 4 && lines[1].hasPrefix("commit: ") && lines[2].contains("Swift 6"))
        #expect(lines.last?.contains("libsqlite3 ") == true, "\(lines)")
    }

    @Test("The archive is checked, backed up and recovered")
    func upkeep() throws {
        #expect(try shell("$P archive check --json").output.contains("\"problems\" : ["))
        #expect(
            try shell("$P archive backup copy && $P list --archive copy").output.contains("Invoice")
        )
        #expect(try shell("$P archive backup copy").status == 2)
        #expect(try shell("$P archive recover copy --archive new").status == 0)
        #expect(try shell("$P search total --archive new").output.contains("Invoice"))
        let image = try shell("find copy/images -type f | head -1").output.split(separator: "\n")[0]
        #expect(try shell("echo x >> '\(image)'; $P archive check --archive copy").status == 1)
    }

    @Test(
        "Impossible requests are refused with the reason and exit code 2",
        arguments: [
            ("show 99", "no document 99"), ("pages 1 --delete 9", "1 to 3"),
            ("pages 1 --delete 1-3", "No page would be left"), ("pages 1 --rotate 1 45", "90"),
            ("pages 1 --move 1", "PAGE PLACE"), ("pages 1 --crop 1 0,0,999,9", "40 × 60"),
            ("pages 1 --redo", "nothing to redo"), ("pages 1 --merge 1", "itself"),
            ("pages 1 --split-after 3", "no page after"), ("edit 1", "nothing to change"),
            ("edit 1 --type bill", "--type takes"), ("list --since x", "not a date"),
            ("list --archive /nowhere/at/all", "no archive"), ("tag 1 --remove none", "no tag"),
            ("trash", "ID"), ("pages 1 --undo --delete 1", "together"),
        ])
    func refusals(line: String, reason: String) throws {
        let outcome = try shell("$P " + line)
        #expect(outcome.status == 2, "\(outcome.errors)")
        #expect(outcome.errors.contains(reason), "\(outcome.errors)")
        #expect(outcome.output == "")
    }
}
