import FoundationEssentials
import Glibc

/// A host that shares the virtual feeder, and its address.
struct SharingHost {
    /// True if these programs are installed.
    static func isThere(_ programs: String...) -> Bool {
        programs.allSatisfy {
            access("/usr/bin/" + $0, X_OK) == 0 || access("/usr/sbin/" + $0, X_OK) == 0
        }
    }

    let home = try! TemporaryFolder()
    let host: RunningHost
    let port: Int
    /// The folder whose files operate the feeder's panel.
    var panel: String { home.path + "/panel" }
    var address: String { "http://127.0.0.1:\(port)/eSCL" }

    /// - Parameters:
    ///   - words: The arguments that share the scanner.
    ///   - environment: Additional variables of the host.
    init(
        _ device: String = "virtual:feeder", _ words: [String] = [],
        environment more: [String: String] = [:]
    ) throws {
        try home.write("panel/.made")
        // SANE's test device, which the host finds.
        try home.write("served/dll.conf", "test\n")
        try home.write(
            "served/test.conf",
            "number_of_devices 1\nmode Color\ntest-picture \"Color pattern\"\nbr_x 127\nbr_y 127\n"
        )
        let environment = [
            "COPYSTAND_VIRTUAL_PANEL": home.path + "/panel",
            "SANE_CONFIG_DIR": home.path + "/served",
        ].merging(more) { $1 }
        _ = try BuiltProgram.run(["share", device] + words, in: home, environment: environment)
        host = try RunningHost(
            in: home, ["--share", "--share-port", "0"], environment: environment)
        var port: Int?
        for _ in 0..<300 where port == nil {
            port = RunningHost.said(host.running)
                .firstMatch(of: /Sharing scanners on port (\d+)/).flatMap { Int($0.1) }
            usleep(100_000)
        }
        guard let port else { throw BuiltProgram.Failure(message: "nothing is shared") }
        self.port = port
    }

    /// Runs a shell command in the host's home.
    ///
    /// `$D` is the device of sane-airscan, and `$E` the device of SANE's own driver.
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

    /// Orders a page in a format at 100 dpi, as any client would, and returns the address of the
    /// job.
    func order(_ format: String, from source: String = "Feeder") throws -> String {
        try home.write(
            "order.xml",
            """
            <s:ScanSettings xmlns:s="http://schemas.hp.com/imaging/escl/2011/05/03" \
            xmlns:pwg="http://www.pwg.org/schemas/2010/12/sm"> \
            <pwg:InputSource>\(source)</pwg:InputSource><s:XResolution>100</s:XResolution> \
            <pwg:DocumentFormat>\(format)</pwg:DocumentFormat></s:ScanSettings>
            """)
        let answer = try BuiltProgram.shell(
            "curl -s -i --data @'\(home.path)/order.xml' \(address)/ScanJobs", in: home)
        guard let job = answer.output.firstMatch(of: /Location: (http[^\r\n]+)/)?.1 else {
            throw BuiltProgram.Failure(message: answer.output)
        }
        return String(job)
    }

    /// Scans on this machine, in a separate process.
    func localScan(_ more: String...) throws -> BuiltProgram.Running {
        try BuiltProgram.spawn(
            BuiltProgram.path,
            ["scan", "-d", "virtual:feeder", "-r", "75", "-p", "none"] + more, in: home,
            environment: [
                "COPYSTAND_SPOOL": home.path + "/other-spool",
                "COPYSTAND_VIRTUAL_PANEL": panel,
            ])
    }

    /// Waits until a program has printed a text.
    ///
    /// The limit of half a minute is reached only if a test fails.
    func wait(for words: String, by program: BuiltProgram.Running) {
        for _ in 0..<300 where !RunningHost.said(program).contains(words) { usleep(100_000) }
    }
}
