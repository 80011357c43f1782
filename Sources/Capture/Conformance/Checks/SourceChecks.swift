import CaptureHost
import CaptureKit

// The settings of a device, and the end of its pages.
let sourceChecks = [
    ConformanceCheck(
        "capture.formats", .must, section: "Frames",
        title: "Sends whole pages in every mode and depth",
        isHarsh: true
    ) { bench in
        _ = try bench.sample()
        try bench.needs("capture.again")
        let way = try bench.usualWay()
        var hasAny = false
        try bench.withPages { connection, handle in
            for name in ["mode", "depth", "format"] {
                let options = try bench.options(connection, handle)
                guard let option = options.first(where: { $0.name == name && $0.isSettable }) else {
                    continue
                }
                for value in option.choices.prefix(12) {
                    let answer = try bench.set(connection, handle, option: name, value: value)
                    if answer.line.header.error != nil { continue }
                    hasAny = true
                    try bench.wholePage(connection, handle, way, with: "\(name) \(value.shown)")
                }
                if let value = option.value {
                    _ = try bench.set(connection, handle, option: name, value: value)
                }
            }
        }
        if !hasAny { throw NotApplicable("it has no option 'mode', 'depth' or 'format'") }
    },
    ConformanceCheck(
        "capture.unknown-height", .must, section: "Frames",
        title: "Sends whole pages of unknown height",
        isHarsh: true
    ) { bench in
        _ = try bench.sample()
        let way = try bench.usualWay()
        try bench.withPages { connection, handle in
            let options = try bench.options(connection, handle)
            let names = ["unknown-height", "hand-scanner"]
            if let option = options.first(where: { names.contains($0.name) && $0.type == .toggle })
            {
                _ = try bench.set(connection, handle, option: option.name, value: .bool(true))
            }
            let seen = try WatchedCapture(bench, connection, handle, limit: 1).untilEnd(way)
            let open = seen.pages.filter { $0.form.height == nil }
            if open.isEmpty { throw NotApplicable("it announces the height of every page") }
            try judgeWhole(seen, "unknown height")
        }
    },
    ConformanceCheck(
        "capture.empty", .must, section: "Error codes",
        title: "Says that the feeder is empty, when it is",
        isHarsh: true
    ) { bench in
        _ = try bench.sample()
        let way = try bench.usualWay()
        try bench.withPages { connection, handle in
            let options = try bench.options(connection, handle)
            let source = options.first { $0.name == "source" && $0.isSettable }
            if source?.choices.contains(.text("feeder")) == true {
                _ = try bench.set(connection, handle, option: "source", value: .text("feeder"))
            } else if try bench.device().kind == .files {
                throw NotApplicable(
                    "it has no feeder; that it answers feederEmpty without a file shows capture.page, checked while it has none"
                )
            } else if try !bench.device().sources.contains("feeder") {
                throw NotApplicable("it has no feeder")
            }
            let first = try WatchedCapture(bench, connection, handle, limit: nil).untilEnd(way)
            if first.error == nil, first.pages.isEmpty {
                throw CheckFailure("the error feederEmpty", came: "success without a page")
            }
            let second = try WatchedCapture(bench, connection, handle, limit: nil).untilEnd(way)
            if !second.pages.isEmpty { throw NotApplicable("its feeder is never empty") }
            guard second.error?.code == .feederEmpty else {
                throw CheckFailure(
                    "the error feederEmpty",
                    came: second.error.map { "the error \($0.code.rawValue)" } ?? "success")
            }
        }
    },
]

extension CheckBench {
    /// Captures a page and fails unless it is complete.
    fileprivate func wholePage(
        _ connection: CheckConnection, _ handle: Int, _ way: Way, with what: String
    ) throws {
        let seen = try WatchedCapture(self, connection, handle, limit: 1).untilEnd(way)
        if seen.error?.code == .feederEmpty { return }
        if let error = seen.error {
            throw CheckFailure(
                "a page with \(what)", came: "the error \(error.code.rawValue): \(error.message)")
        }
        try judgeWhole(seen, what)
    }
}

/// Fails unless every page of a capture is whole.
private func judgeWhole(_ seen: SeenCapture, _ what: String) throws {
    for page in seen.pages {
        if let fault = page.form.impossibility ?? page.frame.lack {
            throw CheckFailure("a whole page with \(what)", came: fault)
        }
    }
}

extension DeviceOption {
    /// Its choices.
    fileprivate var choices: [OptionValue] {
        switch type {
        case .choice(let choices): choices.map { .text($0) }
        case .integerChoice(let choices): choices.map { .integer($0) }
        default: []
        }
    }
}
