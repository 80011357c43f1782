import Delivery

/// What has become of the documents that a job delivered, as far as can be seen now.
struct JobLosses {
    /// The places that have their document no more, each with those that have the same.
    private(set) var places: [LostPlace] = []
    /// How many delivered pages no place has any more.
    private(set) var pages = 0

    /// Looks at every place; nothing is lost of a job without a record.
    init(_ record: JobRecord?) {
        guard let record, let all = record.places else { return }
        let seen = all.map { (place: $0, loss: $0.loss) }
        let safe = seen.filter { $0.loss == nil }.map(\.place)
        places = seen.compactMap { place, loss in
            guard let loss else { return nil }
            let others = safe.filter { $0.job == place.job }
            return LostPlace(
                record.name(of: place), loss, others: others.map(record.name(of:)))
        }
        let delivered = record.deliveredPages ?? 0
        var lost: [String: Int] = [:]
        for place in all { lost[place.job] = max(1, place.pages) }
        let documents = lost.count
        for place in safe { lost[place.job] = nil }
        // Blank pages are in no file, so that a count of pages is no measure for all of them.
        pages = lost.count == documents ? delivered : min(delivered, lost.values.reduce(0, +))
        if lost.isEmpty { pages = 0 }
    }
}

extension JobRecord {
    /// A place as its user calls it: an output as it was ordered, or where its file went instead.
    fileprivate func name(of place: DeliveredPlace) -> String {
        guard let output = order.outputs.first(where: { path(of: $0) == place.sink }) else {
            return place.sink
        }
        let isElsewhere = place.path.map { !$0.hasSuffix("/" + output.lastComponent) } ?? false
        return isElsewhere ? place.path ?? output : output
    }
}
