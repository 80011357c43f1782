import FoundationEssentials
import Glibc
import Testing

/// Shared scanners, used by programs that know nothing of Copystand.
@Suite(.serialized) struct SharingTests {
    private static func isThere(_ programs: String...) -> Bool {
        programs.allSatisfy {
            access("/usr/bin/" + $0, X_OK) == 0 || access("/usr/sbin/" + $0, X_OK) == 0
        }
    }

    /// Whether programs may make networks of their own here.
    private static var makesNetworks: Bool {
        isThere(
            "avahi-daemon", "avahi-browse", "dbus-daemon", "airscan-discover", "scanimage", "curl")
            && getuid() == 0
    }

    @Test(
        "In another network they are found by mDNS and scanned from, whatever the daemon does",
        .enabled(if: makesNetworks))
    func networks() throws {
        let home = try TemporaryFolder()
        let script =
            (#filePath.split(separator: "/").dropLast().map(String.init)
            + ["Support/two_networks.sh"]).joined(separator: "/")
        let outcome = try BuiltProgram.spawn(
            "/usr/bin/unshare",
            ["--net", "--mount", "bash", "/" + script, BuiltProgram.path, try home.folder()],
            in: home, environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]
        ).wait()
        // 77 means that this machine does not permit creating networks.
        guard outcome.status != 77 else { return }
        #expect(!outcome.output.contains("FAILED"), "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.split(separator: "\n").count == 13, "\(outcome.output)")
    }

    /// A host that shares the virtual feeder, and where.
    private struct SharingHost {
        let home = try! TemporaryFolder()
        let host: RunningHost
        let port: Int

        init() throws {
            _ = try BuiltProgram.run(["share", "virtual:feeder"], in: home)
            host = try RunningHost(in: home, ["--share", "--share-port", "0"])
            var port: Int?
            for _ in 0..<300 where port == nil {
                port = RunningHost.said(host.running)
                    .firstMatch(of: /Sharing scanners on port (\d+)/).flatMap { Int($0.1) }
                usleep(100_000)
            }
            guard let port else { throw BuiltProgram.Failure(message: "nothing is shared") }
            self.port = port
        }

        /// Runs a shell line in the host's home, in which `$D` is the device by sane-airscan and
        /// `$E` by SANE's own driver.
        func shell(_ line: String, driver: String) throws -> BuiltProgram.Outcome {
            try home.write("sane/dll.conf", driver + "\n")
            try home.write("sane/airscan.conf", "[options]\ndiscovery = disable\n")
            try home.write("sane/escl.conf", "")
            let address = "http://127.0.0.1:\(port)"
            return try BuiltProgram.shell(
                "cd \"$HOME\"; " + line, in: home,
                environment: [
                    "SANE_CONFIG_DIR": home.path + "/sane",
                    "SANE_AIRSCAN_DEVICE": "escl:Desk:\(address)/eSCL/",
                    "D": "airscan:escl:Desk:\(address)/eSCL/", "E": "escl:" + address,
                    "COPYSTAND_SPOOL": home.path + "/other-spool",
                ])
        }
    }

    /// Compares the pixels of two pictures with Python's imaging library: a judge that is not ours.
    private static let same = """
        python3 -c 'import sys; from PIL import Image; a, b = (Image.open(p) for p in \
        sys.argv[1:]); \
        print("same" if a.mode == b.mode and a.size == b.size and a.tobytes() == b.tobytes() else \
        ("differ", a, b))'
        """

    @Test(
        "What scanimage gets is to the pixel what a scan on this machine gets",
        .enabled(if: isThere("scanimage", "python3")),
        arguments: [("Gray", "gray", 150), ("Color", "color", 75)])
    func pixels(_ theirs: String, _ ours: String, _ resolution: Int) throws {
        let host = try SharingHost()
        let outcome = try host.shell(
            """
            scanimage -d "$D" --source Flatbed --mode \(theirs) --resolution \(resolution) -x 127 \
            -y 254 --format=png -o far.png
            "$P" scan --device virtual:feeder --source flatbed --mode \(ours) --resolution \
            \(resolution) \
            --area 0,0,127,254 -p none -o near.png
            \(Self.same) far.png near.png
            """, driver: "airscan")
        #expect(outcome.output.hasSuffix("same\n"), "\(outcome.output)\(outcome.errors)")
        try host.host.end()
    }

    @Test(
        "sane-airscan scans a feeder's pages, both sides of them, a part of the glass, and ends in mid-page",
        .enabled(if: isThere("scanimage", "file")))
    func airscan() throws {
        let host = try SharingHost()
        let outcome = try host.shell(
            """
            scanimage -d "$D" --source ADF --resolution 75 --format=png --batch=a%d.png; ls a*.png \
            | wc -l
            scanimage -d "$D" --source "ADF Duplex" --resolution 75 --format=png --batch=b%d.png; \
            ls b*.png | wc -l
            scanimage -d "$D" -l 10 -t 20 -x 50.8 -y 25.4 --resolution 100 --format=png -o c.png
            file c.png | grep -o '200 x 100'
            timeout -s INT 0.3 scanimage -d "$D" --source Flatbed --resolution 600 --format=png -o \
            d.png
            scanimage -d "$D" --source Flatbed --resolution 75 --format=png -o e.png && file e.png \
            | grep -o PNG
            """, driver: "airscan")
        #expect(
            outcome.output.split(separator: "\n") == ["10", "20", "200 x 100", "PNG"],
            "\(outcome.output)\(outcome.errors)")
        try host.host.end()
    }

    @Test(
        "SANE's own driver scans glass and feeder, in gray and in color",
        .enabled(if: isThere("scanimage", "file")))
    func escl() throws {
        let host = try SharingHost()
        let outcome = try host.shell(
            """
            scanimage -d "$E" --source ADF --mode Gray --resolution 75 --format=png \
            --batch=a%d.png; ls a*.png | wc -l
            scanimage -d "$E" --source Flatbed --mode Color --resolution 75 --format=png -o b.png
            file b.png | grep -o '638 x 886'
            """, driver: "escl")
        #expect(
            outcome.output.split(separator: "\n") == ["10", "638 x 886"],
            "\(outcome.output)\(outcome.errors)")
        try host.host.end()
    }
}
