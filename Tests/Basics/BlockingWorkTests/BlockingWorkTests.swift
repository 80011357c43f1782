import Dispatch
import Synchronization
import Testing

@testable import BlockingWork

@Suite struct BlockingWorkTests {
    private struct Failure: Error, Equatable {}

    @Test("Work that waits for other work gets it, however many pieces wait")
    func threads() async {
        let begun = DispatchSemaphore(value: 0)
        let others = 40
        let waiting = Task {
            await onOwnThread {
                (0..<others).allSatisfy { _ in begun.wait(timeout: .now() + 60) == .success }
            }
        }
        let released = DispatchSemaphore(value: 0)
        await withTaskGroup { group in
            for _ in 0..<others {
                group.addTask {
                    await onOwnThread {
                        begun.signal()
                        released.wait()
                    }
                }
            }
            #expect(await waiting.value)
            for _ in 0..<others { released.signal() }
        }
    }

    @Test("An error of the work is thrown with its type")
    func errors() async {
        do throws(Failure) {
            try await onOwnThread { () throws(Failure) in throw Failure() }
            Issue.record("nothing was thrown")
        } catch {
            #expect(error == Failure())
        }
    }

    @Test("A queue runs its work one piece after another")
    func order() async {
        let queue = OwnQueue(label: "test")
        let done = Mutex<[Int]>([])
        for number in 0..<100 { queue.begin { done.withLock { $0.append(number) } } }
        let seen = await queue.run { done.withLock { $0 } }
        #expect(seen == Array(0..<100))
    }
}
