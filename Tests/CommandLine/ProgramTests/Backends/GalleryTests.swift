import FoundationEssentials
import Glibc
import Testing

/// Tests the backends of Examples/gallery, each with real software.
@Suite struct GalleryTests {
    private static var gallery: String { TutorialPage.root + "/Examples/gallery" }
    private static var support: String { TutorialPage.root + "/Tests/CommandLine/Gallery" }

    /// Selected checks of each group, which rarely start the program; all checks together take a
    /// minute.
    private static let checks = [
        "hello.answers", "devices.form", "devices.stable", "open.unknown", "open.twice",
        "options.form", "options.common", "set.tells", "set.range", "capture.page",
        "capture.announces", "capture.facts", "capture.original", "capture.limit",
        "buffer.rows", "buffer.inline", "live.whole", "live.times", "live.limit", "live.stop",
        "cancel.waiting", "cancel.code", "cancel.again", "message.once-each", "exit.open",
    ].flatMap { ["--check", $0] }

    /// Checks a backend, and returns the report.
    private func check(
        _ name: String, in home: TemporaryFolder, _ more: [String] = [],
        environment: [String: String] = [:]
    ) throws -> BuiltProgram.Outcome {
        let outcome = try BuiltProgram.run(
            ["backend", "check", "\(Self.gallery)/\(name)", "--real"] + more + Self.checks,
            in: home, environment: environment)
        #expect(outcome.status == 0, "\(outcome.output)\n\(outcome.errors)")
        return outcome
    }

    /// A small picture, whose bytes are known.
    private func picture(in home: TemporaryFolder) throws -> String {
        let path = home.path + "/picture.jpg"
        let line = """
            djpeg -scale 1/8 '\(TutorialPage.root)/Samples/06-receipt.jpg' | cjpeg -quality 85 \
            > '\(path)'
            """
        try #require(try BuiltProgram.shell(line, in: home).status == 0)
        return path
    }

    @Test(
        "A network camera delivers frames over RTSP from another maker's server",
        .enabled(
            if: Workbench.missing(["ffmpeg", "djpeg", "perl"]) == nil
                && access("/usr/share/perl5/RTSP/Server.pm", R_OK) == 0,
            "needs ffmpeg, djpeg and librtsp-server-perl"))
    func ipcam() throws {
        let home = try TemporaryFolder()
        let (source, port) = (
            20_000 + Int(getpid()) % 5_000 * 2, 20_001 + Int(getpid()) % 5_000 * 2
        )
        let server = try BuiltProgram.spawn(
            "/usr/bin/perl", [Self.support + "/rtsp_server.pl", "\(source)", "\(port)"], in: home)
        defer { server.remove() }
        let film = try BuiltProgram.spawn(
            "/bin/sh",
            [
                "-c",
                """
                until ffmpeg -nostdin -loglevel error -re -f lavfi -i \
                testsrc=size=320x240:rate=10 -c:v mpeg4 -q:v 2 -g 1 -f rtsp \
                rtsp://127.0.0.1:\(source)/desk; do sleep 0.2; done
                """,
            ], in: home)
        defer { film.remove() }
        try home.write(
            ".config/copystand-ipcam.txt",
            "desk rtsp://ada:secret@127.0.0.1:\(port)/desk\nnone http://127.0.0.1:1/x.jpg\n")
        // The device films after its announcement.
        let page = home.path + "/page.tiff"
        var scan = try scan("ipcam", "desk", to: page, ["--set", "transport=udp"], in: home)
        for _ in 0..<20 where scan.status != 0 {
            scan = try self.scan("ipcam", "desk", to: page, ["--set", "transport=udp"], in: home)
        }
        #expect(scan.status == 0, "\(scan.errors)")
        let size = try BuiltProgram.shell("tiffinfo '\(page)'", in: home)
        #expect(size.output.contains("Image Width: 320 Image Length: 240"))
        let checked = try check("ipcam", in: home, ["-d", "desk", "--set", "transport=udp"])
        #expect(checked.output.contains("live.whole"))
        let listed = try BuiltProgram.run(
            ["devices", "--backend", "ipcam", "--json"], in: home, environment: Self.found)
        #expect(listed.output.contains("rtsp://127.0.0.1") && !listed.output.contains("secret"))
        let none = try self.scan("ipcam", "none", to: home.path + "/none.tiff", in: home)
        #expect(none.status != 0 && none.errors.contains("sends no picture"), "\(none.errors)")
    }

    private static let found = ["COPYSTAND_BACKENDS": gallery]

    private func scan(
        _ backend: String, _ device: String, to path: String, _ more: [String] = [],
        in home: TemporaryFolder, environment: [String: String] = [:]
    ) throws -> BuiltProgram.Outcome {
        try BuiltProgram.run(
            ["scan", "-d", "\(backend):\(device)", "--profile", "none", "-o", path] + more,
            in: home, environment: Self.found.merging(environment) { $1 })
    }

    @Test(
        "A cabled camera is set, filmed and released by a program that acts like gphoto2",
        .enabled(if: Workbench.missing(["python3", "djpeg"]) == nil, "needs python3 and djpeg"))
    func gphoto() throws {
        let home = try TemporaryFolder()
        _ = try picture(in: home)
        let made = try BuiltProgram.shell(
            "cp '\(Self.support)/gphoto2' '\(home.path)/'", in: home)
        try #require(made.status == 0)
        let environment = ["GPHOTO2": home.path + "/gphoto2"]
        let checked = try check("gphoto", in: home, environment: environment)
        #expect(checked.output.contains("live.whole"))
        let page = home.path + "/page.jpg"
        let scan = try scan(
            "gphoto", "0a1b2c3d", to: page, ["--set", "iso=200"], in: home,
            environment: environment)
        #expect(scan.status == 0, "\(scan.errors)")
        // The picture's pixels are unchanged, and the setting reached the camera.
        let same = try BuiltProgram.shell(
            "cd '\(home.path)' && djpeg page.jpg >a && djpeg picture.jpg >b && cmp a b", in: home)
        #expect(same.status == 0, "\(same.errors)")
        let settings = try String(contentsOfFile: home.path + "/settings.json", encoding: .utf8)
        #expect(settings.contains(#""iso": "200""#))
    }

    @Test(
        "A camera on a network is set and released by the real gphoto2, over PTP/IP",
        .enabled(
            if: Workbench.missing(["gphoto2", "python3", "djpeg"]) == nil,
            "needs gphoto2, python3 and djpeg"))
    func gphotoNetwork() throws {
        let home = try TemporaryFolder()
        let picture = try picture(in: home)
        let camera = try BuiltProgram.spawn(
            "/usr/bin/python3",
            [Self.support + "/ptpip_camera.py", picture, home.path + "/port"], in: home)
        defer { camera.remove() }
        while access(home.path + "/port", R_OK) != 0 { usleep(20_000) }
        let port = try String(contentsOfFile: home.path + "/port", encoding: .utf8)
        try home.write(
            ".config/copystand-gphoto.txt", "studio 127.0.0.1:\(port)\naway 127.0.0.1:1\n")
        let listed = try BuiltProgram.run(
            ["devices", "--backend", "gphoto"], in: home, environment: Self.found)
        #expect(listed.output.contains(/gphoto:studio +Lamp 1, studio/), "\(listed.output)")
        #expect(listed.output.contains(/gphoto:away .* offline/), "\(listed.output)")
        let page = home.path + "/page.jpg"
        let scan = try scan("gphoto", "studio", to: page, ["--set", "iso=400"], in: home)
        #expect(scan.status == 0, "\(scan.errors)")
        let same = try BuiltProgram.shell(
            "cd '\(home.path)' && djpeg page.jpg >a && djpeg picture.jpg >b && cmp a b", in: home)
        #expect(same.status == 0, "\(same.errors)")
        // Another process reads the setting, so its value comes from the camera.
        let words = "--port ptpip:127.0.0.1:\(port):\(port) --camera 'PTP/IP Camera'"
        let iso = try BuiltProgram.shell("gphoto2 \(words) --get-config iso", in: home)
        #expect(iso.output.contains("Current: 400"), "\(iso.output)\n\(iso.errors)")
        let checks = [
            "open.answers", "options.form", "set.tells", "capture.page", "capture.original",
            "live.offered", "cancel.waiting", "exit.open",
        ].flatMap { ["--check", $0] }
        let checked = try BuiltProgram.run(
            ["backend", "check", "\(Self.gallery)/gphoto", "-d", "studio", "--real"] + checks,
            in: home)
        #expect(checked.status == 0, "\(checked.output)\n\(checked.errors)")
        #expect(checked.errors.contains("8 passed, 0 failed"), "\(checked.errors)")
    }

    @Test(
        "The real gphoto2, without a camera, is an empty list and no problem",
        .enabled(if: Workbench.missing(["gphoto2"]) == nil, "needs gphoto2"))
    func noCamera() throws {
        let home = try TemporaryFolder()
        let listed = try BuiltProgram.run(
            ["devices", "--backend", "gphoto", "--json"], in: home, environment: Self.found)
        #expect(listed.status == 0, "\(listed.errors)")
        let opened = try scan("gphoto", "none", to: home.path + "/x.tiff", in: home)
        #expect(opened.status == 3 && opened.errors.contains("no camera is called 'none'"))
    }

    @Test(
        "Dropped files are scanned, the oldest first, and moved away; damaged ones are reported",
        .enabled(
            if: Workbench.missing(["python3", "pdftoppm"]) == nil
                && access("/usr/lib/python3/dist-packages/PIL", R_OK) == 0,
            "needs python3-pil and poppler-utils"))
    func scanfolder() throws {
        let home = try TemporaryFolder()
        _ = try picture(in: home)
        try home.write("in/.keep")
        try home.write(".config/copystand-scanfolder.txt", "office \(home.path)/in\n")
        let script = """
            from PIL import Image
            pages = [Image.new("1", (400, 600), n) for n in (0, 1)]
            pages[0].save("in/two.tiff", save_all=True, append_images=pages[1:], dpi=(200, 200))
            Image.new("RGB", (300, 200), "red").save("in/letter.pdf", resolution=100)
            Image.new("RGBA", (30, 20), (0, 0, 0, 0)).save("in/clear.png")
            """
        try home.write("make.py", script)
        let line = """
            cd '\(home.path)' && cp picture.jpg in/last.jpg && python3 make.py && \
            echo nonsense > in/bad.pdf && cp picture.jpg in/.hidden.jpg && \
            touch -d '5 hours ago' in/two.tiff && touch -d '4 hours ago' in/letter.pdf && \
            touch -d '3 hours ago' in/clear.png in/bad.pdf && touch -d '1 hour ago' in/last.jpg
            """
        let made = try BuiltProgram.shell(line, in: home)
        try #require(made.status == 0, "\(made.errors)")
        let path = home.path + "/all.tiff"
        // The next scan continues with the rest of a file.
        let first = try scan(
            "scanfolder", "office", to: home.path + "/one.tiff", ["--pages", "1"], in: home)
        #expect(first.status == 0, "\(first.errors)")
        let rest = try scan("scanfolder", "office", to: path, in: home)
        #expect(rest.status == 4 && rest.errors.contains("'bad.pdf' is no PDF"), "\(rest.errors)")
        let sizes = try BuiltProgram.shell("tiffinfo '\(path)' | grep 'Image Width'", in: home)
        #expect(
            sizes.output.split(separator: "\n").map {
                $0.split(separator: " ").filter { Int($0) != nil }.joined(separator: "x")
            }.prefix(3) == ["400x600", "900x600", "30x20"], "\(sizes.output)")
        let left = try BuiltProgram.shell("cd '\(home.path)/in' && find . -type f | sort", in: home)
        #expect(
            left.output.split(separator: "\n") == [
                "./.hidden.jpg", "./.keep", "./.scanfolder-next", "./damaged/bad.pdf",
                "./taken/clear.png",
                "./taken/last.jpg", "./taken/letter.pdf", "./taken/two.tiff",
            ])
        let empty = try scan("scanfolder", "office", to: home.path + "/no.tiff", in: home)
        #expect(empty.status != 0 && empty.errors.contains("no file waits"), "\(empty.errors)")
        let more = """
            cd '\(home.path)/in' && for i in $(seq 100 160); do cp ../picture.jpg $i.jpg; done && \
            touch -d '1 hour ago' *.jpg
            """
        try #require(try BuiltProgram.shell(more, in: home).status == 0)
        _ = try check("scanfolder", in: home)
    }

    @Test("Each example is installed from a copy, and names every file that it needs")
    func installed() throws {
        let bench = try Workbench()
        for name in ["ipcam", "gphoto", "scanfolder"] {
            let outcome = try bench.run(
                """
                cp -rL '\(Self.gallery)/\(name)' '\(name)'
                copystand backend install '\(name)'
                rm -r '\(name)'
                copystand devices --backend \(name)
                copystand backend remove \(name)
                """)
            #expect(outcome.status == 0, "\(name): \(outcome.errors)")
        }
    }
}
