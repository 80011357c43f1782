import FoundationEssentials
import Glibc
import Testing

/// Ctrl-C against a backend that starts and then never answers.
@Suite struct ProgramInterruptTests {
    let home: TemporaryFolder
    init() throws { home = try TemporaryFolder() }

    /// Starts `devices` and returns once its backend runs.
    private func start() throws -> BuiltProgram.Running {
        let fifo = home.path + "/up"
        guard mkfifo(fifo, 0o600) == 0 else { throw BuiltProgram.Failure(message: "no fifo") }
        // The backend tells that it runs by opening the pipe.
        try home.write("b/silent", "#!/bin/sh\n: >'\(fifo)'\nexec sleep 600\n", mode: 0o755)
        try home.write(
            "b/silent.json", #"{"id":"silent","name":"Silent","protocol":1,"program":"silent"}"#)
        let running = try BuiltProgram.spawn(
            BuiltProgram.path, ["devices", "-b", "silent"], in: home,
            environment: ["COPYSTAND_BACKENDS": home.path + "/b"])
        let end = open(fifo, O_RDONLY | O_CLOEXEC)
        guard end >= 0 else { throw BuiltProgram.Failure(message: "fifo") }
        close(end)
        return running
    }

    @Test("One signal stops the command with 130", arguments: [SIGINT, SIGTERM])
    func once(signal: Int32) throws {
        let running = try start()
        kill(running.process, signal)
        let outcome = try running.wait()
        #expect(outcome.status == 130)
        #expect(outcome.errors == "copystand: cancelled\n")
        #expect(outcome.output == "")
    }
}
