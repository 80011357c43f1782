import CaptureHost
import CaptureKit
import ContractSupport
import Glibc
import Testing
import V4L2Backend

/// The contract tests for every backend and those for cameras, both in this process and as a
/// program.
@Suite(.needsCamera) struct ContractTests {
    private let double: CameraDouble
    private let state: TemporaryFolder
    private let contract: BackendContract

    init() throws {
        double = try CameraDouble([
            [
                "MJPG-64x48@60,30.bin": Clips.jpeg(64, 48), "YUYV-32x24@60.bin": Clips.yuyv(32, 24),
                "card": Array("Served camera".utf8),
            ]
        ])
        state = try TemporaryFolder()
        contract = BackendContract(
            backend: "v4l2", device: "usb-test-0", value: V4L2Backend(folder: double.nodes),
            configuration: try double.configuration(state), pageLimit: 2
        ) { device in
            _ = try await device.set("warm-up", to: .number(0))
        }
    }

    @Test(
        "A camera passes the contract tests for every device", arguments: ContractCheck.allCases,
        BackendForm.allCases)
    func device(_ check: ContractCheck, _ form: BackendForm) async throws {
        try await contract.run(check, form)
    }

    @Test(
        "A camera passes the contract tests for live devices", arguments: LiveCheck.allCases,
        BackendForm.allCases)
    func film(_ check: LiveCheck, _ form: BackendForm) async throws {
        try await contract.run(check, form)
    }

    @Test(
        "A camera with a raw format passes the contract tests too", arguments: LiveCheck.allCases,
        BackendForm.allCases)
    func rawFilm(_ check: LiveCheck, _ form: BackendForm) async throws {
        var contract = contract
        contract.prepare = { device in
            _ = try await device.set("warm-up", to: .number(0))
            _ = try await device.set("format", to: .text("YUYV"))
        }
        try await contract.run(check, form)
    }
}
