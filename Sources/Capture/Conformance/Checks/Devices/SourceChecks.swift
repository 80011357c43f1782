import CaptureHost
import CaptureKit

// Checks of a device's settings, and of the end of its pages.
let sourceChecks = [
    ConformanceCheck(
        "capture.formats", .must, section: "Frames",
        title: "Sends whole pages in every mode and depth",
        isHarsh: true
    ) { context in
        _ = try context.sample()
        try context.needs("capture.again")
        let way = try context.usualWay()
        var hasAny = false
        try context.withPages { connection, handle in
            for name in ["mode", "depth", "format"] {
                let options = try context.options(connection, handle)
                guard let option = options.first(where: { $0.name == name && $0.isSettable }) else {
                    continue
                }
                for value in option.choices.prefix(12) {
                    let answer = try context.set(connection, handle, option: name, value: value)
                    if answer.line.header.error != nil { continue }
                    hasAny = true
                    let set = try context.options(connection, handle).filter {
                        [name, "resolution"].contains($0.name)
                    }
                    let seen = try context.wholePage(
                        connection, handle, way, with: "\(name) \(value.shown)")
                    context.findings.modes.append(SeenMode(set, seen))
                }
                if let value = option.value {
                    _ = try context.set(connection, handle, option: name, value: value)
                }
            }
        }
        if !hasAny { throw NotApplicable("it has no option 'mode', 'depth' or 'format'") }
    },
    ConformanceCheck(
        "capture.as-set", .must, section: "Common settings",
        title: "Captures with the mode and the resolution that it lists as set", isHarsh: true
    ) {
        try $0.needs("capture.formats")
        for mode in $0.findings.modes {
            if let (expected, came) = mode.deviation { throw CheckFailure(expected, came: came) }
        }
        if !$0.findings.modes.contains(where: \.isJudged) {
            throw NotApplicable("its options have none of the words of common settings")
        }
    },
    ConformanceCheck(
        "capture.unknown-height", .must, section: "Frames",
        title: "Sends whole pages of unknown height",
        isHarsh: true
    ) { context in
        _ = try context.sample()
        let way = try context.usualWay()
        try context.withPages { connection, handle in
            let options = try context.options(connection, handle)
            let names = ["unknown-height", "hand-scanner"]
            if let option = options.first(where: { names.contains($0.name) && $0.type == .toggle })
            {
                _ = try context.set(connection, handle, option: option.name, value: .bool(true))
            }
            let seen = try WatchedCapture(context, connection, handle, limit: 1).untilEnd(way)
            let open = seen.pages.filter { $0.form.height == nil }
            if open.isEmpty { throw NotApplicable("it announces the height of every page") }
            try judgeWhole(seen, "unknown height")
        }
    },
    ConformanceCheck(
        "capture.empty", .must, section: "Error codes",
        title: "Says that the feeder is empty, when it is",
        isHarsh: true
    ) { context in
        _ = try context.sample()
        let way = try context.usualWay()
        try context.withPages { connection, handle in
            let options = try context.options(connection, handle)
            let source = options.first { $0.name == "source" && $0.isSettable }
            if source?.choices.contains(.text("feeder")) == true {
                _ = try context.set(connection, handle, option: "source", value: .text("feeder"))
            } else if try context.device().kind == .files {
                throw NotApplicable(
                    "it has no feeder; to check that it reports feederEmpty without files, run capture.page with an empty folder"
                )
            } else if try !context.device().sources.contains("feeder") {
                throw NotApplicable("it has no feeder")
            }
            let first = try WatchedCapture(context, connection, handle, limit: nil).untilEnd(way)
            if first.error == nil, first.pages.isEmpty {
                throw CheckFailure("the error feederEmpty", came: "success without a page")
            }
            let second = try WatchedCapture(context, connection, handle, limit: nil).untilEnd(way)
            if !second.pages.isEmpty { throw NotApplicable("its feeder is never empty") }
            guard second.error?.code == .feederEmpty else {
                throw CheckFailure(
                    "the error feederEmpty",
                    came: second.error.map { "the error \($0.code.rawValue)" } ?? "success")
            }
        }
    },
]

extension CheckContext {
    /// Captures a page and fails unless it is complete.
    fileprivate func wholePage(
        _ connection: CheckConnection, _ handle: Int, _ way: Way, with what: String
    ) throws -> SeenCapture {
        let seen = try WatchedCapture(self, connection, handle, limit: 1).untilEnd(way)
        if seen.error?.code == .feederEmpty { return seen }
        if let error = seen.error {
            throw CheckFailure(
                "a page with \(what)", came: "the error \(error.code.rawValue): \(error.message)")
        }
        try judgeWhole(seen, what)
        return seen
    }
}

/// Fails unless every page of a capture is complete.
private func judgeWhole(_ seen: SeenCapture, _ what: String) throws {
    for page in seen.pages {
        if let fault = page.form.impossibility ?? page.frame.lack {
            throw CheckFailure("a whole page with \(what)", came: fault)
        }
    }
}

extension DeviceOption {
    /// The values that the option offers.
    fileprivate var choices: [OptionValue] {
        switch type {
        case .choice(let choices): choices.map { .text($0) }
        case .integerChoice(let choices): choices.map { .integer($0) }
        default: []
        }
    }
}
