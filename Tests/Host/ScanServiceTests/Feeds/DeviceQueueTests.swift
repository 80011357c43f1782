import CaptureHost
import CaptureKit
import Synchronization
import Testing

@testable import ScanService

/// Tests jobs that require the same device.
@Suite struct DeviceQueueTests {
    let bench: Bench
    let claims: DeviceClaims
    let device = "virtual:feeder"

    init() throws {
        bench = try Bench()
        claims = DeviceClaims(folder: bench.folder + "/claims/deep")
    }

    private var service: ScanService { bench.service.claiming(with: claims, as: "this job") }

    @Test("A device belongs to one job until its claim is released") func claiming() throws {
        var claim = try #require(claims.claim(device, for: "a job\nof two lines"))
        #expect(claims.user(of: device) == "a jobof two lines")
        #expect(claims.claim(device, for: "another") == nil)
        #expect(claims.claim("virtual:flatbed", for: "another") != nil)
        claim = try #require(claims.claim("virtual:camera", for: "a job"))
        #expect(claims.user(of: device) == nil)
        #expect(claims.claim(device, for: "another") != nil)
        withExtendedLifetime(claim) {}
    }

    @Test("A job waits for a device in use, names its user, and continues when it is free")
    func waits() async throws {
        let other = Mutex(claims.claim(device, for: "a scan from 192.168.1.20"))
        bench.clock.onSleep { slept in
            if slept >= .seconds(30) { other.withLock { $0 = nil } }
        }
        let users = Mutex<[String?]>([])
        let events = Events { [claims] event in
            switch event {
            case .waitingForDevice(let name, let user): users.withLock { $0 += [name, user] }
            case .captured: users.withLock { $0.append(claims.user(of: "virtual:feeder")) }
            default: break
            }
        }
        let outcome = try await service.run(
            bench.order("out.json", settings: ["pages": "1"]), control: ScanControl()
        ) { events.take($0) }
        guard case .completed = outcome.ending else { throw Unexpected(outcome) }
        #expect(
            users.withLock { $0 } == ["Virtual feeder", "a scan from 192.168.1.20", "this job"])
        #expect(claims.user(of: device) == nil)
    }

    @Test("A stop ends the wait") func stopped() async throws {
        let other = claims.claim(device, for: "another")
        let control = ScanControl()
        bench.clock.onSleep { slept in if slept >= .seconds(5) { control.stop() } }
        let outcome = try await service.run(bench.order("out.json"), control: control) { _ in }
        guard case .stopped = outcome.ending else { throw Unexpected(outcome) }
        #expect(outcome.pages.isEmpty && bench.store.jobs().isEmpty)
        withExtendedLifetime(other) {}
    }

    @Test("A job that does not wait gets an error that names the device's user") func refused()
        async throws
    {
        let other = claims.claim(device, for: "a scan from 192.168.1.20")
        let outcome = try await bench.service.claiming(with: claims, as: "this job", waits: false)
            .run(bench.order("out.json"), control: ScanControl()) { _ in }
        guard case .deviceFailed(let error as HostError) = outcome.ending else {
            throw Unexpected(outcome)
        }
        #expect(error.code == HostError.Code(.busy))
        #expect(error.message == "'Virtual feeder' is in use by a scan from 192.168.1.20")
        withExtendedLifetime(other) {}
    }

    @Test("If no claim can be made, devices are used anyway") func unclaimed() async throws {
        let claims = DeviceClaims(folder: "/proc/nowhere")
        #expect(claims.claim(device, for: "one") != nil && claims.claim(device, for: "two") != nil)
        #expect(claims.user(of: device) == nil)
    }
}
