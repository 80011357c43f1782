import Documents
import Glibc
import Imaging
import Synchronization
import Testing

@testable import Delivery

@Suite struct ReplacingTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func pages(_ count: Int) -> [DeliveredPage] {
        (1...count).map {
            samplePage(samplePicture(.gray8, width: 40, height: 30), number: $0)
        }
    }

    private func path(_ name: String) -> String { folder.path + "/" + name }

    /// Delivers `count` pages that replace `states`.
    private func deliver(
        _ count: Int, to name: String, instead states: [[DeliveredFile]], disk: Disk = .live,
        willPlace: @escaping @Sendable ([DeliveredFile]) throws(DeliveryError) -> Void = { _ in }
    ) throws -> Receipt {
        let sink = try FileSink(path: path(name), options: FileSinkOptions(), disk: disk)
            .replacing(EarlierDelivery(states: states, willPlace: willPlace))
        let writer = try sink.begin(sampleInfo)
        for page in pages(count) { try writer.add(page) }
        return try writer.finish()
    }

    private func write(_ name: String, _ text: String) throws {
        let file = open(path(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        try #require(file >= 0)
        _ = Glibc.write(file, text, text.utf8.count)
        close(file)
    }

    private func text(_ name: String) throws -> String {
        String(decoding: try contents(path(name)), as: UTF8.self)
    }

    /// Checks that the folder has exactly these files, and no hidden ones.
    private func expectNames(_ names: [String]) { #expect(folder.names == names) }

    @Test("A document whose note can't be written gets no name, and removes no file")
    func noNote() throws {
        let before = try deliver(1, to: "a.json", instead: []).files
        let text = try text("a.json")
        for (name, states) in [("b.json", []), ("a.json", [before])] {
            #expect {
                try deliver(2, to: name, instead: states) { _ throws(DeliveryError) in
                    throw DeliveryError(.inputOutput, "no room for the note")
                }
            } throws: {
                ($0 as? DeliveryError)?.message == "no room for the note"
            }
            expectNames(["a.json"])
            #expect(try self.text("a.json") == text)
        }
    }

    @Test("An untouched file is replaced and recognized, several times")
    func replaced() throws {
        var receipt = try deliver(1, to: "a.json", instead: [])
        for count in 2...4 {
            let before = receipt.files
            receipt = try deliver(count, to: "a.json", instead: [before])
            #expect(receipt.locations == [path("a.json")])
            #expect(receipt.files != before && receipt.files.map(\.name) == ["a.json"])
            expectNames(["a.json"])
        }
        #expect(try text("a.json").components("\"number\"") == 5)
    }

    enum Touch: CaseIterable { case appended, rewritten, replaced, sameSize }

    @Test("A file that anybody changed is left unchanged", arguments: Touch.allCases)
    func touched(_ touch: Touch) throws {
        let receipt = try deliver(1, to: "a.json", instead: [])
        switch touch {
        case .appended:
            let file = open(path("a.json"), O_WRONLY | O_APPEND | O_CLOEXEC)
            _ = Glibc.write(file, "x", 1)
            close(file)
        case .rewritten: try write("a.json", "mine")
        case .replaced:
            try write("b.json", "mine")
            #expect(rename(path("b.json"), path("a.json")) == 0)
        case .sameSize: try write("a.json", String(repeating: "m", count: receipt.bytes))
        }
        let mine = try contents(path("a.json"))
        let sink = try FileSink(path: path("a.json"))
        #expect(sink.obstacle(to: [receipt.files]) == .changed)
        let second = try deliver(2, to: "a.json", instead: [receipt.files])
        #expect(second.locations == [path("a-2.json")])
        let kept = try contents(path("a.json"))
        #expect(kept == mine)
        expectNames(["a-2.json", "a.json"])
    }

    @Test("A file that is gone is written again under its name")
    func gone() throws {
        let receipt = try deliver(1, to: "a.json", instead: [])
        unlink(path("a.json"))
        #expect(try FileSink(path: path("a.json")).obstacle(to: [receipt.files]) == .gone)
        #expect(
            try deliver(2, to: "a.json", instead: [receipt.files]).locations == [path("a.json")])
    }

    @Test("A link with the name does not count as our file")
    func link() throws {
        let receipt = try deliver(1, to: "a.json", instead: [])
        #expect(rename(path("a.json"), path("real.json")) == 0)
        #expect(symlink("real.json", path("a.json")) == 0)
        let second = try deliver(2, to: "a.json", instead: [receipt.files])
        #expect(second.locations == [path("a-2.json")])
        #expect(try text("real.json").components("\"number\"") == 2)
    }

    /// A disk on which somebody makes a file named `name` just before the names are swapped.
    private func intruder(_ name: String, canSwap: Bool) -> Disk {
        var disk = Disk.live
        let place = path(name)
        let isDone = Mutex(false)
        disk.exchange = { folder, one, other in
            let isFirst = isDone.withLock { isDone in
                defer { isDone = true }
                return !isDone
            }
            if isFirst {
                unlink(place)
                let file = open(place, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
                _ = Glibc.write(file, "mine", 4)
                close(file)
            }
            guard canSwap else {
                errno = EINVAL
                return -1
            }
            return Disk.live.exchange(folder, one, other)
        }
        return disk
    }

    @Test(
        "A file that somebody makes at the last moment is put back", arguments: [true, false])
    func race(_ canSwap: Bool) throws {
        let receipt = try deliver(1, to: "a.json", instead: [])
        let second = try deliver(
            2, to: "a.json", instead: [receipt.files],
            disk: intruder("a.json", canSwap: canSwap))
        #expect(try text("a.json") == "mine")
        #expect(second.locations == [path("a-2.json")])
        expectNames(["a-2.json", "a.json"])
    }

    @Test("If names can't be swapped, the old file is moved aside")
    func noSwap() throws {
        var disk = Disk.live
        disk.exchange = { _, _, _ in
            errno = EINVAL
            return -1
        }
        let receipt = try deliver(1, to: "a.json", instead: [])
        let second = try deliver(3, to: "a.json", instead: [receipt.files], disk: disk)
        #expect(second.locations == [path("a.json")])
        #expect(try text("a.json").components("\"number\"") == 4)
        expectNames(["a.json"])
    }

    @Test(
        "A disk that fails leaves the earlier document unchanged",
        arguments: ["write", "sync", "exchange", "link"], [1, 2, 3])
    func failing(_ kind: String, _ at: Int) throws {
        let receipt = try deliver(2, to: "a.png", instead: [])
        let before = try folder.names.map { try contents(path($0)) }
        let calls = Mutex(0)
        let strikes: @Sendable () -> Bool = {
            let call = calls.withLock { calls in
                calls += 1
                return calls
            }
            if call == at { errno = EIO }
            return call == at
        }
        var disk = Disk.live
        switch kind {
        case "write": disk.write = { strikes() ? -1 : Disk.live.write($0, $1, $2) }
        case "sync": disk.sync = { strikes() ? -1 : Disk.live.sync($0) }
        case "exchange": disk.exchange = { strikes() ? -1 : Disk.live.exchange($0, $1, $2) }
        default: disk.link = { strikes() ? -1 : Disk.live.link($0, $1, $2) }
        }
        let error = failure {
            _ = try deliver(3, to: "a.png", instead: [receipt.files], disk: disk)
        }
        guard calls.withLock({ $0 }) >= at else {
            #expect(error == nil)
            return
        }
        #expect(error != nil)
        expectNames(["a-001.png", "a-002.png"])
        let after = try folder.names.map { try contents(path($0)) }
        #expect(before == after)
        #expect(try FileSink(path: path("a.png")).obstacle(to: [receipt.files]) == nil)
    }

    @Test("One file becomes three, and three become four")
    func manyFiles() throws {
        let one = try deliver(1, to: "a.png", instead: [])
        expectNames(["a.png"])
        let three = try deliver(3, to: "a.png", instead: [one.files])
        expectNames(["a-001.png", "a-002.png", "a-003.png"])
        _ = try deliver(4, to: "a.png", instead: [three.files])
        expectNames(["a-001.png", "a-002.png", "a-003.png", "a-004.png"])
    }

    @Test(
        "If a killed process left the document in one of two states, the existing one is replaced"
    )
    func states() throws {
        let first = try deliver(1, to: "a.json", instead: [])
        let told = Mutex<[[DeliveredFile]]>([])
        let second = try deliver(2, to: "a.json", instead: [first.files]) { files in
            told.withLock { $0.append(files) }
        }
        // The file is recognized by the record that was written before the file got its name.
        #expect(told.withLock { $0 } == [second.files])
        let third = try deliver(3, to: "a.json", instead: [first.files, second.files])
        #expect(third.locations == [path("a.json")])
        expectNames(["a.json"])
    }

    @Test("A document under another free name is replaced there")
    func otherName() throws {
        try write("a.json", "mine")
        let first = try deliver(1, to: "a.json", instead: [[]])
        #expect(first.locations == [path("a-2.json")])
        let second = try deliver(2, to: "a.json", instead: [first.files])
        #expect(second.locations == [path("a-2.json")])
        #expect(try text("a.json") == "mine")
    }
}

extension String {
    /// The number of parts into which `separator` divides the text.
    fileprivate func components(_ separator: String) -> Int {
        split(separator: separator, omittingEmptySubsequences: false).count
    }
}
