import FoundationEssentials
import Glibc
import Testing

/// Tests shared scanners with programs that know nothing about Copystand.
@Suite(.serialized) struct SharingTests {
    /// Tests with programs that are on another machine.
    @Suite(
        .needs(
            "avahi-daemon", "avahi-browse", "dbus-daemon", "airscan-discover", "scanimage", "curl"),
        .enabled(if: getuid() == 0, "only root can make networks"))
    struct AnotherNetwork {
        /// Programs that may be missing.
        private static let clients = ["Python's zeroconf", "escl-scanner-cli"]

        /// The path of PyPI's escl-scanner-cli, which Scripts/test installs.
        private static var esclScan: String {
            let environment = ProcessInfo.processInfo.environment
            let cache = environment["XDG_CACHE_HOME"] ?? (environment["HOME"] ?? "") + "/.cache"
            return cache + "/copystand-escl-client/bin/escl-scan"
        }

        /// The only run of the script, which makes all checks.
        private static let run = Result {
            let home = try TemporaryFolder()
            let script =
                (#filePath.split(separator: "/").dropLast().map(String.init)
                + ["Support/two_networks.sh"]).joined(separator: "/")
            return try BuiltProgram.spawn(
                "/usr/bin/unshare",
                ["--net", "--mount", "bash", "/" + script, BuiltProgram.path, try home.folder()],
                in: home,
                environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "ESCL_SCAN": esclScan]
            ).wait()
        }

        @Test("Scanners are found by mDNS and usable, whatever the daemon does")
        func networks() throws {
            let outcome = try Self.run.get()
            try outcome.skipIfNotTried()
            let lines = outcome.output.split(separator: "\n").filter { line in
                !Self.clients.contains { line.contains($0) }
            }
            #expect(lines.count == 14, "\(outcome.output)\(outcome.errors)")
            #expect(
                lines.allSatisfy { $0.hasPrefix("ok ") }, "\(outcome.output)\(outcome.errors)")
        }

        @Test("Programs without Avahi or SANE find and use scanners, too", arguments: clients)
        func others(_ name: String) throws {
            let outcome = try Self.run.get()
            try outcome.skipIfNotTried()
            let lines = outcome.output.split(separator: "\n").filter { $0.contains(name) }
            if lines == ["skipped \(name)"] { try Test.cancel("needs \(name)") }
            #expect(
                lines.count == 1 && lines.allSatisfy { $0.hasPrefix("ok ") },
                "\(outcome.output)\(outcome.errors)")
        }
    }

    @Test(
        "A local scan waits for one from the network, reports it, and can be ended by Ctrl-C",
        .needs("curl"))
    func waitsHere() throws {
        let host = try SharingHost()
        // Nobody fetches the job's pages, so the job keeps the feeder.
        let job = try host.order("image/png")
        let words = "Virtual feeder is in use by a scan from 127.0.0.1. Waiting until it is free."
        let stopped = try host.localScan("-o", host.home.path + "/none.pdf")
        host.wait(for: words, by: stopped)
        kill(stopped.process, SIGINT)
        let end = try stopped.wait()
        let list = try BuiltProgram.run(["share"], in: host.home)
        #expect(list.output.contains(":\(host.port)/eSCL"), "\(list)")
        #expect(end.status == 130 && end.errors.contains(words), "\(end)")
        let scan = try host.localScan("--set", "pages=2", "-o", host.home.path + "/here.pdf")
        host.wait(for: words, by: scan)
        _ = try BuiltProgram.shell("curl -s -X DELETE \(job)", in: host.home)
        let outcome = try scan.wait()
        #expect(outcome.status == 0 && outcome.errors.contains("2 pages"), "\(outcome)")
        try host.host.end()
    }

    @Test(
        "A client waits for a local scan, which the status shows",
        .needs("curl"))
    func waitsThere() throws {
        let host = try SharingHost()
        let scan = try host.localScan(
            "--wait-for-paper", "--set", "pages=0", "-o", host.home.path + "/here.pdf")
        host.wait(for: "Waiting for paper", by: scan)
        let job = try host.order("image/png")
        let status = try BuiltProgram.shell(
            "for i in $(seq 100); do curl -s \(host.address)/ScannerStatus | tee '\(host.home.path)/s' | grep -q JobQueued && break; sleep 0.1; done; cat '\(host.home.path)/s'",
            in: host.home)
        #expect(status.output.contains("<pwg:State>Processing</pwg:State>"))
        #expect(status.output.contains("<pwg:JobState>Pending</pwg:JobState>"))
        try host.home.write("panel/paper", "1\n")
        let here = try scan.wait()
        #expect(here.status == 0, "\(here)")
        let page = try BuiltProgram.shell(
            "cd \"$HOME\"; curl -s -o page.png \(job)/NextDocument; file page.png", in: host.home)
        #expect(page.output.contains("PNG image data, 850 x 1181"), "\(page.output)")
        try host.host.end()
    }

    @Test(
        "On request, pages are straightened and PDFs are searchable",
        .needs("curl", "pdftotext"))
    func processed() throws {
        let host = try SharingHost(
            "virtual:feeder", ["--profile", "document", "--text", "on"])
        let job = try host.order("application/pdf", from: "Platen")
        let text = try BuiltProgram.shell(
            "cd \"$HOME\"; for i in $(seq 8); do curl -s -f -o page.pdf \(job)/NextDocument && break; done; pdftotext page.pdf -",
            in: host.home)
        #expect(text.output.uppercased().contains("QUICK BROWN FOX"), "\(text)")
        try host.host.end()
    }

    /// Compares the pixels of two pictures with Python's imaging library, independently of our
    /// code.
    private static let same = """
        python3 -c 'import sys; from PIL import Image; a, b = (Image.open(p) for p in \
        sys.argv[1:]); \
        print("same" if a.mode == b.mode and a.size == b.size and a.tobytes() == b.tobytes() else \
        ("differ", a, b))'
        """

    @Test(
        "scanimage gets exactly the pixels of a local scan",
        .needs("scanimage", "python3"),
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
        "Black and white has exactly the bits of a local scan",
        .needs("curl", "python3"))
    func blackAndWhite() throws {
        let host = try SharingHost()
        try host.home.write(
            "bits.xml",
            """
            <s:ScanSettings xmlns:s="http://schemas.hp.com/imaging/escl/2011/05/03" \
            xmlns:pwg="http://www.pwg.org/schemas/2010/12/sm"><pwg:ScanRegions><pwg:ScanRegion> \
            <pwg:XOffset>0</pwg:XOffset><pwg:YOffset>0</pwg:YOffset><pwg:Width>1500</pwg:Width> \
            <pwg:Height>3000</pwg:Height></pwg:ScanRegion></pwg:ScanRegions> \
            <pwg:InputSource>Platen</pwg:InputSource><s:ColorMode>BlackAndWhite1</s:ColorMode> \
            <s:XResolution>100</s:XResolution> \
            <pwg:DocumentFormat>image/png</pwg:DocumentFormat></s:ScanSettings>
            """)
        let outcome = try host.shell(
            """
            job=$(curl -s -i -H 'Content-Type: text/xml' --data @bits.xml \
            \(host.address)/ScanJobs | tr -d '\\r' | sed -n 's/^Location: //p')
            curl -s -f -o far.png "$job/NextDocument"; curl -s -X DELETE "$job"
            "$P" scan --device virtual:feeder --source flatbed --mode bilevel --resolution 100 \
            --area 0,0,127,254 -p none -o near.png 2>/dev/null >/dev/null
            \(Self.same) far.png near.png
            """, driver: "airscan")
        #expect(outcome.output == "same\n", "\(outcome.output)\(outcome.errors)")
        try host.host.end()
    }

    @Test(
        "From SANE's test device, scanimage gets the same pixels with and without a network",
        .needs("scanimage", "python3"), arguments: ["Gray", "Color"])
    func testDevice(_ mode: String) throws {
        let host = try SharingHost("sane:test:0")
        let outcome = try host.shell(
            """
            scanimage -d "$D" --source Flatbed --mode \(mode) --resolution 75 -x 127 -y 127 \
            --format=png -o far.png
            SANE_CONFIG_DIR="$HOME/served" scanimage -d test:0 --mode \(mode) --resolution 75 \
            -x 127 -y 127 --format=png -o near.png
            \(Self.same) far.png near.png
            scanimage -d "$D" --source ADF --mode \(mode) --resolution 75 -x 100 -y 100 \
            --format=png --batch=a%d.png; ls a*.png | wc -l
            """, driver: "airscan")
        #expect(outcome.output == "same\n10\n", "\(outcome.output)\(outcome.errors)")
        try host.host.end()
    }

    @Test(
        "sane-airscan scans both sides, scans a part of the glass, and cancels a page",
        .needs("scanimage", "file"))
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
        .needs("scanimage", "file"))
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
