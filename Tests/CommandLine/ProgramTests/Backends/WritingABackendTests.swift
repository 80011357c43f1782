import FoundationEssentials
import Glibc
import Testing

/// Follows Docs/developers/WritingABackend.md outside of the repository and with a separate home.
@Suite(.serialized) struct WritingABackendTests {
    private static let needsC = ["cc", "python3", "curl", "djpeg"]
    private static let needsPython = ["python3", "djpeg"]
    private static let needsSwift = ["swift", "python3", "curl", "djpeg"]

    @Test("Every block of the page is a part of an example, in order, or a command that is run")
    func blocks() throws {
        let page = try TutorialPage()
        let known = Set(TutorialPage.files.keys).union(TutorialPage.commands)
        for block in page.blocks { #expect(known.contains(block.kind), "\(block.kind)") }
        #expect(Set(page.blocks.map(\.kind)) == known)
        for (kind, file) in TutorialPage.files {
            let whole = try String(
                contentsOfFile: TutorialPage.root + "/Examples/" + file, encoding: .utf8)
            // The page may have more or fewer empty lines between two blocks than the file.
            func lines(_ text: String) -> [Substring] { text.split(separator: "\n") }
            let isSame = lines(page.text(kind)) == lines(whole)
            #expect(isSame, "the blocks of \(kind) are not \(file)")
        }
    }

    /// The page's commands, with this test's camera.
    private func commands(_ kind: String) throws -> String {
        try TutorialPage().text(kind).replacing("phone.local:8080", with: "$CAMERA")
    }

    /// Checks the results of the commands with the finished backend.
    private func check(_ outcome: BuiltProgram.Outcome, _ bench: Workbench) {
        #expect(outcome.status == 0, "\(outcome.output)\n\(outcome.errors)")
        #expect(outcome.output.contains("netcam:desk"))
        #expect(outcome.errors.contains("'netcam' is removed"))
        // The camera's JPEG is unchanged, and the option for half the size has its effect.
        #expect(outcome.output.contains("SAME PICTURE"))
        #expect(outcome.output.contains("HALF SIZE"))
        // Two damaged pictures were between three complete ones.
        #expect(outcome.output.contains("THREE PICTURES"))
        #expect(outcome.errors.contains("is not a readable JPEG"))
        #expect(bench.leftovers == [])
    }

    private static let comparison = """

        test -s other.tiff -a -s look.png
        djpeg now.jpg >now.ppm; djpeg "$HOME/shot.jpg" >shot.ppm; cmp now.ppm shot.ppm && echo \
        SAME PICTURE
        djpeg -scale 4/8 "$HOME/shot.jpg" | head -c 15 | sed -n 2p >size
        read width height <size
        tiffinfo page.tiff | grep -q "Image Width: $width Image Length: $height" && echo HALF SIZE
        COPYSTAND_BACKENDS=$PWD copystand scan --device netcam:http://$CAMERA/flaky.jpg --set \
        repeat=on --set pause=0 \\
            --pages 3 --profile none --output flaky.tiff || test $? = 4
        test "$(tiffinfo flaky.tiff | grep -c 'Image Width')" = 3 && echo THREE PICTURES
        """

    @Test(
        "The backend from the five-minute tutorial works",
        .enabled(if: Workbench.missing(needsC) == nil, "needs cc, python3, curl and djpeg"),
        arguments: ["python", "c"])
    func newBackend(_ language: String) throws { try expectScaffold(language, Workbench()) }

    @Test(
        "The backend of five minutes works in JavaScript",
        .enabled(if: Workbench.missing(["python3", "node"]) == nil, "needs python3 and node"))
    func newJavaScript() throws { try expectScaffold("javascript", Workbench()) }

    @Test(
        "The backend of five minutes works in Rust, without a warning of its compiler",
        .enabled(if: Workbench.missing(["python3", "cargo"]) == nil, "needs python3 and cargo"))
    func newRust() throws {
        let bench = try Workbench()
        let folder = bench.home.path + "/work/mycam"
        let made = try BuiltProgram.run(
            ["backend", "new", folder, "--language", "rust"], in: bench.home)
        #expect(made.status == 0, "\(made.errors)")
        // The toolchain may be in the home of the user who runs the tests.
        let home = getenv("HOME").map { String(cString: $0) } ?? "/"
        let path = (Workbench.folder(of: "cargo") ?? "") + ":/usr/bin:/bin"
        let build = try BuiltProgram.spawn(
            folder + "/build", [], in: bench.home,
            environment: [
                "PATH": path, "HOME": home, "RUSTFLAGS": "-D warnings",
                "CARGO_NET_OFFLINE": "true",
            ]
        ).wait()
        #expect(build.status == 0, "\(build.output)\n\(build.errors)")
        // The bench's user can't build with the toolchain, so the program is built already.
        chmod(folder + "/build", 0o644)
        try expectScaffold("rust", bench)
    }

    /// Follows the page's steps for a new backend, and then a build server's steps.
    private func expectScaffold(_ language: String, _ bench: Workbench) throws {
        var script = try commands("sh").replacing("python", with: language)
        // A program that has to be built is built already.
        if access(bench.home.path + "/work/mycam", R_OK) == 0 {
            script = script.split(separator: "\n").dropFirst().joined(separator: "\n")
        }
        let outcome = try bench.run(script)
        #expect(outcome.status == 0, "\(outcome.output)\n\(outcome.errors)")
        #expect(outcome.output.contains("The backend works."))
        #expect(outcome.output.contains("mycam:card"))
        #expect(outcome.errors.contains("options #"))
        #expect(bench.leftovers == [])
        // The commands of a build server with an installed Copystand.
        let workflow = try String(
            contentsOfFile: bench.home.path + "/work/mycam/.github/workflows/check.yml",
            encoding: .utf8)
        let commands = workflow.matches(of: /- run: ((?:.\/test|copystand ).*)/).map {
            String($0.1)
        }
        #expect(commands.count == 2)
        for command in commands {
            let isCheck = command.hasPrefix("copystand")
            let few = " --check hello.answers --check capture.page --check capture.empty"
            let made = try bench.run(
                "cd mycam; export MYCAM_FAKE=yes; " + command + (isCheck ? few : ""))
            #expect(made.status == 0, "\(made.output)\n\(made.errors)")
        }
        #expect(access(bench.home.path + "/work/mycam/checks.xml", R_OK) == 0)
    }

    @Test(
        "The network camera in Python is installed, listed, scanned from and removed",
        .enabled(if: Workbench.missing(needsPython) == nil, "needs python3 and djpeg"))
    func python() throws {
        let bench = try Workbench()
        let setUp = """
            cp -r '\(TutorialPage.root)/Examples/python' netcam
            cd netcam

            """
        check(try bench.run(setUp + commands("sh netcam") + Self.comparison), bench)
    }

    @Test(
        "The network camera in C is built, installed, listed, scanned from and removed",
        .enabled(if: Workbench.missing(needsC) == nil, "needs cc, python3, curl and djpeg"))
    func c() throws {
        let bench = try Workbench()
        let setUp = """
            cp -r '\(TutorialPage.root)/Examples/c' netcam
            cd netcam

            """
        let build = try commands("sh c").replacing("-Wall", with: "-Wall -Wextra -Werror")
        check(try bench.run(setUp + build + commands("sh netcam") + Self.comparison), bench)
    }

    @Test(
        "Backends in Swift are built in a package of their own, installed, scanned from and removed",
        .enabled(if: Workbench.missing(needsSwift) == nil, "needs swift, python3, curl and djpeg"))
    func swift() throws {
        let bench = try Workbench()
        // The new backend and the backend of the documentation are in one package, because a build
        // takes long.
        let made = try bench.run(
            """
            copystand backend new mycam --language swift --copystand '\(TutorialPage.root)'
            cp -r '\(TutorialPage.root)/Examples/swift/Sources/netcam' mycam/Sources/
            sed -i 's|targets: \\[|&.executableTarget(name: "netcam", dependencies: \
            [.product(name: "CaptureKit", package: "copystand")]),|' mycam/Package.swift
            """)
        #expect(made.status == 0, "\(made.errors)")
        let build = try BuiltProgram.spawn(
            "/bin/sh",
            ["-c", "cd '\(bench.home.path)/work/mycam' && " + commands("sh swift")],
            in: bench.home,
            environment: ["PATH": (Workbench.folder(of: "swift") ?? "") + ":/usr/bin:/bin"]
        ).wait()
        #expect(build.status == 0, "\(build.output)\n\(build.errors)")
        check(
            try bench.run(
                """
                copystand backend install mycam
                copystand scan --device mycam:card --pages 2 --profile none --output card.tiff
                test "$(tiffinfo card.tiff | grep -c 'Image Width: 850 Image Length: 1100')" = 2
                copystand backend remove mycam
                mkdir -p netcam/.build/release
                cp mycam/.build/release/netcam netcam/.build/release/
                cp '\(TutorialPage.root)/Examples/swift/backend.json' netcam/
                cd netcam

                """ + commands("sh netcam") + Self.comparison), bench)
    }

    @Test(
        "A backend that speaks the protocol without any help is installed and scanned from",
        .enabled(if: Workbench.missing(["python3"]) == nil, "needs python3"))
    func byHand() throws {
        let bench = try Workbench()
        let outcome = try bench.run(
            """
            cp -r '\(TutorialPage.root)/Examples/PythonBackend' stripes
            copystand backend install stripes
            copystand devices --backend stripes
            copystand scan --device stripes:feeder --set pages=2 --profile none --output \
            stripes.tiff
            test "$(tiffinfo stripes.tiff | grep -c 'Image Width: 200 Image Length: 300')" = 2
            copystand backend remove stripes
            """)
        #expect(outcome.status == 0, "\(outcome.output)\n\(outcome.errors)")
        #expect(outcome.output.contains("stripes:feeder"))
        #expect(bench.leftovers == [])
    }
}
