import CaptureHost
import CaptureKit
import Documents
import JobOptions
import Listings
import LiveCapture
import Processing
import ScanService

extension DeviceSettings {
    /// The settings, after a check that none of them may name a file.
    ///
    /// Some drivers read files that an option names. Devices refuse options that are marked
    /// (`hostPath`); this check is for unmarked ones.
    func checked() throws(Problem) -> [ScanOrder.Setting] {
        for setting in list where setting.value.contains("/") {
            throw Problem.invalid(
                "'\(setting.option)' may not be '\(setting.value)': a value with '/' could name a file of the host's machine. Set it there, with copystand on the machine itself."
            )
        }
        return list
    }
}

extension JobSettings {
    /// Checks the options that a client asks for by their declarations.
    ///
    /// - Throws: ``Problem`` for one that the client may not set, and for a wrong value.
    func check(for scope: AccessScope) throws(Problem) {
        for option in JobOptions.inRequests {
            guard let value = self[option] else { continue }
            if option.reach == .administrators { try scope.check(.admin) }
            if let fault = option.fault(value) {
                throw Problem.invalid("'\(option.name)' is \(value.words): \(fault).")
            }
            if let (text, clause) = option.brokenRule(value), let rule = option.rule {
                throw Problem(
                    422, rule.problem, detail: "'\(option.name)' has '\(text)', which \(clause).")
            }
        }
    }
}

extension ScanRequest {
    /// The order for the request, checked against the host's devices, profiles and sinks.
    ///
    /// - Parameters:
    ///   - user: who places it.
    ///   - scope: the rights of the client.
    /// - Throws: ``Problem``.
    func order(
        sources: [String], for user: ArchiveUser, scope: AccessScope, _ context: ServerContext
    ) throws -> ScanOrder {
        var order = ScanOrder(self, from: sources)
        order.user = user
        _ = try settings?.checked()
        try options.check(for: scope)
        order.common = try order.common.checked()
        let profile = try context.profiles.load(order.profile)
        if let region = watch?.region {
            order.area = try region.area()
            // The drawn region is the whole page, so no step searches in it.
            order.omittedSteps += profile.steps.map(\.name).filter {
                ["crop", "items"].contains($0) && !order.omittedSteps.contains($0)
            }
        }
        let usual = profile.sinks
        let sinks = self.sinks ?? (usual.isEmpty ? ["archive"] : usual)
        let known = try context.sinks.names()
        // A sink by its kind and options could name any file or address, so only names are
        // accepted.
        for sink in sinks where sink != "archive" {
            guard known.contains(sink) else {
                throw Problem.noSuchThing(
                    "sink", sink,
                    "The known ones are: \((["archive"] + known).joined(separator: ", ")).")
            }
            order.sinks.append(sink)
        }
        if sinks.contains("archive") { order.outputs = [context.defaultOutput] }
        guard !order.outputs.isEmpty || !order.sinks.isEmpty else {
            throw Problem.invalid("'sinks' is empty: the document would go nowhere.")
        }
        if uploads == nil, order.obstacleToLeaving == nil {
            order.options[.processing] = context.processing
        }
        return order
    }
}

extension ScanRequest.Watch {
    /// The settings for watching the device.
    ///
    /// - Throws: ``Problem`` for a device that is not a camera.
    func options(_ device: ListedDevice) throws -> LiveOptions {
        guard device.descriptor.kind == .camera else {
            throw Problem(
                422, "no-camera",
                detail:
                    "'\(device.id)' is not a camera that can be watched. Leave out 'watch' to scan with it."
            )
        }
        if let idle = idle, !(1...86_400).contains(idle) {
            throw Problem.invalid("'watch.idle' is \(idle): it must be from 1 to 86400 seconds.")
        }
        guard let stills = LiveOptions.Stills(rawValue: stills ?? "auto") else {
            let known = LiveOptions.Stills.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem.invalid(
                "'watch.stills' is '\(stills ?? "")'. Give one of \(known).")
        }
        return LiveOptions(
            idle: idle.map { .seconds($0) }, isManual: manual ?? false, stills: stills)
    }
}
