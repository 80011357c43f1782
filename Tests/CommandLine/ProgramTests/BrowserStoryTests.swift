import FoundationEssentials
import Testing

/// Tests the web page in a headless browser, with one user story per test;
/// `Tests/CommandLine/BrowserStories/browser.py` starts host and browser.
///
/// Stories mostly wait for the page, so the stories of a suite run one after another, and the
/// suites at the same time. `Scripts/test-web-page` runs all of them in Firefox, too, and
/// `Scripts/test` without `--all` only some.
@Suite struct BrowserStoryTests {
    @Suite(.serialized) struct Scanning {
        @Test(
            "Pages come in through the browser",
            arguments: [
                ("scan", "found"), ("together", "together"), ("live", "live"), ("upload", "sent"),
                ("preview", "looked"), ("region", "drawn"), ("cards", "counted"),
                ("devices", "named"), ("options", "set"), ("sheets", "one by one"),
                ("clicks", "few"), ("tabs", "agreed"), ("pocket", "in the pocket"),
                ("habits", "as always"), ("newcomer", "at home"),
            ])
        func story(_ name: String, _ end: String) throws {
            try BrowserStoryTests.run(name, end: end)
        }
    }

    @Suite(.serialized) struct Keeping {
        @Test(
            "Documents are stored, edited and found in the browser",
            arguments: [
                ("review", "reviewed"), ("restart", "back"), ("send", "sent out"),
                ("settings", "settled"), ("faults", "gone on"), ("cut", "mended"),
                ("entries", "listed"), ("archive", "kept"), ("described", "described"),
                ("invited", "invited"), ("many", "many"), ("languages", "spoken"),
                ("looks", "looks changed"), ("owners", "owned"), ("foreign", "left alone"),
            ])
        func story(_ name: String, _ end: String) throws {
            try BrowserStoryTests.run(name, end: end)
        }
    }

    @Suite(.serialized) struct Everywhere {
        @Test(
            "The main tasks work in Firefox, too",
            .enabled(if: BrowserStoryTests.chosen == nil, "all stories run in a chosen browser"),
            arguments: [
                ("scan", "found"), ("upload", "sent"), ("cut", "mended"),
                ("pocket", "in the pocket"), ("cards", "counted"), ("tabs", "agreed"),
            ])
        func story(_ name: String, _ end: String) throws {
            try BrowserStoryTests.run(name, end: end, in: "firefox")
        }

        @Test(
            "Pages that are left to readers are followed into the archive",
            .enabled(
                if: FileManager.default.isExecutableFile(
                    atPath: "/usr/lib/postgresql/15/bin/pg_ctl"),
                "PostgreSQL 15 is not installed"),
            arguments: [("readers", "read by others"), ("machines", "shared")])
        func shared(_ name: String, _ end: String) throws {
            try BrowserStoryTests.run(name, end: end)
        }

        @Test("Every view is accessible at every size and in every color scheme")
        func views() throws {
            try BrowserStoryTests.run("views", end: "seen all over")
            // The story has passed otherwise, and a second one would take minutes.
            if BrowserStoryTests.axe == nil {
                try Test.cancel("in part: axe, which looks for barriers, is not installed")
            }
        }
    }

    /// The path of axe's script, which Scripts/test installs.
    private static var axe: String? {
        let environment = ProcessInfo.processInfo.environment
        let cache = environment["XDG_CACHE_HOME"] ?? (environment["HOME"] ?? "") + "/.cache"
        let script = cache + "/copystand-axe/files/axe_playwright_python/axe.min.js"
        return FileManager.default.fileExists(atPath: script) ? script : nil
    }

    /// The stories that run, by `COPYSTAND_STORIES`; none for all of them.
    ///
    /// `few` is what people do most; `most` adds what changes often.
    private static let chosenStories: Set<String>? =
        switch ProcessInfo.processInfo.environment["COPYSTAND_STORIES"] {
        case "few": few
        case "most": few.union(more)
        default: nil
        }
    private static let few: Set = ["scan", "upload", "archive", "review", "region"]
    private static let more: Set = [
        "live", "cards", "entries", "send", "invited", "cut", "faults", "owners", "readers",
        "firefox scan", "firefox cut",
    ]

    /// The browser that `COPYSTAND_STORY_BROWSER` names for all stories: `chromium` or `firefox`.
    private static let chosen = ProcessInfo.processInfo.environment["COPYSTAND_STORY_BROWSER"]

    private static func run(
        _ name: String, end: String, in browser: String = chosen ?? "chromium"
    ) throws {
        let title = browser == "firefox" && chosen == nil ? "firefox " + name : name
        if let chosenStories, !chosenStories.contains(title) {
            try Test.cancel("a story that Scripts/test --all runs")
        }
        let home = try TemporaryFolder()
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let stories = tests.path + "/BrowserStories"
        let programs = URL(filePath: BuiltProgram.path).deletingLastPathComponent().path
        // The folder for pictures of every view, at four sizes, has those of one browser.
        var environment = ProcessInfo.processInfo.environment.filter {
            $0.key == "COPYSTAND_STORY_LENGTH"
                || $0.key == "COPYSTAND_SCREENSHOTS" && browser == (chosen ?? "chromium")
        }
        environment["COPYSTAND_STORY_BROWSER"] = browser
        environment["COPYSTAND_AXE"] = axe
        let outcome = try BuiltProgram.spawn(
            "/usr/bin/python3", ["-B", "\(stories)/\(name).py", programs], in: home,
            environment: environment
        ).wait()
        try outcome.skipIfNotTried()
        #expect(outcome.status == 0 && outcome.output == end + "\n", "\(outcome.errors)")
    }
}
