import FoundationEssentials
import ScanService
import Testing

@testable import copystand

@Suite struct CaptureCommandTests {
    let home: TemporaryFolder
    init() throws { home = try TemporaryFolder() }

    static let regions: [(String, CaptureArea?)] = [
        ("10,20,300,40", .pixels(x: 10, y: 20, width: 300, height: 40)),
        ("0,0,0.5,1", .parts(x: 0, y: 0, width: 0.5, height: 1)),
        ("0,0,1,1", .parts(x: 0, y: 0, width: 1, height: 1)),
        ("0,0,0,1", nil), ("1,2,3", nil), ("1,2,3,4,5", nil), ("a,b,c,d", nil), ("", nil),
        ("0.5,10,20,30", nil), ("-1,0,5,5", nil), ("nan,0,1,1", nil), ("0,0,1e9,3", nil),
    ]

    @Test("A region has four numbers, in pixels or as fractions", arguments: regions)
    func region(text: String, area: CaptureArea?) {
        #expect(CaptureCommand.area(region: text) == area)
    }

    @Test(
        "A shape has two numbers",
        arguments: [
            ("8:1", CaptureArea.aspect(8)), ("1:2", .aspect(0.5)), ("8", nil), ("8:0", nil),
            ("8:1:1", nil), (":", nil), ("-1:2", nil), ("inf:1", nil),
        ])
    func aspect(text: String, area: CaptureArea?) {
        #expect(CaptureCommand.area(aspect: text) == area)
    }

    @Test("One picture is captured, and only its region is kept")
    func captures() throws {
        let output = home.path + "/strip.png"
        let run = try BuiltProgram.run(
            [
                "capture", "-d", "virtual:camera", "--set", "size=640x480", "--aspect", "8:1", "-o",
                output, "--json",
            ], in: home)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains(#""width" : 640"#) && run.output.contains(#""height" : 80"#))
        #expect(FileManager.default.fileExists(atPath: output))
    }

    @Test("A region outside the picture keeps the whole picture, with a report")
    func outside() throws {
        let output = home.path + "/whole.png"
        let run = try BuiltProgram.run(
            [
                "capture", "-d", "virtual:camera", "--set", "size=640x480", "--region",
                "2000,2000,10,10", "-o", output,
            ], in: home)
        #expect(run.status == 0)
        #expect(run.errors.contains("The region lies outside the picture of 640 × 480 pixels"))
    }

    @Test(
        "An invalid region is a usage error",
        arguments: [["--region", "1,2"], ["--aspect", "wide"]])
    func mistakes(words: [String]) throws {
        let run = try BuiltProgram.run(["capture", "-d", "virtual:camera"] + words, in: home)
        #expect(run.status == 2)
        #expect(run.errors.contains("not '\(words[1])'"))
    }
}
