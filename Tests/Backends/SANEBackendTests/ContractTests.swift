import CaptureHost
import CaptureKit
import ContractSupport
import SANEBackend
import Testing

extension SANETests {
    /// The contract tests for every backend, both in this process and as a program.
    @Suite(.serialized) struct ContractTests {
        @Test(
            "SANE's test scanner follows the contract", arguments: ContractCheck.allCases,
            BackendForm.allCases)
        func testScanner(_ check: ContractCheck, _ form: BackendForm) async throws {
            let setup = try SANESetup.shared.get()
            let state = try TemporaryFolder()
            let contract = BackendContract(
                backend: "sane", device: "test:0", value: setup.backend,
                configuration: try setup.configuration(state)
            ) { device in
                _ = try await device.set("source", to: .text("feeder"))
                _ = try await device.set("resolution", to: .integer(50))
            }
            try await contract.run(check, form)
        }

        @Test(
            "A duplex feeder follows the contract", arguments: ContractCheck.allCases,
            BackendForm.allCases)
        func feeder(_ check: ContractCheck, _ form: BackendForm) async throws {
            let setup = try SANESetup.shared.get()
            let state = try TemporaryFolder()
            let contract = BackendContract(
                backend: "sane", device: "fault:clean", value: setup.backend,
                configuration: try setup.configuration(state)
            ) { device in
                _ = try await device.set("source", to: .text("feeder-duplex"))
            }
            try await contract.run(check, form)
        }
    }
}
