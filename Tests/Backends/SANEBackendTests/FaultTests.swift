import CaptureHost
import CaptureKit
import ContractSupport
import FoundationEssentials
import Glibc
import Processes
import Testing

extension SANETests {
    /// Tests failing drivers from the host's side: earlier pages are safe, and the next scan works.
    @Suite(.serialized) struct FaultTests {
        private struct Run {
            var pages = 0
            var labels: [String?] = []
            var error: HostError?
        }

        private func scan(
            _ host: CaptureHost, _ state: TemporaryFolder, _ device: String, from number: Int,
            source: String = "feeder"
        ) async throws -> Run {
            var run = Run()
            do {
                let open = try await host.open(listed(device))
                _ = try await open.set("source", to: .text(source))
                let spool = SpoolFolder(path: state.path, firstNumber: number)
                for try await event in open.capture(CaptureRequest(), spool: spool) {
                    if case .page(let page) = event {
                        run.pages += 1
                        run.labels.append(page.description.label)
                    }
                }
                await open.close()
            } catch let error as HostError {
                run.error = error
            }
            return run
        }

        @Test(
            "A fault on page 3 keeps two pages, has a code and advice, and ends with the scan",
            arguments: [
                ("fault:jam-3", HostError.Code(.jammed)),
                ("fault:mid-jam-3", HostError.Code(.jammed)),
                ("fault:double-3", HostError.Code(.doubleFeed)),
                ("fault:cover-3", HostError.Code(.coverOpen)),
                ("fault:io-3", HostError.Code(.inputOutput)),
                ("fault:mid-io-3", HostError.Code(.inputOutput)),
                ("fault:inval-3", HostError.Code(.invalidValue)),
                ("fault:memory-3", HostError.Code(CaptureError.Code(rawValue: "outOfMemory"))),
                ("fault:unsupported-3", HostError.Code(.unsupported)),
                ("fault:short-3", HostError.Code(.damagedData)),
                ("fault:crash-row-3", HostError.Code.crashed), ("fault:crash-3", .crashed),
            ])
        func page(_ device: String, _ code: HostError.Code) async throws {
            let state = try TemporaryFolder()
            let host = try SANESetup.shared.get().host(state)
            let broken = try await scan(host, state, device, from: 1)
            #expect(broken.pages == 2)
            #expect(broken.error?.code == code)
            #expect(broken.error?.advice?.isEmpty == false)
            let whole = try await scan(host, state, "fault:clean", from: 100)
            #expect(whole.pages == 5)
            #expect(whole.error == nil)
            await host.shutdown()
        }

        @Test("Canceling a driver's thread during an allocation blocks nothing")
        func readers() async throws {
            let setup = try SANESetup.shared.get()
            let state = try TemporaryFolder()
            let host = try setup.host(state)
            let run = try await scan(host, state, "fault:reader", from: 1)
            #expect(run.pages == 5)
            #expect(run.error == nil)
            await host.shutdown()
            // The same fault in the process of this test.
            let device = try await setup.open("fault:reader")
            let sink = RecordingSink()
            try await device.capture(CaptureRequest(limit: 1), into: sink)
            #expect(sink.frames.count == 1)
            await device.close()
        }

        @Test("After a jam, the message names the sheet to put back, in duplex too")
        func sheet() async throws {
            let state = try TemporaryFolder()
            let host = try SANESetup.shared.get().host(state)
            let run = try await scan(host, state, "fault:jam-4", from: 1, source: "feeder-duplex")
            #expect(run.pages == 3)
            #expect(run.labels == ["sheet 1, front", "sheet 1, back", "sheet 2, front"])
            #expect(run.error?.message.contains("page 4, sheet 2") == true)
            #expect(run.error?.advice?.contains("put the sheet of page 4") == true)
            await host.shutdown()
        }

        @Test(
            "A crash at open, and a driver that hangs in a read, end the process and are reported"
        )
        func ends() async throws {
            let state = try TemporaryFolder()
            let host = try SANESetup.shared.get().host(state) {
                $0.deadlines.progress = .seconds(5)
            }
            let crash = try await scan(host, state, "fault:crash-open", from: 1)
            #expect(crash.error?.code == .crashed)
            #expect(crash.error?.end == .signal(Int(SIGABRT)))
            let hang = try await scan(host, state, "fault:hang-2", from: 1)
            #expect(hang.pages == 1)
            #expect(hang.error?.code == .hung)
            let whole = try await scan(host, state, "fault:clean", from: 100)
            #expect(whole.pages == 5)
            await host.shutdown()
        }

        @Test(
            "A crash or hang of one driver during the search costs only its own scanners",
            arguments: ["crash", "hang"])
        func discovery(_ fault: String) async throws {
            let state = try TemporaryFolder()
            let host = try SANESetup.shared.get().host(
                state, extra: ["FAULT_DISCOVERY": fault, "COPYSTAND_SANE_PATIENCE": "4000"])
            let listing = await host.listDevices(backend: "sane")
            // The other drivers' scanners are listed anyway.
            #expect(listing.devices.map(\.descriptor.id).sorted() == ["test:0", "test:1"])
            let problem = try #require(listing.problems.first)
            #expect(listing.problems.count == 1)
            #expect(problem.code == (fault == "crash" ? .crashed : .hung))
            #expect(problem.message.contains("'fault'"))
            #expect(problem.advice?.contains("dll.conf") == true)
            // A driver that hangs in a search does not delay a scan.
            let run = try await scan(host, state, "test:0", from: 1)
            #expect(run.pages == 10)
            await host.shutdown()
        }

        @Test("Scanners that can't be opened are listed with their state and advice")
        func states() async throws {
            let state = try TemporaryFolder()
            let host = try SANESetup.shared.get().host(state)
            let devices = await host.listDevices(backend: "sane").devices.map(\.descriptor)
            let states = Dictionary(uniqueKeysWithValues: devices.map { ($0.id, $0) })
            #expect(states["fault:clean"]?.state == .ready)
            #expect(
                states["fault:clean"]?.sources == ["flatbed", "feeder", "feeder-duplex", "auto"])
            #expect(states["fault:busy"]?.state == .busy)
            #expect(states["fault:denied"]?.state == .noPermission)
            #expect(states["fault:denied"]?.advice?.contains("group") == true)
            #expect(states["fault:asleep"]?.state == .offline)
            #expect(states["test:0"]?.maximumArea == AreaInMillimeters(width: 300, height: 300))
            for (device, code) in [
                ("fault:busy", CaptureError.Code.busy), ("fault:denied", .permissionDenied),
                ("fault:asleep", .offline), ("fault:locked", .passwordNeeded),
                ("nowhere:0", .noSuchDevice), ("", .noSuchDevice),
            ] {
                let run = try await scan(host, state, device, from: 1)
                #expect(run.error?.code == HostError.Code(code))
            }
            await host.shutdown()
        }

        @Test("Of two programs at once, the second learns that the scanner is busy")
        func twice() async throws {
            let setup = try SANESetup.shared.get()
            let first = try await setup.open("fault:clean")
            await #expect(throws: CaptureError.self) { _ = try await setup.open("fault:clean") }
            await first.close()
            await (try setup.open("fault:clean")).close()
        }

        @Test(
            "With two programs at once, the second reports that the scanner is busy, and the first is not disturbed"
        )
        func twoPrograms() async throws {
            let setup = try SANESetup.shared.get()
            let state = try TemporaryFolder()
            let other = try TemporaryFolder()
            try setup.configure("lock \(state.file("lock"))\n")
            defer { try? setup.configure("") }
            let first = try setup.host(state)
            let second = try setup.host(other)
            let device = try await first.open(listed("fault:slow-2"))
            _ = try await device.set("source", to: .text("feeder"))
            var pages = 0
            var seconds: [HostError.Code?] = []
            let spool = SpoolFolder(path: state.path, firstNumber: 1)
            for try await event in device.capture(CaptureRequest(), spool: spool) {
                if case .page = event { pages += 1 }
                if case .began(2, _) = event {
                    // The first scans for two seconds more.
                    seconds.append(
                        try await scan(second, other, "fault:clean", from: 1).error?.code)
                    let seen = await second.listDevices(backend: "sane").devices
                    let state = seen.first { $0.descriptor.id == "fault:clean" }?.descriptor.state
                    #expect(state == .busy)
                }
            }
            #expect(pages == 5)
            #expect(seconds == [HostError.Code(.busy)])
            await device.close()
            let after = try await scan(second, other, "fault:clean", from: 10)
            #expect(after.pages == 5 && after.error == nil)
            await first.shutdown()
            await second.shutdown()
        }

        private func listed(_ id: String) -> ListedDevice {
            ListedDevice(
                backend: "sane", descriptor: DeviceDescriptor(id: id, name: id, kind: .scanner))
        }

        @Test(
            "A scanner unplugged in the middle of a page is gone, and earlier pages are kept")
        func unplugged() async throws {
            let setup = try SANESetup.shared.get()
            let state = try TemporaryFolder()
            let list = state.file("list")
            try Data("mid-io-3|Fault|One|\n".utf8).write(to: URL(filePath: list))
            try setup.configure("devices \(list)\nunplug \(list)\n")
            defer { try? setup.configure("") }
            let host = try setup.host(state)
            let device = try await host.open(listed("fault:mid-io-3"))
            _ = try await device.set("source", to: .text("feeder"))
            var pages = 0
            let error = await #expect(throws: HostError.self) {
                let spool = SpoolFolder(path: state.path, firstNumber: 1)
                for try await event in device.capture(CaptureRequest(), spool: spool) {
                    if case .page = event { pages += 1 }
                }
            }
            #expect(pages == 2)
            #expect(error?.code == HostError.Code(.inputOutput))
            #expect(error?.advice?.contains("page 3") == true)
            await device.close()
            let again = try await scan(host, state, "fault:mid-io-3", from: 10)
            #expect(again.error?.code == HostError.Code(.noSuchDevice))
            #expect(
                await host.listDevices(backend: "sane").devices.allSatisfy {
                    $0.descriptor.id.hasPrefix("test:")
                })
            await host.shutdown()
        }

        @Test(
            "A password for a locked scanner must come from a file that others can't read",
            arguments: [
                ("me:secret:fault", 0o600, false), ("me:secret", 0o600, false),
                ("me:secret:net", 0o600, true), ("me:secret:fault", 0o644, true),
                ("me:wrong:fault", 0o600, true),
            ])
        func password(_ line: String, _ mode: Int, _ isRefused: Bool) async throws {
            let state = try TemporaryFolder()
            mkdir(state.file("copystand"), 0o700)
            let path = state.file("copystand/sane-passwords")
            try Data("# scanners\n\(line)\n".utf8).write(to: URL(filePath: path))
            chmod(path, mode_t(mode))
            let host = try SANESetup.shared.get().host(
                state, extra: ["XDG_CONFIG_HOME": state.path])
            let run = try await scan(host, state, "fault:locked", from: 1)
            #expect((run.error?.code == HostError.Code(.passwordNeeded)) == isRefused)
            await host.shutdown()
        }
    }
}
