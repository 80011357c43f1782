import CommandLine
import Glibc
import Synchronization
import Testing

@Suite struct InterruptsTests {
    final class Exits: Sendable {
        let codes = Mutex<[Int32]>([])
    }

    @Test(
        "The first signal cancels, the second exits with 130, later ones do nothing more")
    func twice() async {
        let exits = Exits()
        let interrupts = Interrupts { code in exits.codes.withLock { $0.append(code) } }
        let (started, continuation) = AsyncStream<Void>.makeStream()
        async let wasCancelled = interrupts.run {
            continuation.yield()
            // Ends when the task is canceled, not before.
            for await _ in AsyncStream<Void>(unfolding: { await Task.yield() }) {
                if Task.isCancelled { break }
            }
            return Task.isCancelled
        }
        for await _ in started { break }
        #expect(!interrupts.isRequested)
        interrupts.receive()
        #expect(await wasCancelled)
        #expect(interrupts.isRequested)
        #expect(exits.codes.withLock { $0 } == [])
        #expect(!interrupts.isEnding)
        interrupts.receive()
        #expect(interrupts.isEnding)
        interrupts.receive()
        #expect(exits.codes.withLock { $0 } == [130])
    }

    @Test("A job started after the signal is canceled from the start")
    func late() async {
        let interrupts = Interrupts { _ in }
        interrupts.receive()
        #expect(
            await interrupts.run {
                await withTaskCancellationHandler {
                    while !Task.isCancelled { await Task.yield() }
                    return true
                } onCancel: {
                }
            })
    }

    @Test("A real signal arrives, without ending the process")
    func realSignal() async {
        let (signals, continuation) = AsyncStream<Int32>.makeStream()
        let interrupts = Interrupts { continuation.yield($0) }
        interrupts.listen(to: [SIGUSR2])
        // The signal goes to the process, since the tests' threads block signals.
        kill(getpid(), SIGUSR2)
        _ = await interrupts.run {
            while !Task.isCancelled { await Task.yield() }
        }
        kill(getpid(), SIGUSR2)
        for await code in signals {
            #expect(code == 130)
            break
        }
    }
}
