import CSANE
import CaptureKit
import ExpectedFailures

/// An open scanner.
@SANEActor final class SANEDevice: CaptureDevice {
    nonisolated let descriptor: DeviceDescriptor?
    private let scanner: FoundScanner
    private let handle: ScannerHandle
    private var native: NativeOptions { didSet { planned = nil } }
    private var isAutomatic = false { didSet { planned = nil } }
    /// The plan for the current options; nil when it must be made again.
    private var planned: OptionPlan?
    /// The values of options when the scanner was opened.
    private var defaults: [String: OptionValue] = [:]
    private var presses = UnreportedPresses()
    private var isCapturing = false

    /// Opens a scanner, with settings that suit most pages.
    static func open(_ scanner: FoundScanner) throws -> SANEDevice {
        let handle = try ScannerDirectory.shared.open(scanner)
        do throws(SANEFailure) {
            return SANEDevice(scanner, handle, try handle.options())
        } catch {
            handle.close()
            ScannerDirectory.shared.closed(scanner)
            throw error.captureError(device: scanner.title)
        }
    }

    private init(_ scanner: FoundScanner, _ handle: ScannerHandle, _ options: NativeOptions) {
        self.scanner = scanner
        self.handle = handle
        native = options
        let facts = ScannerFacts(native, deviceType: scanner.type)
        ScannerCatalog.shared.note(facts, of: scanner.id)
        descriptor = scanner.descriptor(facts)
        for (name, value) in [("mode", OptionValue.text("color")), ("resolution", .integer(300))] {
            // A driver without this setting keeps its own.
            ifSupported { try set(plan.settable(name), to: value) }
        }
        defaults = plan.values
    }

    private var source: SourceSetting {
        SourceSetting(deviceType: scanner.type, isAutomatic: isAutomatic)
    }

    private var plan: OptionPlan {
        if let planned { return planned }
        let plan = OptionPlan(native, deviceType: scanner.type, isAutomatic: isAutomatic)
        planned = plan
        return plan
    }

    // MARK: Options

    @SANEActor func options() async throws -> [DeviceOption] {
        // A driver that is scanning must not be disturbed, so its last answer is used.
        if !isCapturing {
            do {
                var now = try handle.options()
                presses.report(in: &now)
                if now != native { native = now }
            } catch {
                throw error.captureError(device: scanner.title)
            }
        }
        defer { if native.hasPresses { native.releaseButtons() } }
        return plan.options(defaults: defaults)
    }

    @SANEActor func set(_ option: String, to value: OptionValue) async throws -> OptionOutcome {
        guard !isCapturing else {
            throw CaptureError(
                .busy, "Option '\(option)' can't be set while '\(scanner.title)' scans",
                advice: "Set it before the scan.")
        }
        let before = plan
        let entry = try before.settable(option)
        try set(entry, to: value)
        let after = plan
        let taken = after.option(option)
        let isReshaped = taken?.type != entry.option.type
        return OptionOutcome(
            value: entry.option.type == .button ? nil : taken?.value,
            reloadOptions: isReshaped || after.differs(from: before, besides: option))
    }

    private func set(_ entry: OptionPlan.Entry, to value: OptionValue) throws {
        do {
            switch entry.binding {
            case .native(let option):
                try write(try option.native(value, name: entry.option.name), to: option)
                if Spellings.sourceOptions.contains(option.name) { isAutomatic = false }
            case .common(let setting):
                try entry.option.check(value)
                if let source = setting as? SourceSetting {
                    isAutomatic = value == .text("auto") && source.isEmulated(native)
                }
                try apply(setting.steps(to: value, native))
            }
        } catch let failure as SANEFailure {
            reload()
            throw failure.captureError(device: scanner.title)
        }
    }

    private func apply(_ steps: [OptionStep]) throws(SANEFailure) {
        for step in steps {
            guard let option = native[step.option], option.isWritable else { continue }
            try write(option.nearest(step.value), to: option)
        }
    }

    private func write(_ value: NativeValue, to option: NativeOption) throws(SANEFailure) {
        let outcome = try handle.write(value, to: option)
        if outcome.reloadOptions || option.kind == .button {
            return reload()
        }
        guard let index = native.all.firstIndex(where: { $0.index == option.index }) else { return }
        native.all[index].value = handle.value(of: option) ?? outcome.value
    }

    /// Reads the options again.
    ///
    /// If the driver does not answer, the options stay, and the next call will report that.
    private func reload() {
        guard let new = reportedLater({ try handle.options() }) else { return }
        native = new
        presses.keep(new)
    }

    // MARK: Capture

    @SANEActor func capture(_ request: CaptureRequest, into sink: any FrameSink) async throws {
        guard request.mode == .pages else {
            throw CaptureError(
                .unsupported, "'\(scanner.title)' has no live view",
                advice: "Scan pages, or choose a camera.")
        }
        let limit = request.limit ?? .max
        guard limit >= 1 else {
            throw CaptureError(.invalidValue, "\(limit) pages can't be scanned; at least 1 can")
        }
        guard !isCapturing else {
            throw CaptureError(.busy, "'\(scanner.title)' is already scanning")
        }
        isCapturing = true
        defer { isCapturing = false }
        guard isAutomatic else { return try await run(limit, source: source, sink) }
        do {
            try await run(limit, source: try choose("feeder"), sink)
        } catch let error as CaptureError where error.code == .feederEmpty {
            try await run(1, source: try choose("flatbed"), sink)
        }
    }

    /// Sets the source for one scan, while the user's choice stays `auto`.
    ///
    /// A named paper is set again, because drivers shrink the area to that of a new source.
    private func choose(_ name: String) throws -> SourceSetting {
        let source = SourceSetting(deviceType: scanner.type, isAutomatic: false)
        let paper = PaperSetting().option(native)?.value
        do {
            try apply(source.steps(to: .text(name), native))
            if let paper, PaperSetting().option(native)?.value != paper {
                try apply(PaperSetting().steps(to: paper, native))
            }
        } catch {
            throw error.captureError(device: scanner.title)
        }
        return source
    }

    private func run(_ limit: Int, source: SourceSetting, _ sink: any FrameSink) async throws {
        let isFeeding = source.isFeeding(native)
        let isDuplex = source.current(native) == "feeder-duplex"
        let run = SANEScan(
            handle: handle, gate: handle.gate(), sink: sink, limit: isFeeding ? limit : 1,
            isFeeding: isFeeding, isDuplex: isDuplex, resolution: resolution,
            endsWithPaper: endsWithPaper)
        do {
            try await run.perform()
        } catch let failure as SANEFailure {
            throw explained(failure, isDuplex: isDuplex)
        }
    }

    private var resolution: @SANEActor () -> Resolution? {
        // The driver may have changed the resolution at the start; its present value counts.
        { [self] in
            for name in Spellings.resolutionOptions + Spellings.verticalResolutionOptions {
                for index in native.all.indices where native.all[index].name == name {
                    if let value = handle.value(of: native.all[index]) {
                        native.all[index].value = value
                    }
                }
            }
            return ResolutionSetting().current(native)
        }
    }

    /// True when a page may be shorter than the driver announces.
    private var endsWithPaper: Bool {
        Spellings.automaticLength.contains { native[$0]?.value == .toggle(true) }
    }

    private func explained(_ failure: SANEFailure, isDuplex: Bool) -> CaptureError {
        let error = failure.captureError(device: scanner.title, isDuplex: isDuplex)
        guard failure.status == SANE_STATUS_JAMMED else { return error }
        // SANE has no status for two sheets at once; some drivers have a sensor.
        reload()
        guard Spellings.doubleFeedSensors.contains(where: { native[$0]?.value == .toggle(true) })
        else { return error }
        var doubleFeed = error
        doubleFeed.code = .doubleFeed
        doubleFeed.message = doubleFeed.message.replacing(
            "Paper is jammed in the feeder", with: "Two sheets were drawn in at once")
        doubleFeed.advice = error.advice?.replacing("Clear the jam.", with: "Separate the sheets.")
        return doubleFeed
    }

    @SANEActor func close() async {
        handle.close()
        ScannerDirectory.shared.closed(scanner)
    }
}
