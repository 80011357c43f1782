import COneThread
import Glibc
import Readers
import Recognition
import Testing

@Suite("OpenMP in one thread") struct OneThreadTests {
    @Test("A parallel region is run once")
    func parallel() {
        var runs = 0
        GOMP_parallel(countRegion, &runs, 4, 0)
        #expect(runs == 1)
    }

    @Test("Every section is run once, in order, and those of a region within it too")
    func sections() {
        var log = SectionLog()
        withUnsafeMutablePointer(to: &log) {
            GOMP_parallel_sections(logOuterSections, $0, 4, 3, 0)
        }
        #expect(log.outer == [1, 2, 3])
        #expect(log.inner == [1, 2, 1, 2, 1, 2])
        #expect(GOMP_sections_next() == 0)
    }

    @Test(
        "The engine calls our replacement in the recognizer instead of the library",
        arguments: ["GOMP_parallel", "GOMP_parallel_sections", "pixWriteMem"])
    func bound(_ name: String) throws {
        // The dynamic linker reports the file that it uses for a name.
        let helper = HelperCommand.real.program
        let linker = try #require(
            popen("LD_DEBUG=bindings LD_BIND_NOW=1 '\(helper)' </dev/null 2>&1", "r"))
        defer { pclose(linker) }
        var bindings: [String] = []
        var line = [CChar](repeating: 0, count: 4096)
        while fgets(&line, Int32(line.count), linker) != nil {
            let text = line.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
            if text.contains("libtesseract"), text.contains("`\(name)'") { bindings.append(text) }
        }
        #expect(!bindings.isEmpty)
        #expect(bindings.allSatisfy { $0.contains("] to \(helper) [") })
    }
}

private struct SectionLog {
    var outer: [UInt32] = []
    var inner: [UInt32] = []
}

private func countRegion(_ data: UnsafeMutableRawPointer?) {
    data!.assumingMemoryBound(to: Int.self).pointee += 1
}

private func logOuterSections(_ data: UnsafeMutableRawPointer?) {
    let log = data!.assumingMemoryBound(to: SectionLog.self)
    while case let section = GOMP_sections_next(), section > 0 {
        log.pointee.outer.append(section)
        GOMP_parallel_sections(logInnerSections, data, 4, 2, 0)
    }
    GOMP_sections_end_nowait()
}

private func logInnerSections(_ data: UnsafeMutableRawPointer?) {
    let log = data!.assumingMemoryBound(to: SectionLog.self)
    while case let section = GOMP_sections_next(), section > 0 {
        log.pointee.inner.append(section)
    }
}
