import CaptureHost
import CaptureKit

/// A host with the backend under test, and the functions of the checks.
struct ContractBench {
    let contract: BackendContract
    let host: CaptureHost
    let folder: TemporaryFolder

    func run(_ check: ContractCheck) async throws {
        switch check {
        case .listsDevices: try await listsDevices()
        case .refusesUnknownDevice: try await refusesUnknownDevice()
        case .listsOptions: try await listsOptions()
        case .setsOptions: try await setsOptions()
        case .refusesWrongOptions: try await refusesWrongOptions()
        case .capturesPages: try await capturesPages()
        case .honorsLimit: try await honorsLimit()
        case .survivesCancel: try await survivesCancel()
        case .reopens: try await reopens()
        }
    }

    // MARK: Devices

    private func listsDevices() async throws {
        let first = await host.listDevices(backend: contract.backend)
        if let problem = first.problems.first { throw problem }
        let second = await host.listDevices(backend: contract.backend, quick: true)
        if let problem = second.problems.first { throw problem }
        let ids = Set(first.devices.map(\.descriptor.id))
        for device in second.devices where !ids.contains(device.descriptor.id) {
            throw ContractViolation("the quick list has '\(device.id)', which the full one lacks")
        }
        if contract.isListed && !ids.contains(contract.device) {
            throw ContractViolation("'\(contract.device)' is not in the list: \(ids.sorted())")
        }
        for device in first.devices where device.descriptor.state != .ready {
            guard device.descriptor.advice?.isEmpty == false else {
                throw ContractViolation("'\(device.id)' can't be used and does not say why")
            }
        }
    }

    private func refusesUnknownDevice() async throws {
        let unknown = ListedDevice(
            backend: contract.backend,
            descriptor: DeviceDescriptor(id: contract.unknownDevice, name: "?", kind: .scanner))
        try await expect(.noSuchDevice, "opening '\(unknown.id)'") {
            _ = try await host.open(unknown)
        }
        await (try open()).close()
    }

    func open() async throws -> OpenDevice {
        let listed = try await host.find(contract.backend + ":" + contract.device)
        return try await host.open(listed)
    }

    // MARK: Options

    private func listsOptions() async throws {
        let device = try await open()
        for option in try await device.options() {
            if option.title.isEmpty {
                throw ContractViolation("option '\(option.name)' has no title")
            }
            for value in [option.value, option.defaultValue].compactMap({ $0 }) {
                guard fits(value, option.type) else {
                    throw ContractViolation(
                        "option '\(option.name)' has the value \(value), which its type does not take"
                    )
                }
            }
        }
        await device.close()
    }

    private func setsOptions() async throws {
        let device = try await open()
        for name in try await device.options().map(\.name) {
            // The options are listed again each time, since setting one option may change others.
            guard let option = try await device.options().first(where: { $0.name == name }),
                option.isActive, !option.isReadOnly, let before = option.value
            else { continue }
            for value in [another(than: before, option.type), before].compactMap({ $0 }) {
                let outcome = try await device.set(name, to: value)
                let told = outcome.value ?? value
                let listed = try await device.options().first { $0.name == name }?.value
                guard let listed, same(listed, told) else {
                    throw ContractViolation(
                        "option '\(name)' was set to \(told) and is listed with \(String(describing: listed))"
                    )
                }
            }
        }
        await device.close()
    }

    private func refusesWrongOptions() async throws {
        let device = try await open()
        try await expect(.noSuchOption, "setting an unknown option") {
            _ = try await device.setUnchecked("no-such-option-0", to: .bool(true))
        }
        for option in try await device.options() where option.isActive && !option.isReadOnly {
            guard let wrong = wrongValue(option.type) else { continue }
            try await expect(.invalidValue, "setting '\(option.name)' to \(wrong)") {
                _ = try await device.setUnchecked(option.name, to: wrong)
            }
        }
        await device.close()
    }

    // MARK: Captures

    private func capturesPages() async throws {
        let device = try await open()
        try await contract.prepare(device)
        let pages = try await capture(device, limit: contract.pageLimit)
        guard pages.count >= 2 else {
            throw ContractViolation("the device gave \(pages.count) pages, and the checks need two")
        }
        for (index, page) in pages.enumerated() {
            if index > 0, page.number <= pages[index - 1].number {
                throw ContractViolation(
                    "page \(page.number) came after page \(pages[index - 1].number)")
            }
            guard page.description.height != nil, page.description.impossibility == nil else {
                throw ContractViolation("page \(page.number) is described as \(page.description)")
            }
            let mapped = try page.mapPixels()
            // Touching the last byte shows that the file is as long as it claims.
            let last = mapped.bytes.last
            mapped.release()
            if last == nil { throw ContractViolation("page \(page.number) is empty") }
        }
        await device.close()
    }

    private func honorsLimit() async throws {
        let device = try await open()
        try await contract.prepare(device)
        let pages = try await capture(device, limit: 1)
        guard pages.count == 1 else {
            throw ContractViolation("one page was asked for, and \(pages.count) came")
        }
        await device.close()
    }

    private func survivesCancel() async throws {
        let device = try await open()
        try await contract.prepare(device)
        var isCancelled = false
        do {
            for try await event in device.capture(
                CaptureRequest(), spool: SpoolFolder(path: folder.path), window: 1)
            {
                // The window has one page that is never released, so the capture can't end by
                // itself.
                if case .began = event, !isCancelled {
                    isCancelled = true
                    await device.cancelCapture()
                }
            }
        } catch is CancellationError {}
        guard isCancelled else { throw ContractViolation("no page was begun") }
        await device.close()
        let again = try await open()
        try await contract.prepare(again)
        let pages = try await capture(again, limit: 1, from: 1000)
        guard pages.count == 1 else {
            throw ContractViolation("after a canceled capture \(pages.count) pages came, not one")
        }
        await again.close()
    }

    private func reopens() async throws {
        for round in 1...3 {
            let device = try await open()
            try await contract.prepare(device)
            let pages = try await capture(device, limit: 1, from: round * 100)
            guard pages.count == 1 else {
                throw ContractViolation(
                    "when opened for time \(round), \(pages.count) pages came, not one")
            }
            await device.close()
        }
    }

    private func capture(
        _ device: OpenDevice, limit: Int?, from number: Int = 1
    ) async throws -> [CapturedPage] {
        var pages: [CapturedPage] = []
        let spool = SpoolFolder(path: folder.path, firstNumber: number)
        for try await event in device.capture(CaptureRequest(limit: limit), spool: spool) {
            if case .page(let page) = event { pages.append(page) }
        }
        return pages
    }

    private func expect(
        _ code: HostError.Code, _ what: String, _ body: () async throws -> Void
    ) async throws {
        do {
            try await body()
        } catch let error as HostError where error.code == code {
            guard !error.message.isEmpty else {
                throw ContractViolation("\(what) fails without a message")
            }
            return
        }
        throw ContractViolation("\(what) succeeds, where '\(code.rawValue)' is due")
    }
}
