import FoundationEssentials
import Glibc

/// A home folder outside the repository that contains the built program; its user is not root.
struct Workbench {
    let home: TemporaryFolder

    /// A user without files.
    private static let nobody: uid_t = 65534

    /// The first program that backends in a language need and this machine lacks; nil if all are
    /// installed.
    static func missing(_ programs: [String]) -> String? {
        programs.first { folder(of: $0) == nil }
    }

    /// The folder of a program of this machine.
    static func folder(of program: String) -> String? {
        let path = getenv("PATH").map { String(cString: $0) } ?? ""
        return (path.split(separator: ":").map(String.init) + ["/usr/bin", "/bin", toolchain])
            .first { access("\($0)/\(program)", X_OK) == 0 }
    }

    /// The folder of the program that runs these tests, which is the Swift toolchain's folder.
    private static var toolchain: String {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = max(0, readlink("/proc/\(getppid())/exe", &buffer, buffer.count))
        let parts = String(decoding: buffer.prefix(count), as: UTF8.self).split(separator: "/")
        return "/" + parts.dropLast().joined(separator: "/")
    }

    init() throws {
        home = try TemporaryFolder()
        let outcome = try BuiltProgram.shell(
            "cd '\(home.path)' && mkdir bin work && cp \"$P\" bin/ && cp '\(TutorialPage.root)/Samples/06-receipt.jpg' shot.jpg",
            in: home)
        guard outcome.status == 0 else { throw BuiltProgram.Failure(message: outcome.errors) }
        try home.write("camera.py", Self.camera)
    }

    /// Runs a script in `work`, with the program in the PATH and a camera that shows a picture at
    /// `$CAMERA`.
    func run(_ script: String, in folder: String = "work") throws -> BuiltProgram.Outcome {
        try home.write(
            "script",
            """
            set -eu
            cd "$HOME"
            rm -f port
            /usr/bin/python3 camera.py &
            camera=$!
            trap 'kill $camera' EXIT
            while [ ! -s port ]; do sleep 0.05; done
            CAMERA=127.0.0.1:$(cat port)
            cd "$HOME/\(folder)"
            \(script)
            """)
        chmod(home.path, 0o755)
        let isRoot = geteuid() == 0
        // Backends are never installed as root.
        let words =
            isRoot
            ? [
                "/usr/bin/setpriv", "--reuid=\(Self.nobody)", "--regid=\(Self.nobody)",
                "--clear-groups",
            ] : ["/usr/bin/env"]
        if isRoot {
            _ = try BuiltProgram.shell("chown -R \(Self.nobody) '\(home.path)'", in: home)
        }
        let environment = [
            "PATH": "\(home.path)/bin:/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1",
        ]
        return try BuiltProgram.spawn(
            words[0], Array(words.dropFirst()) + ["/bin/sh", home.path + "/script"], in: home,
            environment: environment
        ).wait()
    }

    /// True if the user's backend folder is not empty.
    var leftovers: [String] {
        (try? FileManager.default.contentsOfDirectory(
            atPath: home.path + "/.local/share/copystand/backends")) ?? []
    }

    /// A still-picture camera: every address shows `shot.jpg`, and `flaky.jpg` is truncated every
    /// other time.
    private static let camera = """
        import http.server, itertools, os
        with open("shot.jpg", "rb") as file: WHOLE = file.read()
        turn = itertools.count()
        class Camera(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                SHOT = WHOLE[:20] if self.path == "/flaky.jpg" and next(turn) % 2 else WHOLE
                self.send_response(200)
                self.send_header("Content-Type", "image/jpeg")
                self.send_header("Content-Length", str(len(SHOT)))
                self.end_headers()
                self.wfile.write(SHOT)
            def log_message(self, *words): pass
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Camera)
        with open("port.new", "w") as file: file.write(str(server.server_port))
        os.rename("port.new", "port")
        server.serve_forever()
        """
}
