import FoundationEssentials
import Glibc
import Testing

@testable import copystand

/// Tests `--host` with a host whose answers are correct except for a number or a date.
@Suite final class HostileNumbersTests: TwoMachines {
    /// Numbers that a reader could mistake for valid ones are tried at each place; the other
    /// numbers are distributed over the places.
    private static let plausible = 4
    private static let edges = 14
    /// Commands that follow a job take seconds each, so fewer numbers are tried with them.
    private static let following = ["scan", "watch"]

    @Test(
        "For a host's numbers and dates at their limits, each command has a known exit code",
        arguments: [
            ["devices"], ["list"], ["search", "fox"], ["show", "1"], ["jobs"],
            ["scan", "-d", "virtual:feeder", "-n", "1", "-p", "none", "-r", "75"],
            [
                "watch", "-d", "virtual:camera", "--set", "size=640x480", "-n", "1", "-p", "photo",
                "--stats",
            ],
        ])
    func edges(_ words: [String]) throws {
        let scanned = try BuiltProgram.run(
            ["scan", "-d", "virtual:feeder", "-n", "1", "-r", "150"], in: there)
        #expect(scanned.status == 0, "\(scanned.errors)")
        // A waiting job for the command `jobs`.
        let jammed = try BuiltProgram.run(
            [
                "scan", "-d", "virtual:feeder", "-p", "none", "-r", "75", "--set", "fault=jam",
                "--set", "fault-page=2", "-o", there.path + "/jammed.pdf",
            ], in: there, environment: ["COPYSTAND_SPOOL": there.path + "/spool"])
        #expect(jammed.status == 4, "\(jammed.errors)")
        let host = try RunningHost(in: there)
        defer { _ = try? host.end() }
        let proxy = try BuiltProgram.spawn(
            "/usr/bin/python3",
            [
                TutorialPage.root + "/Tests/CommandLine/ProgramTests/Support/hostile_proxy.py",
                host.address,
                here.path,
            ], in: here)
        defer { proxy.remove() }
        let address = try RunningHost.waitForAddress(proxy)
        let right = try run(words, address, patience: "60s")
        try #require(right.status == 0, "\(right.errors)")
        // The requests that the command made to a correct host, by their keys, with the count of
        // numbers and dates in each answer.
        let index = try String(contentsOfFile: here.path + "/index", encoding: .utf8)
        var tried = 0
        let isFollowing = Self.following.contains(words[0])
        let step = isFollowing ? 5 : 1
        for (turn, line) in index.split(separator: "\n").enumerated() {
            let parts = line.split(separator: " ")
            let (key, count) = (String(parts[0]), Int(parts[1]) ?? 0)
            guard count > 0 else { continue }
            for edge in stride(from: turn % step, to: Self.edges, by: step) {
                tried += try attempt(words, address, "\(key) all \(edge)")
            }
            for place in stride(from: turn % step, to: count, by: step) {
                for edge in 0..<(isFollowing ? 0 : Self.plausible) {
                    tried += try attempt(words, address, "\(key) \(place) \(edge)")
                }
                let other = Self.plausible + place % (Self.edges - Self.plausible)
                tried += try attempt(words, address, "\(key) \(place) \(other)")
            }
        }
        #expect(tried >= Self.edges / step)
    }

    private func attempt(_ words: [String], _ address: String, _ order: String) throws -> Int {
        try order.write(toFile: here.path + "/order", atomically: true, encoding: .utf8)
        let outcome = try run(words, address)
        let codes = ExitCode.allCases.map(\.rawValue).filter { $0 != ExitCode.cancelled.rawValue }
        #expect(codes.contains(outcome.status), "\(order): \(outcome.status) \(outcome.errors)")
        #expect(outcome.status != ExitCode.internalError.rawValue, "\(order): \(outcome.errors)")
        return 1
    }

    /// Runs the command.
    ///
    /// If it hangs, it is ended after two minutes with an exit code that no command uses.
    private func run(
        _ words: [String], _ address: String, patience: String = "3s"
    ) throws -> BuiltProgram.Outcome {
        try BuiltProgram.spawn(
            "/usr/bin/timeout",
            ["-k", "1", "120", BuiltProgram.path] + words
                + ["--host", address, "--host-timeout", patience], in: here
        ).wait()
    }
}
