import CaptureHost
import CaptureKit
import ContractSupport
import Testing
import VirtualBackend

/// The contract tests for every backend, both in this process and as a program.
@Suite struct ContractTests {
    @Test(
        "The feeder follows the contract", arguments: ContractCheck.allCases, BackendForm.allCases)
    func feeder(_ check: ContractCheck, _ form: BackendForm) async throws {
        let contract = BackendContract(
            backend: "virtual", device: "feeder", value: VirtualBackend(environment: [:])
        ) { device in
            _ = try await device.set("resolution", to: .integer(75))
            _ = try await device.set("pages", to: .integer(3))
        }
        try await contract.run(check, form)
    }

    @Test(
        "The flatbed and the camera pass the contract tests for single pages",
        arguments: [
            ContractCheck.listsOptions, .setsOptions, .refusesWrongOptions, .honorsLimit,
            .survivesCancel, .reopens,
        ], ["flatbed", "camera"])
    func others(_ check: ContractCheck, _ device: String) async throws {
        let contract = BackendContract(
            backend: "virtual", device: device, value: VirtualBackend(environment: [:]))
        try await contract.run(check, .inProcess)
    }
}
