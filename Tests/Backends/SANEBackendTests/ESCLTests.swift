import CaptureHost
import CaptureKit
import ContractSupport
import FoundationEssentials
import Glibc
import Testing

/// True where SANE's driver for network printers is installed.
private let hasAirscan =
    ["x86_64", "aarch64"].contains {
        access("/usr/lib/\($0)-linux-gnu/sane/libsane-airscan.so.1", R_OK) == 0
    } && access("/usr/bin/python3", X_OK) == 0

extension SANETests {
    /// Tests SANE's driver for network printers with a small eSCL scanner made for these tests.
    @Suite(
        .serialized,
        .enabled(
            if: hasAirscan,
            "needs the driver for network printers: apt-get install sane-airscan python3"))
    struct ESCLTests {
        /// The eSCL scanner, which ends with this object, and a host that sees only this scanner.
        private final class Setup {
            let folder: TemporaryFolder
            let host: CaptureHost
            private let id: pid_t

            init() throws {
                folder = try TemporaryFolder()
                let script = URL(filePath: #filePath).deletingLastPathComponent()
                    .appending(path: "Support/escl_server.py")
                let started = try run(
                    "python3 '\(script.path)' '\(folder.path)' >/dev/null 2>&1 & echo $!")
                let number = String(decoding: started.output, as: UTF8.self)
                id = try #require(Int32(number.filter { $0.isNumber }))
                // The server answers within a second; the limit is ten seconds.
                for _ in 0..<1000 where access(folder.file("port"), R_OK) != 0 { usleep(10_000) }
                let port = String(
                    decoding: try Data(contentsOf: URL(filePath: folder.file("port"))),
                    as: UTF8.self)
                for (name, text) in [
                    ("dll.conf", "airscan\n"),
                    (
                        "airscan.conf",
                        "[devices]\n\"Desk\" = http://127.0.0.1:\(port)/eSCL, eSCL\n[options]\ndiscovery = disable\n"
                    ),
                ] { try Data(text.utf8).write(to: URL(filePath: folder.file(name))) }
                mkdir(folder.file("dll.d"), 0o700)
                host = try SANESetup.shared.get().host(
                    folder, extra: ["SANE_CONFIG_DIR": folder.path])
            }

            deinit { kill(id, SIGKILL) }

            func trip(_ name: String) throws {
                try Data().write(to: URL(filePath: folder.file(name)))
            }

            /// Scans 50 × 40 mm at 100 dpi, and returns the pages in a spool and the final error.
            func scan(
                _ source: String, _ mode: String, from number: Int
            ) async throws -> (pages: [CapturedPage], error: HostError?) {
                let device = try await host.open(host.find("sane:airscan:e:Desk"))
                for (name, value) in [
                    ("source", .text(source)), ("mode", .text(mode)),
                    ("resolution", .integer(100)), ("area-width", .number(50)),
                    ("area-height", .number(40)),
                ] as [(String, OptionValue)] { _ = try await device.set(name, to: value) }
                var pages: [CapturedPage] = []
                var failure: HostError?
                do {
                    let spool = SpoolFolder(path: folder.path, firstNumber: number)
                    for try await event in device.capture(CaptureRequest(), spool: spool) {
                        if case .page(let page) = event { pages.append(page) }
                    }
                } catch let error as HostError { failure = error }
                await device.close()
                return (pages, failure)
            }
        }

        /// Expects the pixels that the scanner computes by its rule.
        private func check(_ page: CapturedPage, number: Int, isColor: Bool) throws {
            let (width, height) = (page.description.width, try #require(page.description.height))
            // 50 × 40 mm at 100 dpi, in whole pixels of a protocol that counts in 1/300 inch.
            #expect((196...198).contains(width) && (156...158).contains(height))
            #expect(page.description.format == (isColor ? .rgb8 : .gray8))
            #expect(page.description.resolution == Resolution(x: 100))
            var expected: [UInt8] = []
            for y in 0..<height {
                for x in 0..<width {
                    let gray = UInt8((x + 2 * y + 50 * number) & 255)
                    expected += isColor ? [gray, 255 - gray, UInt8(x & 255)] : [gray]
                }
            }
            let file = try Data(contentsOf: URL(filePath: page.pixels))
            expectEqual(Array(file), expected)
        }

        @Test("A network scanner is listed with its place, its sources and its size")
        func listed() async throws {
            let setup = try Setup()
            let listing = await setup.host.listDevices(backend: "sane")
            #expect(listing.problems.isEmpty)
            let device = try #require(listing.devices.first?.descriptor)
            #expect(listing.devices.count == 1)
            #expect(device.id == "airscan:e:Desk")
            #expect(device.name == "Desk")
            #expect(device.connection == "network (127.0.0.1)")
            #expect(device.sources == ["flatbed", "feeder", "feeder-duplex", "auto"])
            #expect(device.state == .ready)
            let open = try await setup.host.open(try #require(listing.devices.first))
            let options = try await open.options()
            #expect(
                options.first { $0.name == "mode" }?.type == .choice(["gray", "color"]))
            #expect(options.contains { $0.name == "contrast" && $0.unit == .percent })
            await open.close()
            await setup.host.shutdown()
        }

        @Test("The platen gives one page, in gray and in color", arguments: [false, true])
        func platen(_ isColor: Bool) async throws {
            let setup = try Setup()
            let run = try await setup.scan("flatbed", isColor ? "color" : "gray", from: 1)
            #expect(run.error == nil)
            #expect(run.pages.count == 1)
            try check(try #require(run.pages.first), number: 1, isColor: isColor)
            await setup.host.shutdown()
        }

        @Test("The feeder gives its three sheets in order, also both sides")
        func feeder() async throws {
            let setup = try Setup()
            for (source, count, first) in [("feeder", 3, 1), ("feeder-duplex", 6, 100)] {
                let run = try await setup.scan(source, "gray", from: first)
                #expect(run.error == nil)
                #expect(run.pages.count == count)
                for (index, page) in run.pages.enumerated() {
                    try check(page, number: index + 1, isColor: false)
                }
            }
            await setup.host.shutdown()
        }

        @Test(
            "A jam or a lost connection keeps the earlier page, and the next scan is complete",
            arguments: [("jam", HostError.Code(.jammed)), ("cut", HostError.Code(.inputOutput))])
        func fault(_ fault: String, _ code: HostError.Code) async throws {
            let setup = try Setup()
            try setup.trip(fault)
            let broken = try await setup.scan("feeder", "gray", from: 1)
            #expect(broken.pages.count == 1)
            #expect(broken.error?.code == code)
            #expect(broken.error?.advice?.isEmpty == false)
            unlink(setup.folder.file(fault))
            let whole = try await setup.scan("feeder", "gray", from: 100)
            #expect(whole.pages.count == 3 && whole.error == nil)
            await setup.host.shutdown()
        }

        @Test("A printer that is off is listed as such, and opening it gives advice")
        func off() async throws {
            var setup: Setup? = try Setup()
            let folder = try #require(setup).folder
            let host = try #require(setup).host
            setup = nil
            let listing = await host.listDevices(backend: "sane")
            #expect(listing.devices.allSatisfy { $0.descriptor.state == .offline })
            let error = await #expect(throws: HostError.self) {
                _ = try await host.find("sane:airscan:e:Desk")
            }
            #expect(
                [HostError.Code(.offline), HostError.Code(.noSuchDevice)].contains(error?.code))
            #expect(error?.advice?.isEmpty == false)
            await host.shutdown()
            withExtendedLifetime(folder) {}
        }
    }
}
