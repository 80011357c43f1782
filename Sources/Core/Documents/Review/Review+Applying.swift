extension Review {
    /// The document after a change.
    ///
    /// This pure reducer makes all changes, for the command line, the web page and the history.
    ///
    ///     let turned = try review.applying(.rotate(pages: [page], by: .clockwise90))
    ///
    /// - Throws: ``ReviewError``; the document is unchanged then.
    public func applying(_ action: ReviewAction) throws(ReviewError) -> Review {
        var next = self
        try next.apply(action)
        switch action {
        case .select, .deselect, .selectEntries, .deselectEntries, .deselectAll: break
        case .save: next.isSaved = true
        default:
            next.isSaved = false
            next.countCards()
        }
        return next
    }

    private mutating func apply(_ action: ReviewAction) throws(ReviewError) {
        switch action {
        case .select(let pages): selectedPages.formUnion(try known(pages))
        case .deselect(let pages): selectedPages.subtract(try known(pages))
        case .selectEntries(let entries): selectedEntries.formUnion(try known(entries: entries))
        case .deselectEntries(let entries): selectedEntries.subtract(try known(entries: entries))
        case .deselectAll: (selectedPages, selectedEntries) = ([], [])
        case .deleteSelected: try deleteSelected()
        case .renumber(let first):
            guard Self.firstNumbers.contains(first) else {
                throw ReviewError(
                    .invalidValue, "Pages can't be counted from \(first): choose 1 to 1,000,000.")
            }
            firstNumber = first
        case .move(let page, let place): try move(page, to: place)
        case .rotate(let turned, let turn):
            for page in try known(turned) {
                let index = try index(of: page)
                pages[index].frame.turn = pages[index].frame.turn.followed(by: turn)
            }
        case .crop(let page, let box): try crop(page, to: box)
        case .replace(let page, let other): try replace(page, by: other)
        case .editText(let page, let text): pages[try index(of: page)].text = text
        case .setTitle(let title): self.title = title
        case .setType(let type): self.type = type
        case .setNote(let note): self.note = note
        case .addTag(let tag):
            guard !tag.isEmpty else {
                throw ReviewError(.invalidValue, "A tag can't be empty. Give it a name.")
            }
            if !tags.contains(tag) { tags.append(tag) }
        case .removeTag(let tag):
            guard let index = tags.firstIndex(of: tag) else {
                throw ReviewError(.notThere, "The document has no tag '\(tag)'.")
            }
            tags.remove(at: index)
        case .setField(let name, let value, let source):
            try fields.set(name, to: value, source: source)
        case .addEntry(let page, let fields): try addEntry(page, fields)
        case .setEntryField(let entry, let name, let value):
            guard let index = entries.firstIndex(where: { $0.id == entry }) else {
                throw noEntry(entry)
            }
            try entries[index].fields.set(name, to: value, source: nil)
        case .split(let page, _): try split(after: page)
        case .merge(let other, _): try merge(other)
        case .save: break
        }
    }

    private mutating func deleteSelected() throws(ReviewError) {
        try remove(selectedPages)
        entries.removeAll { selectedEntries.contains($0.id) }
        selectedEntries = []
    }

    /// Removes pages; entries on them stay without a page.
    private mutating func remove(_ gone: Set<PageID>) throws(ReviewError) {
        guard pages.contains(where: { !gone.contains($0.id) }) else {
            throw ReviewError(
                .noPageLeft,
                "No page would be left. A document needs at least one page; to delete it, put it in the trash."
            )
        }
        pages.removeAll { gone.contains($0.id) }
        selectedPages.subtract(gone)
        for index in entries.indices where entries[index].page.map(gone.contains) ?? false {
            entries[index].page = nil
        }
    }

    private mutating func move(_ page: PageID, to place: Int) throws(ReviewError) {
        guard pages.indices.contains(place) else {
            throw ReviewError(
                .invalidValue, "There is no place \(place + 1) among \(pages.count) pages.")
        }
        let moved = pages.remove(at: try index(of: page))
        pages.insert(moved, at: place)
    }

    private mutating func crop(_ page: PageID, to box: Box?) throws(ReviewError) {
        let index = try index(of: page)
        guard let box else {
            pages[index].frame.crop = nil
            return
        }
        let size = pages[index].frame.size
        guard box.x >= 0, box.y >= 0, box.width > 0, box.height > 0, box.width <= size.width,
            box.height <= size.height, box.x <= size.width - box.width,
            box.y <= size.height - box.height
        else {
            throw ReviewError(
                .invalidValue,
                "The part \(box.x),\(box.y),\(box.width),\(box.height) does not lie on the page, which is \(size.width) × \(size.height) pixels."
            )
        }
        pages[index].frame.crop = pages[index].frame.toCaptured(box)
    }

    private mutating func replace(_ page: PageID, by other: ReviewedPage) throws(ReviewError) {
        let index = try index(of: page)
        guard !pages.contains(where: { $0.id == other.id }) else {
            throw ReviewError(
                .invalidValue, "The page \(other.id.rawValue) is in this document already.")
        }
        pages[index] = other
        if selectedPages.remove(page) != nil { selectedPages.insert(other.id) }
        for index in entries.indices where entries[index].page == page {
            entries[index].page = other.id
        }
    }

    private mutating func addEntry(_ page: PageID?, _ fields: [Field]) throws(ReviewError) {
        if let page { _ = try index(of: page) }
        guard Set(fields.map(\.name)).count == fields.count,
            fields.allSatisfy({ !$0.name.isEmpty })
        else {
            throw ReviewError(
                .invalidValue, "An entry's fields need names that differ from each other.")
        }
        entries.append(
            Entry(id: (entries.map(\.id).max() ?? 0) + 1, page: page, fields: fields))
    }

    private mutating func split(after page: PageID) throws(ReviewError) {
        let parts = try self.parts(splitAfter: page)
        self = parts.kept
    }

    private mutating func merge(_ other: Review) throws(ReviewError) {
        let mine = Set(pages.map(\.id))
        guard !other.pages.isEmpty, !other.pages.contains(where: { mine.contains($0.id) }) else {
            throw ReviewError(
                .invalidValue,
                "The documents can't be merged: a page is in both. Undo the change that brought it into one of them."
            )
        }
        pages += other.pages
        for tag in other.tags where !tags.contains(tag) { tags.append(tag) }
        for field in other.fields where !fields.contains(where: { $0.name == field.name }) {
            fields.append(field)
        }
        let highest = entries.map(\.id).max() ?? 0
        for (index, entry) in other.entries.enumerated() {
            var entry = entry
            entry.id = highest + index + 1
            entries.append(entry)
        }
        if !other.note.isEmpty { note += (note.isEmpty ? "" : "\n") + other.note }
    }

    /// The two documents after a split: the pages up to `page` with all metadata, and the pages
    /// after it.
    ///
    /// - Throws: ``ReviewError`` `notThere`, or `noPageLeft` after the last page.
    public func parts(splitAfter page: PageID) throws(ReviewError) -> (
        kept: Review, moved: Review
    ) {
        let last = try index(of: page)
        guard last < pages.count - 1 else {
            throw ReviewError(
                .noPageLeft,
                "There is no page after page \(last + firstNumber) that could begin a new document."
            )
        }
        let gone = Set(pages[(last + 1)...].map(\.id))
        var kept = self
        var moved = Review(title: title, type: type, pages: Array(pages[(last + 1)...]))
        moved.tags = tags
        moved.entries = entries.filter { $0.page.map(gone.contains) ?? false }
        kept.entries.removeAll { $0.page.map(gone.contains) ?? false }
        kept.selectedEntries.formIntersection(kept.entries.map(\.id))
        try kept.remove(gone)
        // The cards after the split become a session of their own.
        moved.fields = fields.filter(CardTotals.isTotal)
        moved.countCards()
        kept.countCards()
        return (kept, moved)
    }

    private func index(of page: PageID) throws(ReviewError) -> Int {
        guard let index = pages.firstIndex(where: { $0.id == page }) else {
            throw ReviewError(.notThere, "The page \(page.rawValue) is not in this document.")
        }
        return index
    }

    private func known(_ pages: [PageID]) throws(ReviewError) -> Set<PageID> {
        for page in pages { _ = try index(of: page) }
        return Set(pages)
    }

    private func known(entries wanted: [Int]) throws(ReviewError) -> [Int] {
        for entry in wanted where !entries.contains(where: { $0.id == entry }) {
            throw noEntry(entry)
        }
        return wanted
    }

    private func noEntry(_ entry: Int) -> ReviewError {
        ReviewError(.notThere, "The document has no entry \(entry).")
    }
}

extension [Field] {
    /// Sets the field called `name`, or removes it if the value is nil.
    fileprivate mutating func set(
        _ name: String, to value: String?, source: String?
    ) throws(ReviewError) {
        guard !name.isEmpty else {
            throw ReviewError(.invalidValue, "A field needs a name.")
        }
        let index = firstIndex { $0.name == name }
        switch (index, value) {
        case (let index?, let value?):
            self[index] = Field(name: name, value: value, source: source)
        case (let index?, nil): remove(at: index)
        case (nil, let value?): append(Field(name: name, value: value, source: source))
        case (nil, nil): throw ReviewError(.notThere, "There is no field '\(name)'.")
        }
    }
}
