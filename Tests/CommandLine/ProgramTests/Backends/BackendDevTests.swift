import FoundationEssentials
import Glibc
import Testing

/// Tests `copystand backend dev` with a backend that changes during a live view.
@Suite struct BackendDevTests {
    private struct NotSaid: Error { let text: String }

    /// Waits until a program has printed a text.
    ///
    /// The limit of one minute is reached only if a test fails.
    private func wait(for text: String, _ running: BuiltProgram.Running) throws -> String {
        for _ in 0..<1200 {
            let said = RunningHost.said(running)
            if said.contains(text) { return said }
            usleep(50_000)
        }
        throw NotSaid(text: "\(text): \(RunningHost.said(running))")
    }

    /// A camera whose frames all have one gray.
    private static func camera(_ gray: Int, name: String) -> String {
        """
        #!/usr/bin/python3
        import time
        import copystand_backend as copystand

        class Camera(copystand.Device):
            def capture(self, sink, mode, limit):
                count = 0
                while count < (limit or (1 if mode == "pages" else 1e9)):
                    more = {"time": time.monotonic()} if mode == "live" else {}
                    frame = sink.begin("rgb8", 320, 240, **more)
                    if frame.wanted:
                        frame.write(bytes([\(gray)]) * (320 * 240 * 3))
                    frame.finish()
                    count += 1
                    sink.sleep(0.05)

        class Backend(copystand.Backend):
            def devices(self, quick):
                return [copystand.device("c", "\(name)", "camera")]

            def open(self, id):
                return Camera()

        copystand.run(Backend("Cameras", "1"))

        """
    }

    /// Reads the live view of a camera until its pictures have the given brightness.
    private static let look = """
        import http.client, json, subprocess, sys, time
        port, wanted, id = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:4]
        def ask(method, path, body=None):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            connection.request(method, path, json.dumps(body) if body else None,
                               {"Content-Type": "application/json"})
            answer = connection.getresponse()
            return answer.status, answer.read()
        if not id:
            order = {"device": "lamp:c", "profile": "none", "watch": {"manual": True}}
            id = [json.loads(ask("POST", "/api/v1/jobs", order)[1])["id"]]
        for _ in range(600):
            status, jpeg = ask("GET", f"/api/v1/jobs/{id[0]}/live/frame")
            if status == 200:
                gray = subprocess.run(["djpeg", "-grayscale"], input=jpeg, capture_output=True)
                if abs(gray.stdout[-1] - wanted) < 8:
                    print(id[0])
                    break
            time.sleep(0.05)
        """

    @Test(
        "When the file changes, live frames continue with the new program; mistakes are shown",
        .enabled(if: Workbench.missing(["python3", "djpeg"]) == nil, "needs python3 and djpeg"))
    func reloads() throws {
        let home = try TemporaryFolder()
        let helper = try String(
            contentsOfFile: TutorialPage.root + "/Examples/python/copystand_backend.py",
            encoding: .utf8)
        try home.write("lamp/copystand_backend.py", helper)
        try home.write("lamp/package.json", "{}")
        try home.write(
            "lamp/backend.json",
            #"{"id":"lamp","name":"Lamps","version":"1","protocol":1,"program":"lamp.py"}"#)
        try home.write("lamp/lamp.py", Self.camera(60, name: "First lamp"), mode: 0o755)
        try home.write("look.py", Self.look)
        let running = try BuiltProgram.spawn(
            BuiltProgram.path, ["backend", "dev", home.path + "/lamp", "--port", "0"], in: home,
            environment: ["TMPDIR": home.path])
        defer { running.remove() }
        let address = try RunningHost.waitForAddress(running)
        let port = try #require(address.split(separator: ":").last.map(String.init))
        let first = try wait(for: "lamp:c  First lamp: \(address)/#live", running)
        #expect(!first.contains("package.json"))
        func look(_ gray: Int, _ job: [String]) throws -> String {
            let words = [home.path + "/look.py", port, "\(gray)"] + job
            let seen = try BuiltProgram.spawn("/usr/bin/python3", words, in: home).wait()
            return seen.output.split(separator: "\n").first.map(String.init) ?? ""
        }
        let job = try look(60, [])
        #expect(job != "")
        try home.write("lamp/lamp.py", Self.camera(200, name: "Second lamp"), mode: 0o755)
        _ = try wait(for: "lamp:c  Second lamp", running)
        // The same job shows the new pictures.
        #expect(try look(200, [job]) == job)
        try home.write(
            "lamp/lamp.py", "#!/usr/bin/python3\nraise SystemExit('no lamp')\n", mode: 0o755)
        _ = try wait(for: "no lamp", running)
        try home.write("lamp/lamp.py", Self.camera(90, name: "Third lamp"), mode: 0o755)
        _ = try wait(for: "lamp:c  Third lamp", running)
        kill(running.process, SIGINT)
        let outcome = try running.wait()
        #expect(outcome.status == 0 || outcome.status == 130, "\(outcome.errors)")
        let left = try FileManager.default.contentsOfDirectory(atPath: home.path)
        #expect(!left.contains { $0.hasPrefix("copystand-dev-") }, "\(left)")
    }

    @Test("A folder with 'build' is built first, and again when a source changes")
    func builds() throws {
        let home = try TemporaryFolder()
        let made = try BuiltProgram.run(
            ["backend", "new", home.path + "/dot", "-l", "python"], in: home)
        try #require(made.status == 0)
        // A change of the name stands for a build.
        try home.write(
            "dot/build",
            """
            #!/bin/sh
            sed "s/Test cards/$(cat name)/" dot.py >made.py
            chmod +x made.py

            """, mode: 0o755)
        try home.write("dot/name", "One dot")
        let manifest = try String(contentsOfFile: home.path + "/dot/backend.json", encoding: .utf8)
        try home.write("dot/backend.json", manifest.replacing("\"dot.py\"", with: "\"made.py\""))
        let running = try BuiltProgram.spawn(
            BuiltProgram.path, ["backend", "dev", home.path + "/dot", "--port", "0"], in: home)
        defer { running.remove() }
        _ = try wait(for: "dot:card  One dot: http://127.0.0.1:", running)
        try home.write("dot/name", "Two dots")
        let said = try wait(for: "dot:card  Two dots", running)
        #expect(said.contains("Changed: name."))
    }

    @Test("A folder without a manifest, and a place where no host can wait, are refused")
    func refused() throws {
        let home = try TemporaryFolder()
        let none = try BuiltProgram.run(["backend", "dev", home.path], in: home)
        #expect(none.status == 2 && none.errors.contains("it has no backend.json"))
        let wrong = try BuiltProgram.run(
            ["devices"], in: home, environment: ["COPYSTAND_ATTACH": "mycam"])
        #expect(wrong.status != 0)
        #expect(wrong.errors.contains("COPYSTAND_ATTACH is 'mycam'"), "\(wrong.errors)")
    }
}
