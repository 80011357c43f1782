import Documents

/// The archive's tables, step by step.
///
/// A step that has been released is never changed; a change is always a new step. In tables without
/// rowid the key's columns come first: SQLite 3.40's integrity check misreads others.
enum ArchiveSchema {
    static let steps = [
        Migration(purpose: "documents, captured pages and their images", script: documents),
        Migration(
            purpose: "full-text search over the pages as they are now", script: search,
            fill: fillIndex),
        Migration(
            purpose: "the history of every document", script: history,
            fill: fillHistory),
        Migration(purpose: "fields and entries to look up by, and receipts", script: fields),
        Migration(purpose: "which job a document came from", script: deliveries),
        Migration(
            purpose: "an index that knows spellings and ideographs", script: spelledIndex,
            fill: refillIndex),
        Migration(purpose: "the pictures that pages were cut from", script: uncutPictures),
        Migration(purpose: "the imported files that pages are of", script: originals),
        Migration(purpose: "pages in other looks", script: looks),
        Migration(purpose: "owners of documents, and who did what", script: owners),
    ]

    /// ``SchemaGuard/digest(of:)`` after all steps, which saves making a second database with them.
    static let digest = "2a05ee75bfded9d8b9c2e0fa82011e8877d72d258c977b73fce2c145ea7e5af7"

    /// `page` is the captured page and never changes; `leaf` is the page in its present document.
    private static let documents: StaticString = """
        CREATE TABLE image (
            hash BLOB PRIMARY KEY CHECK (length(hash) = 32),
            bytes INTEGER NOT NULL,
            media TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE document (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            title TEXT NOT NULL,
            type TEXT NOT NULL,
            note TEXT NOT NULL,
            language TEXT,
            created REAL NOT NULL,
            added REAL NOT NULL,
            changed REAL NOT NULL,
            trashed REAL,
            saved INTEGER NOT NULL DEFAULT 0,
            pages INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX document_created ON document (created);
        CREATE TABLE page (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            image BLOB NOT NULL REFERENCES image (hash),
            thumbnail BLOB REFERENCES image (hash),
            width INTEGER NOT NULL,
            height INTEGER NOT NULL,
            resolution REAL NOT NULL,
            text BLOB,
            provenance TEXT NOT NULL,
            problems TEXT NOT NULL
        ) STRICT;
        CREATE INDEX page_image ON page (image);
        CREATE INDEX page_thumbnail ON page (thumbnail);
        CREATE TABLE leaf (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            document INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
            position INTEGER NOT NULL,
            page INTEGER NOT NULL REFERENCES page (id),
            UNIQUE (document, page)
        ) STRICT;
        CREATE INDEX leaf_page ON leaf (page);
        CREATE TABLE tag (
            document INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
            name TEXT NOT NULL,
            position INTEGER NOT NULL,
            PRIMARY KEY (document, name)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX tag_name ON tag (name, document);
        """

    /// The index holds the pages of documents that are not in the trash.
    ///
    /// `body` is the page's text with hyphenated words joined, `broken` those words as they are
    /// printed, `about` the document's title, note and fields, at its first page. Rows are written
    /// by ``LeafWriter``, not by triggers, since the trash, too, makes and removes index rows.
    private static let search: StaticString = """
        ALTER TABLE leaf ADD COLUMN body TEXT NOT NULL DEFAULT '';
        ALTER TABLE leaf ADD COLUMN broken TEXT NOT NULL DEFAULT '';
        ALTER TABLE leaf ADD COLUMN about TEXT NOT NULL DEFAULT '';
        ALTER TABLE leaf ADD COLUMN indexed INTEGER NOT NULL DEFAULT 0;
        CREATE VIEW searchable AS SELECT id, body, broken, about FROM leaf WHERE indexed = 1;
        CREATE VIRTUAL TABLE search USING fts5 (
            body, broken, about,
            content = 'searchable', content_rowid = 'id', prefix = '2 3', tokenize = 'unicode61 \
            remove_diacritics 2'
        );
        INSERT INTO search (search, rank) VALUES ('rank', 'bm25(1.0, 1.0, 4.0)');
        """

    /// The tables for undo and redo: `change` lists a document's changes.
    ///
    /// `holding` has the pages that a document has or had, which are therefore kept. A leaf's
    /// `frame` is empty for a whole page that is not turned, and `corrected` marks that its text is
    /// in the history, so that a search need not read any.
    private static let history: StaticString = """
        ALTER TABLE document ADD COLUMN original TEXT NOT NULL DEFAULT '';
        ALTER TABLE document ADD COLUMN done INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE document ADD COLUMN first INTEGER NOT NULL DEFAULT 1;
        ALTER TABLE leaf ADD COLUMN frame TEXT NOT NULL DEFAULT '';
        ALTER TABLE leaf ADD COLUMN corrected INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE change (
            document INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
            number INTEGER NOT NULL,
            made REAL NOT NULL,
            actions TEXT NOT NULL,
            PRIMARY KEY (document, number)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE holding (
            document INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
            page INTEGER NOT NULL REFERENCES page (id),
            PRIMARY KEY (document, page)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX holding_page ON holding (page);
        """

    private static let fields: StaticString = """
        CREATE TABLE field (
            document INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
            entry INTEGER NOT NULL,
            name TEXT NOT NULL,
            value TEXT NOT NULL,
            source TEXT,
            PRIMARY KEY (document, entry, name)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX field_value ON field (name, value);
        CREATE TABLE receipt (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            document INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
            sink TEXT NOT NULL,
            place TEXT NOT NULL,
            made REAL NOT NULL,
            hash TEXT,
            remote TEXT
        ) STRICT;
        CREATE INDEX receipt_document ON receipt (document);
        """

    /// A job's document is found again by the job and its number of pages, so that a repeated
    /// delivery adds nothing.
    private static let deliveries: StaticString = """
        CREATE TABLE delivery (
            job TEXT NOT NULL,
            pages INTEGER NOT NULL,
            document INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
            PRIMARY KEY (job, pages)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX delivery_document ON delivery (document);
        CREATE UNIQUE INDEX receipt_place ON receipt (document, sink, place);
        """

    /// The same index with a tokenizer of the program's own, ``FoldingTokenizer``.
    private static let spelledIndex: StaticString = """
        DROP TABLE search;
        CREATE VIRTUAL TABLE search USING fts5 (
            body, broken, about,
            content = 'searchable', content_rowid = 'id', prefix = '2 3', tokenize = 'copystand'
        );
        INSERT INTO search (search, rank) VALUES ('rank', 'bm25(1.0, 1.0, 4.0)');
        """

    /// A page's `uncut` is the page with the captured picture that it is a part of, which matches
    /// it after `uncut_turn`.
    private static let uncutPictures: StaticString = """
        ALTER TABLE page ADD COLUMN uncut INTEGER REFERENCES page (id);
        ALTER TABLE page ADD COLUMN uncut_turn INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX page_uncut ON page (uncut) WHERE uncut IS NOT NULL;
        CREATE TRIGGER holding_uncut AFTER INSERT ON holding BEGIN
            INSERT OR IGNORE INTO holding (document, page)
            SELECT NEW.document, uncut FROM page WHERE id = NEW.page AND uncut IS NOT NULL;
        END;
        """

    /// A page of an imported file, which is among the images: its `number` in it from 1, the `area`
    /// that the picture shows (JSON), how similar the two are (``FilePage/Likeness``), and the
    /// words that the file's page lacks.
    private static let originals: StaticString = """
        ALTER TABLE document ADD COLUMN title_given INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE origin (
            page INTEGER PRIMARY KEY REFERENCES page (id) ON DELETE CASCADE,
            file BLOB NOT NULL REFERENCES image (hash),
            name TEXT NOT NULL,
            number INTEGER NOT NULL,
            area TEXT,
            likeness INTEGER NOT NULL,
            added BLOB
        ) STRICT;
        CREATE INDEX origin_file ON origin (file);
        """

    /// A page in another look (``PageLook``) is a page of its own; `plain` is the page from which
    /// it was made.
    private static let looks: StaticString = """
        ALTER TABLE page ADD COLUMN plain INTEGER REFERENCES page (id);
        ALTER TABLE page ADD COLUMN look TEXT;
        CREATE INDEX page_plain ON page (plain) WHERE plain IS NOT NULL;
        CREATE TRIGGER holding_plain AFTER INSERT ON holding BEGIN
            INSERT OR IGNORE INTO holding (document, page)
            SELECT NEW.document, plain FROM page WHERE id = NEW.page AND plain IS NOT NULL;
        END;
        """

    /// A document without an owner is everyone's.
    ///
    /// `audit` has no reference to `document`, since its entries outlive the documents. Triggers
    /// keep them from being changed.
    private static let owners: StaticString = """
        ALTER TABLE document ADD COLUMN owner TEXT;
        CREATE TABLE audit (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            made REAL NOT NULL DEFAULT ((julianday('now') - 2440587.5) * 86400.0),
            name TEXT,
            station TEXT NOT NULL,
            action TEXT NOT NULL,
            detail TEXT,
            document INTEGER NOT NULL,
            title TEXT NOT NULL
        ) STRICT;
        CREATE INDEX audit_document ON audit (document, id);
        CREATE TRIGGER audit_unchanged BEFORE UPDATE ON audit BEGIN
            SELECT RAISE(ABORT, 'entries of the history are only added');
        END;
        CREATE TRIGGER audit_kept BEFORE DELETE ON audit BEGIN
            SELECT RAISE(ABORT, 'entries of the history are only added');
        END;
        """

    /// Indexes the pages that are older than the index.
    private static func fillIndex(_ database: Connection) throws {
        let leaves = try database.all(
            """
            SELECT leaf.id, page.text, iif(leaf.position = 0, document.title, ''), \
            document.trashed IS NULL
            FROM leaf JOIN page ON page.id = leaf.page JOIN document ON document.id = leaf.document
            """
        ) {
            (
                leaf: try $0.integer(0), text: $0.isNull(1) ? nil : try $0.blob(1),
                about: try $0.text(2), isLive: try $0.integer(3) != 0
            )
        }
        for found in leaves {
            let text = found.text.flatMap(PageTextCoding.decode).map(SearchText.init)
            try database.run(
                "UPDATE leaf SET body = ?, broken = ?, about = ?, indexed = ? WHERE id = ?",
                [
                    .text(text?.body ?? ""), .text(text?.broken ?? ""), .text(found.about),
                    .integer(found.isLive ? 1 : 0), .integer(found.leaf),
                ])
        }
        try database.run("INSERT INTO search (search) VALUES ('rebuild')")
    }

    /// Joins the words of all pages by today's rules, and indexes them.
    private static func refillIndex(_ database: Connection) throws {
        for number in try database.all("SELECT id FROM document", [], { try $0.integer(0) }) {
            let document = try database.see(number)
            // A document whose history is damaged keeps its text as it was; 'archive check' names
            // it.
            let known = salvaged { try HistoryTable(database).load(document).current }
            guard let review = known else { continue }
            try LeafWriter(database, document: document, isIndexed: true).rewriteTexts(review)
        }
        try database.run("INSERT INTO search (search) VALUES ('rebuild')")
    }

    /// Makes a document's present state its original.
    private static func fillHistory(_ database: Connection) throws {
        let documents = try database.all("SELECT id, title, type, note FROM document") {
            (
                id: try $0.integer(0), title: try $0.text(1), type: try $0.text(2),
                note: try $0.text(3)
            )
        }
        for document in documents {
            let pages = try database.all(
                """
                SELECT page.id, page.width, page.height FROM leaf JOIN page ON page.id = leaf.page
                WHERE leaf.document = ? ORDER BY leaf.position
                """, [.integer(document.id)]
            ) {
                ReviewedPage(
                    id: PageID(rawValue: try $0.integer(0)), width: try $0.int(1),
                    height: try $0.int(2))
            }
            var original = Review(
                title: document.title, type: DocumentType(rawValue: document.type) ?? .other,
                pages: pages)
            original.note = document.note
            original.tags = try database.all(
                "SELECT name FROM tag WHERE document = ? ORDER BY position",
                [.integer(document.id)]
            ) { try $0.text(0) }
            try HistoryTable(database).begin(database.see(document.id), original)
        }
    }
}
