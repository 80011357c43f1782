public import Documents

extension Archive {
    /// A page in another look, as actions on its document; its text, crop and turn stay.
    ///
    /// The original stays in the archive, and a look that was made before is used again.
    ///
    /// - Parameters:
    ///   - look: the look; nil for the original.
    ///   - make: makes the picture from the original's file, in the same size.
    /// - Returns: no action when the page already has that look.
    /// - Throws: ``ArchiveError``: `refused` for a page that is not in `review`; errors of `make`.
    public func showing(
        _ page: PageID, as look: PageLook?, of review: Review,
        make: (PageLook, [UInt8]) throws -> PagePicture
    ) throws -> [ReviewAction] {
        guard let shown = review.pages.first(where: { $0.id == page }) else {
            throw ArchiveError(.refused, "The page \(page.rawValue) is not in this document.")
        }
        let (plain, known) = try access { database in
            try database.read {
                try database.expectShown(page)
                let plain = try PageTable(database).load(page).plain ?? page
                let known = try look.map { try Self.page(plain, in: $0, database) } ?? plain
                return (plain, known)
            }
        }
        guard let other = try known ?? look.map({ try add($0, of: plain, make: make) }),
            other != page
        else { return [] }
        var result = ReviewedPage(id: other, width: shown.frame.width, height: shown.frame.height)
        result.frame = shown.frame
        result.text = shown.text
        return [.replace(page: page, by: result)]
    }

    private static func page(
        _ plain: PageID, in look: PageLook, _ database: any ArchiveDatabase
    ) throws -> PageID? {
        try database.first(
            "SELECT id FROM page WHERE plain = ? AND look = ?",
            [.integer(plain.rawValue), .text(look.rawValue)]
        ) { PageID(rawValue: try $0.integer(0)) }
    }

    private func add(
        _ look: PageLook, of plain: PageID, make: (PageLook, [UInt8]) throws -> PagePicture
    ) throws -> PageID {
        let row = try access { try PageTable($0).load(plain) }
        let picture = try make(look, images.read(row.image))
        // The hold lasts until the page with the images exists.
        let hold = try holdImages()
        defer { withExtendedLifetime(hold) {} }
        let image = ImageHash(of: picture.image)
        let small = picture.thumbnail.map { (hash: ImageHash(of: $0), bytes: $0) }
        var new = [NewImage(hash: image, bytes: picture.image.count, media: picture.media)]
        if let small {
            new.append(NewImage(hash: small.hash, bytes: small.bytes.count, media: "image/jpeg"))
        }
        try hold.note(new)
        try images.add(picture.image, as: image)
        if let small { try images.add(small.bytes, as: small.hash) }
        return try access { database in
            try database.write {
                if let known = try Self.page(plain, in: look, database) { return known }
                try Addition.insert(
                    image, picture.image.count, media: picture.media, database: database)
                if let small {
                    try Addition.insert(
                        small.hash, small.bytes.count, media: "image/jpeg", database: database)
                }
                return PageID(
                    rawValue: try database.insert(
                        """
                        INSERT INTO page (id, image, thumbnail, width, height, resolution, text, \
                        provenance, problems, uncut, uncut_turn, plain, look)
                        SELECT ?, ?, ?, width, height, resolution, text, provenance, problems, uncut, \
                        uncut_turn, id, ? FROM page WHERE id = ?
                        """,
                        [
                            database.pageKey(besides: plain.rawValue), .blob(image.bytes),
                            .blob(small?.hash.bytes), .text(look.rawValue),
                            .integer(plain.rawValue),
                        ]))
            }
        }
    }
}
