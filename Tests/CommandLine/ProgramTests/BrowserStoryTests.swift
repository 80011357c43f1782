import FoundationEssentials
import Testing

/// The web page in a headless Chromium, one story of a user each;
/// `Tests/CommandLine/BrowserStories/browser.py` starts host and browser.
@Suite(.serialized) struct BrowserStoryTests {
    @Test(
        "The page is used as people use it",
        arguments: [
            ("scan", "found"), ("review", "reviewed"), ("restart", "back"),
            ("together", "together"), ("live", "live"), ("upload", "sent"),
            ("send", "sent out"), ("settings", "settled"),
            ("preview", "looked"), ("faults", "gone on"), ("cut", "mended"), ("region", "drawn"),
            ("entries", "listed"), ("cards", "counted"), ("german", "deutsch"), ("archive", "kept"),
            ("devices", "named"), ("options", "set"), ("sheets", "one by one"), ("clicks", "few"),
            ("described", "described"), ("tabs", "agreed"),
            ("pocket", "in the pocket"), ("invited", "invited"), ("many", "many"),
            ("habits", "as always"), ("languages", "spoken"),
        ])
    func story(_ name: String, _ end: String) throws {
        let home = try TemporaryFolder()
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let stories = tests.path + "/BrowserStories"
        let programs = URL(filePath: BuiltProgram.path).deletingLastPathComponent().path
        // Where the pictures of every view are kept, at three sizes.
        let pictures = ProcessInfo.processInfo.environment.filter {
            $0.key == "COPYSTAND_SCREENSHOTS"
        }
        let outcome = try BuiltProgram.spawn(
            "/usr/bin/python3", ["-B", "\(stories)/\(name).py", programs], in: home,
            environment: pictures
        ).wait()
        #expect(outcome.status == 0 && outcome.output == end + "\n", "\(outcome.errors)")
    }
}
