import FoundationEssentials
import Glibc
import Testing

@testable import copystand

/// Tests the import of tiny files that claim to be huge pictures, with the built program.
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
        let measured = try measured(
            name.hasPrefix("film") ? ["watch", "--device", "file:" + file] : ["import", file])
        let said = measured.errors
        #expect(measured.status == 4, "\(said)")
        #expect(said.contains(name), "\(said)")
        #expect(measured.mebibytes < 128, "\(measured.mebibytes) MiB: \(said)")
    }

    @Test(
        "A picture in several scans is held once: its coefficients are freed as its pixels are made"
    )
    func progressive() throws {
        let file = home.path + "/a.jpg"
        let script = """
            from PIL import Image
            picture = Image.linear_gradient("L").resize((6000, 6000)).convert("RGB")
            picture.save("\(file)", progressive=True, subsampling=2)
            """
        let made = try BuiltProgram.spawn("/usr/bin/python3", ["-c", script], in: home).wait()
        #expect(made.status == 0, "\(made.errors)")
        let measured = try measured(["import", file])
        #expect(measured.status == 0, "\(measured.errors)")
        // Together they would need 206 MiB.
        #expect(measured.mebibytes < 190, "\(measured.mebibytes) MiB")
    }

    /// Runs a command of the program, and measures the memory of the program and its backends.
    private func measured(
        _ words: [String]
    ) throws -> (status: Int32, errors: String, mebibytes: Int) {
        // The maximum of the program and of the backends that it has waited for (getrusage(2)). A
        // child of this process would start with the memory of all tests; Python needs little.
        let measure = """
            import resource, subprocess, sys
            done = subprocess.run(sys.argv[1:], capture_output=True)
            print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
            sys.stderr.buffer.write(done.stderr)
            sys.exit(done.returncode)
            """
        let measured = try BuiltProgram.spawn(
            "/usr/bin/python3",
            ["-c", measure, BuiltProgram.path] + words
                + ["-p", "none", "-o", home.path + "/out.pdf"], in: home
        ).wait()
        let kibibytes = try #require(Int(measured.output.filter(\.isNumber)))
        return (measured.status, measured.errors, kibibytes / 1_024)
    }
}
