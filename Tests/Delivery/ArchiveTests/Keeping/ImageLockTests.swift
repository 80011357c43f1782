import Glibc
import Synchronization
import Testing

@testable import Archive

@Suite("The lock of an archive's images") struct ImageLockTests {
    @Test("A refused lock closes its own file once, and no other file")
    func refused() async throws {
        let folder = try TestFolder()
        let path = folder.path + "/lock"
        let held = try ImageLock.shared(path)
        let isOver = Atomic(false)
        async let lost = Task.detached {
            var lost = 0
            while !isOver.load(ordering: .relaxed) {
                // This file usually gets the descriptor number that the refused lock has just
                // released.
                let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
                for _ in 0..<20 where fcntl(file, F_GETFD) < 0 {
                    lost += 1
                    break
                }
                close(file)
            }
            return lost
        }.value
        for _ in 0..<20_000 {
            #expect(throws: ArchiveError.self) { try ImageLock.exclusive(path) }
        }
        isOver.store(true, ordering: .relaxed)
        #expect(await lost == 0)
        withExtendedLifetime(held) {}
    }
}
