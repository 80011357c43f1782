import FoundationEssentials
import Glibc
import Testing

@testable import copystand

/// Tiny files that claim to be huge pictures, imported by the built program.
@Suite struct GiantFileTests {
    static let names = [
        "row.png", "rows16.png", "gray.png", "woven.png", "clear.png", "palette.png", "empty.jpg",
        "steps.jpg", "cut.jpg", "lossy.webp", "lossless.webp", "plain.pgm", "letters.ppm",
        "film.y4m", "film.avi", "film.mjpeg",
    ]
    static let scans = ["plain", "lzw", "jpeg", "deflate", "packed", "zstd"].flatMap { name in
        ["", "-color", "-tiled", "-rgba"].map { name + $0 + ".tif" }
    }

    let home: TemporaryFolder
    init() throws { home = try TemporaryFolder() }

    @Test(
        "A file of a few bytes that claims to be a huge picture is refused and takes little memory",
        arguments: names + scans)
    func giant(_ name: String) throws {
        let script = TutorialPage.root + "/Tests/CommandLine/ProgramTests/Support/giants.py"
        let made = try BuiltProgram.spawn("/usr/bin/python3", [script, home.path], in: home).wait()
        #expect(made.status == 0, "\(made.errors)")
        let file = home.path + "/" + name
        let isFilm = name.hasPrefix("film")
        // The largest of the program and of the backends that it has waited for (getrusage(2)). A
        // child of this process would begin with the memory of all tests; Python's is small.
        let measure = """
            import resource, subprocess, sys
            done = subprocess.run(sys.argv[1:], capture_output=True)
            print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
            sys.stderr.buffer.write(done.stderr)
            sys.exit(done.returncode)
            """
        let measured = try BuiltProgram.spawn(
            "/usr/bin/python3",
            ["-c", measure, BuiltProgram.path]
                + (isFilm ? ["watch", "--device", "file:" + file] : ["import", file])
                + ["-p", "none", "-o", home.path + "/out.pdf"], in: home
        ).wait()
        let said = measured.errors
        let kibibytes = try #require(Int(measured.output.filter(\.isNumber)))
        #expect(measured.status == 4, "\(said)")
        #expect(said.contains(name), "\(said)")
        #expect(kibibytes / 1_024 < 128, "\(kibibytes / 1_024) MiB: \(said)")
    }
}
