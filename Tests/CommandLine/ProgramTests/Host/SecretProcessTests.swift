import FoundationEssentials
import Glibc
import Testing

@testable import copystand

/// Tests whether other programs can read secrets of a running program.
@Suite struct SecretProcessTests {
    let home: TemporaryFolder
    init() throws { home = try TemporaryFolder() }

    private func limits(_ process: pid_t) throws -> (core: [Substring], filter: String) {
        let limits = try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)
        let line = try #require(
            limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") })
        let filter = try String(
            contentsOfFile: "/proc/\(process)/coredump_filter", encoding: .utf8)
        return (line.split(separator: " "), filter.filter { !$0.isWhitespace })
    }

    private func check(_ process: pid_t) throws {
        let (core, filter) = try limits(process)
        #expect(core.suffix(3).prefix(2) == ["0", "0"], "\(core)")
        #expect(filter == "00000000", "a program that takes core dumps finds no memory in them")
    }

    @Test("The host, its backends and its delivery programs write no core dump")
    func serve() throws {
        let host = try RunningHost(in: home)
        defer { _ = try? host.end(SIGKILL) }
        try check(host.running.process)
    }

    @Test("A client with a token writes no core dump, also when it is aborted")
    func client() throws {
        let script = TutorialPage.root + "/Tests/CommandLine/ProgramTests/Support/hostile_host.py"
        let record = home.path + "/record"
        let host = try BuiltProgram.spawn("/usr/bin/python3", [script, "hang", record], in: home)
        defer { host.remove() }
        let address = try RunningHost.waitForAddress(host)
        let client = try BuiltProgram.spawn(
            BuiltProgram.path, ["list", "--host", address], in: home,
            environment: ["COPYSTAND_HOST_TOKEN": "sesame-open-42"])
        // The program has now sent its token, and waits for an answer.
        while !FileManager.default.fileExists(atPath: record) { usleep(10_000) }
        try check(client.process)
        var status: Int32 = 0
        // Swift's backtrace handles the first signal, and the kernel handles the next one.
        while waitpid(client.process, &status, WNOHANG) == 0 {
            kill(client.process, SIGABRT)
            usleep(100_000)
        }
        #expect(status & 0x7F == SIGABRT)
        let pattern = try String(contentsOfFile: "/proc/sys/kernel/core_pattern", encoding: .utf8)
        // If core dumps go to a pipe, the program in the pipe gets a dump in any case, but the
        // filter removes the memory from it.
        #expect(status & 0x80 == 0 || pattern.hasPrefix("|"), "a core was dumped")
    }
}
