import BlockingWork
import CommandLine
import Delivery
import Documents
import FoundationEssentials
import Listings

/// `copystand outbox`: documents that wait for named sinks.
enum OutboxCommand {
    private static let id = Argument(
        "ID", .one, .name, help: "The item, as 'copystand outbox' names it.",
        completion: .dynamic("outbox"))
    private static let some = Argument(
        "ID", .optional, .name, help: "The item; everything when none is named.",
        completion: .dynamic("outbox"))
    private static let due = Option(
        flag: "due",
        help: "Only items that are due, for use from a timer; otherwise also refused ones.")

    static let command = Command(
        name: "outbox", summary: "List, retry or drop documents that wait for a sink",
        discussion: """
            A document stays here, whole, until its sink has confirmed it. Failed deliveries are \
            tried again after half a minute, a minute, and so on up to six hours, whenever \
            'copystand outbox retry --due' runs, or later if the service asks for it. Documents \
            that a sink refused wait for you.

            With --json the result is an object with "items", each with "id", "sink", "title", \
            "pages", "state" (waiting or \
            refused), "attempts", "bytes", "folder" and, where they are known, "sent" (bytes, while \
            an upload goes on), "nextTry" (seconds since 1970) and "problem".
            """,
        examples: [
            Example("List what is waiting, and why", "copystand outbox"),
            Example("Try everything now", "copystand outbox retry"),
        ],
        options: [SharedOptions.json], subcommands: [list, retry, drop], handler: handler(show))

    private static let list = Command(
        name: "list", summary: "List what waits, the same as 'copystand outbox'",
        examples: [Example("As JSON", "copystand outbox list --json")],
        options: [SharedOptions.json], handler: handler(show))

    private static let retry = Command(
        name: "retry", summary: "Try to deliver now",
        discussion: "Exit code 5 when something could not be delivered.",
        examples: [
            Example("Everything, including refused items", "copystand outbox retry"),
            Example("Deliver what is due, from a timer", "copystand outbox retry --due --quiet"),
        ],
        arguments: [some], options: [due],
        handler: handler { arguments, console in
            let outbox = try SinksCommand.outbox(SinksCommand.registry())
            try check(outbox.store, console)
            let chosen = arguments.text(some)
            let isDue = arguments.isGiven(due)
            let line = LiveLine(terminal: console.error) {
                _ = OutputStream.standardError.write($0)
            }
            Program.onUploads { upload in
                let words = "Sending '\(upload.title)' to \(upload.sink): \(upload.words)"
                if !console.isQuiet { line.show(FittedLine(words)) }
            }
            let deliveries = try await onOwnThread {
                if let chosen { return [try outbox.deliver(chosen)] }
                return outbox.deliver(isDue: isDue)
            }
            line.finish()
            for delivery in deliveries { write(delivery, console) }
            let left = chosen == nil ? outbox.store.items() : []
            let damage = left.compactMap { _, item -> String? in
                if case .failure(let error) = item { error.message } else { nil }
            }
            for message in damage { console.warn(message) }
            if deliveries.isEmpty, chosen != nil || damage.isEmpty || left.count > damage.count {
                let waiting = left.count - damage.count
                console.say(
                    waiting == 0
                        ? "Nothing is waiting."
                        : "Nothing is due yet; \(counted(waiting, "document")) waiting. See: copystand outbox"
                )
            }
            let isAllThere = deliveries.allSatisfy {
                if case .delivered = $0.outcome { true } else { false }
            }
            return isAllThere && damage.isEmpty ? .done : .deliveryFailed
        })

    private static let drop = Command(
        name: "drop", summary: "Delete an item and its document for good",
        examples: [Example("Delete it", "copystand outbox drop 20261121-101500-k3fw9a")],
        arguments: [id],
        handler: handler { arguments, console in
            let name = arguments.text(id) ?? ""
            try SinksCommand.outbox(SinksCommand.registry()).store.drop(name)
            console.say("Dropped \(name).")
            return .done
        })

    /// Refuses an outbox that others can change, and names the faults in it.
    private static func check(_ store: OutboxStore, _ console: Console) throws {
        try store.check()
        if let problem = store.problem { console.warn(problem) }
    }

    private static func write(_ delivery: Outbox.Delivery, _ console: Console) {
        let what = "'\(delivery.title)' (\(delivery.id))"
        switch delivery.outcome {
        case .delivered(let receipt):
            let place = receipt.locations.first ?? delivery.sink
            console.say("\(what) is at \(delivery.sink): \(place)")
            for note in receipt.notes ?? [] { console.warn("\(what): \(note)") }
        case .waits(let why, _): console.warn("\(what) still waits for \(delivery.sink): \(why)")
        case .refused(let why): console.warn("\(what) was refused by \(delivery.sink): \(why)")
        }
    }

    private static func show(_ arguments: ParsedArguments, _ console: Console) async throws
        -> ExitCode
    {
        let store = try OutboxStore.standard(environment: ProcessInfo.processInfo.environment)
        try check(store, console)
        let items = store.items()
        if arguments.isGiven(SharedOptions.json) {
            try console.json(
                OutboxJSON(
                    items: items.map { id, result in
                        var item = OutboxJSON.Item(id, result, sent: store.sentBytes(of: id))
                        item.folder = store.root + "/" + id
                        return item
                    }))
            return .done
        }
        if items.isEmpty {
            console.say("Nothing is waiting: every document has arrived.")
            return .done
        }
        var table = Table([
            .init("ITEM"), .init("SINK"), .init("TITLE"), .init("STATE"), .init("TRIED"),
            .init("NEXT"),
        ])
        for (id, result) in items {
            switch result {
            case .success(let item):
                let sent = store.sentBytes(of: id)
                table.add([
                    id, item.sink, item.title,
                    sent == nil ? item.state.rawValue : "sending", "\(item.attempts)",
                    next(item, sent: sent),
                ])
            case .failure: table.add([id, "", "", "damaged", "", ""])
            }
        }
        try console.result(table.text(for: console.output))
        for (id, result) in items {
            switch result {
            case .success(let item):
                if let problem = item.problem { console.say("\(id): \(problem)") }
            case .failure(let error): console.warn(error.message)
            }
        }
        return .done
    }

    /// The time of the next attempt or, during an upload, its progress.
    private static func next(_ item: OutboxItem, sent: Int?) -> String {
        if let sent { return Outbox.Upload.words(sent, of: item.bytes) }
        return item.state == .refused ? "when retried" : wait(until: item.nextTry)
    }

    /// The time until then, for people.
    private static func wait(until time: Double) -> String {
        let seconds = time - Date().timeIntervalSince1970
        switch seconds {
        case ..<1: return "due"
        case ..<90: return "in \(Int(seconds)) s"
        case ..<5400: return "in \(Int(seconds / 60)) min"
        default: return "in \(Int(rounding: seconds / 3600, in: 1...1_000_000)) h"
        }
    }
}
