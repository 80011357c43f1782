import FoundationEssentials
import Glibc
import Testing

/// Tests a camera that is shared as a scanner with programs that know nothing about Copystand.
///
/// The camera consists of served files, and shows a sheet of paper on a desk.
@Suite(.serialized) struct SharedCameraTests {
    /// The program or right that is missing for such a camera; nil if nothing is missing.
    static let obstacle: String? = {
        if access("/dev/fuse", R_OK | W_OK) != 0 {
            return "/dev/fuse is missing or may not be used"
        }
        if geteuid() != 0 { return "only root may mount" }
        return SharingHost.isThere("scanimage", "python3")
            ? nil : "scanimage or python3 is not installed"
    }()

    /// Serves the camera until the object is released.
    private final class Film {
        let home: TemporaryFolder
        private let server: BuiltProgram.Running
        var nodes: String { home.path + "/nodes" }

        init() throws {
            home = try TemporaryFolder()
            try home.write("cameras/video0/.made")
            try home.write("nodes/.made")
            let made = try BuiltProgram.shell(
                "python3 '\(SharedCameraTests.script)' film \"$HOME/cameras/video0/MJPG-1280x960@15.bin\"",
                in: home)
            guard made.status == 0 else { throw BuiltProgram.Failure(message: made.errors) }
            let programs = BuiltProgram.path.split(separator: "/").dropLast().joined(separator: "/")
            server = try BuiltProgram.spawn(
                "/" + programs + "/fuse-camera-for-tests",
                [home.path + "/cameras", home.path + "/nodes"], in: home)
            // The file system is mounted once its folder lists the device. The limit of ten seconds
            // is reached only if the test fails.
            for _ in 0..<1000 where access(nodes + "/video0", F_OK) != 0 { usleep(10_000) }
        }

        deinit {
            kill(server.process, SIGTERM)
            _ = try? server.wait()
        }
    }

    private static let script =
        "/"
        + (#filePath.split(separator: "/").dropLast().map(String.init)
        + ["Support/photographed_page.py"]).joined(separator: "/")

    /// A host that shares the camera.
    private func host(_ film: Film, _ words: [String] = []) throws -> SharingHost {
        let environment = ["COPYSTAND_CAMERA_FOLDER": film.nodes]
        let listed = try BuiltProgram.run(
            ["devices", "--json"], in: film.home, environment: environment)
        let device = try #require(
            listed.output.firstMatch(of: /"id" : "(v4l2:[^"]+)"/)?.1, "\(listed)")
        return try SharingHost(String(device), words, environment: environment)
    }

    /// Scans until a page comes, since on a very busy machine the server may give up before a page
    /// is seen.
    private func scan(_ host: SharingHost, _ resolution: Int, _ judge: String) throws
        -> BuiltProgram.Outcome
    {
        try host.shell(
            """
            for i in 1 2 3 4; do
              scanimage -d "$D" --mode Color --resolution \(resolution) --format=png -o page.png \
              && break
            done
            python3 '\(Self.script)' \(judge)
            """, driver: "airscan")
    }

    @Test(
        "The page under a camera is found and flattened, with the requested paper and resolution",
        .enabled(if: obstacle == nil, "\(obstacle ?? "")"), arguments: [100, 200])
    func page(_ resolution: Int) throws {
        let film = try Film()
        let host = try host(film)
        let outcome = try scan(host, resolution, "page page.png \(resolution)")
        #expect(outcome.output == "ok\n", "\(outcome.output)\(outcome.errors)")
        try host.host.end()
    }

    @Test(
        "With the profile 'none', the whole picture of the camera is delivered",
        .enabled(if: obstacle == nil, "\(obstacle ?? "")"))
    func whole() throws {
        let film = try Film()
        let host = try host(film, ["--profile", "none"])
        let outcome = try scan(host, 100, "frame page.png")
        #expect(outcome.output == "ok\n", "\(outcome.output)\(outcome.errors)")
        try host.host.end()
    }
}
