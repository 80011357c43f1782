import Documents
import FoundationEssentials
import HTTPServer
import Testing

@testable import Archive
@testable import Delivery
@testable import ScanService
@testable import WebServer

/// Tests every route with a token that sees only its own documents.
@Suite struct OwnDocumentsTests {
    /// What a route does with what the token may not see.
    private enum Decision: String {
        /// It answers that the thing does not exist.
        case hides
        /// It lists, counts or changes only what the token sees.
        case filters
        /// It has nothing of documents and jobs.
        case free
    }

    /// Every route that a token may use that sees only its own: such a token is never `admin`.
    ///
    /// `4` stands for the id of what belongs to someone else.
    private static let table = """
        GET /api/v1/documents filters
        GET /api/v1/search filters
        GET /api/v1/documents/{id} hides
        PATCH /api/v1/documents/{id} hides {"title": "Taken", "owner": "ada"}
        DELETE /api/v1/documents/{id} hides
        GET /api/v1/documents/{id}/history hides
        GET /api/v1/documents/{id}/suggestions hides
        GET /api/v1/documents/{id}/pages/{number} hides
        GET /api/v1/documents/{id}/pages/{number}/image hides
        GET /api/v1/documents/{id}/pages/{number}/thumbnail hides
        GET /api/v1/documents/{id}/export hides
        GET /api/v1/documents/{id}/originals/{number} hides
        POST /api/v1/documents/{id}/send hides {"sinks": ["shelf"]}
        POST /api/v1/documents/{id}/review hides {"save": true}
        POST /api/v1/documents/{id}/trash hides
        POST /api/v1/documents/{id}/restore hides
        POST /api/v1/documents/{id}/undo hides
        POST /api/v1/documents/{id}/redo hides
        GET /api/v1/images/{hash} hides
        POST /api/v1/bulk filters
        DELETE /api/v1/trash filters
        GET /api/v1/tags filters
        GET /api/v1/fields filters
        GET /api/v1/events filters
        GET /api/v1/workers filters
        GET /api/v1/arrivals filters
        GET /api/v1/jobs filters
        GET /api/v1/job-options free
        POST /api/v1/jobs free
        GET /api/v1/jobs/{id} hides
        DELETE /api/v1/jobs/{id} hides
        GET /api/v1/jobs/{id}/result hides
        POST /api/v1/jobs/{id}/stop hides
        POST /api/v1/jobs/{id}/answer hides {"goesOn": true}
        POST /api/v1/jobs/{id}/resume hides
        POST /api/v1/jobs/{id}/continue hides
        GET /api/v1/jobs/{id}/pages/{number}/thumbnail hides
        POST /api/v1/jobs/{id}/capture hides
        GET /api/v1/jobs/{id}/live hides
        GET /api/v1/jobs/{id}/live/frame hides
        GET /api/v1/jobs/{id}/live/events hides
        PUT /api/v1/jobs/{id}/live/region hides {"x": 0, "y": 0, "width": 1, "height": 1}
        POST /api/v1/previews free
        GET /api/v1/previews/{id} hides
        DELETE /api/v1/previews/{id} hides
        GET /api/v1/previews/{id}/picture hides
        GET /api/v1/outbox filters
        POST /api/v1/outbox/{id}/retry hides
        DELETE /api/v1/outbox/{id} hides
        POST /api/v1/uploads free
        GET /api/v1/about free
        GET /api/v1/devices free
        GET /api/v1/devices/{id} free
        GET /api/v1/devices/{id}/options free
        POST /api/v1/devices/{id}/check free
        GET /api/v1/shares free
        GET /api/v1/aliases free
        GET /api/v1/profiles free
        GET /api/v1/profiles/{name} free
        GET /api/v1/profiles/{name}/form free
        GET /api/v1/steps free
        GET /api/v1/languages free
        GET /api/v1/sinks free
        GET /api/v1/sink-kinds free
        POST /api/v1/sinks/{name}/test free
        """

    private struct Row {
        var method: String
        var path: String
        var decision: Decision
        var body: String

        /// The path with the ids of what belongs to someone else.
        func place(_ office: Office) -> [String] {
            path.split(separator: "/").map { part in
                switch part {
                case "{id}" where path.contains("/jobs/"): office.job
                case "{id}" where path.contains("/previews/"): office.preview
                case "{id}" where path.contains("/outbox/"): office.item
                case "{id}": office.bobs.description
                case "{hash}": office.picture
                case "{number}": "1"
                default: String(part)
                }
            }
        }
    }

    private static let rows = table.split(separator: "\n").compactMap { line -> Row? in
        let words = line.split(separator: " ", maxSplits: 3).map(String.init)
        return Decision(rawValue: words[2]).map {
            Row(
                method: words[0], path: words[1], decision: $0,
                body: words.count > 3 ? words[3] : "")
        }
    }

    /// A host with tokens of two people, and what belongs to one of them.
    private struct Office {
        let setup: ServerSetup
        let boss: String
        let ada: String
        let adas: DocumentID
        let bobs: DocumentID
        let picture: String
        let job: String
        let preview: String
        let item: String

        init() throws {
            setup = try ServerSetup()
            boss = try setup.tokens.make(name: "boss", scope: .admin)
            ada = try setup.tokens.make(name: "ada", sees: .own)
            _ = try setup.tokens.make(name: "bob", sees: .own)
            let archive = try Archive(folder: setup.folder + "/archive", .create)
            adas = try Self.add("Adas lease", to: archive, "ada")
            bobs = try Self.add("Bobs secret", to: archive, "bob")
            picture = try #require(try archive.archivedPage(1, of: bobs)).image.hexadecimal
            job = try Self.keepJob(in: setup.folder, "bob")
            try Self.keepJob(in: setup.folder, "ada")
            item = try Self.keepItem(in: setup.folder, "bob", "20260105-101500-abcdef")
            _ = try Self.keepItem(in: setup.folder, "ada", "20260105-101501-abcdef")
            preview = try setup.server.context.previews.begin(
                "no-such-device", source: nil, for: "bob"
            ).id
        }

        private static func user(_ name: String) -> ArchiveUser {
            ArchiveUser(name: name, station: "hall")
        }

        private static func add(
            _ title: String, to archive: Archive, _ name: String
        ) throws -> DocumentID {
            let addition = try archive.begin(
                DocumentInfo(title: title, created: 0, user: user(name)))
            try addition.add(
                NewPage(
                    page: Page(
                        number: 1, width: 6, height: 8, resolution: 100,
                        provenance: Provenance(device: "d", label: "l")),
                    image: Array(title.utf8), media: "image/jpeg",
                    thumbnail: Array("small \(title)".utf8)))
            let id = try addition.finish()
            try archive.perform(
                [.addTag(title), .setField(name: title, value: "1", source: nil)], on: id)
            return id
        }

        @discardableResult
        private static func keepJob(in folder: String, _ name: String) throws -> String {
            var order = ScanOrder(sources: [], outputs: [], profile: name)
            order.user = user(name)
            let kept = try JobStore(root: folder + "/spool").create(at: Date())
            try JobRecord(order, [], isRereadable: false, at: Date()).write(to: kept.path)
            kept.release()
            return kept.id
        }

        private static func keepItem(
            in folder: String, _ name: String, _ id: String
        ) throws -> String {
            var item = OutboxItem(
                id: id, sink: "shelf", title: "Letter of \(name)", created: 0, pages: 1, files: [])
            item.user = user(name)
            let store = OutboxStore(root: folder + "/outbox")
            try makePrivateFolder(store.folder(of: id))
            try store.save(item)
            return id
        }

        func answer(
            _ method: String, _ path: [String], _ token: String, body: String = "",
            query: [(name: String, value: String)] = []
        ) async -> (status: Int, text: String) {
            let head = ServerSetup.head(method, path, token: token, query: query)
            let answer = await setup.server.respond(
                to: HTTPRequest(head: head, body: .bytes(Array(body.utf8))))
            if case .stream(let stream) = answer.body { stream.finish() }
            guard case .bytes(let bytes) = answer.body else { return (answer.status, "") }
            return (answer.status, String(decoding: bytes, as: UTF8.self))
        }
    }

    @Test("Every route that such a token may use has a decision")
    func whole() throws {
        let setup = try ServerSetup()
        defer { setup.remove() }
        let usable = setup.server.router.routes.filter {
            [.scope(.read), .scope(.scan)].contains($0.access)
        }
        let there = usable.map { $0.method + " /" + $0.path.joined(separator: "/") }
        #expect(Set(there).symmetricDifference(Self.rows.map { $0.method + " " + $0.path }) == [])
        #expect(there.count == Self.rows.count)
        #expect(Self.rows.count == Self.table.split(separator: "\n").count)
    }

    @Test("What belongs to someone else is not there, also when another client was just told of it")
    func hidden() async throws {
        let office = try Office()
        defer { office.setup.remove() }
        for row in Self.rows where row.decision == .hides {
            let place = row.place(office)
            let isRead = row.method == "GET" && !row.path.contains("live")
            if isRead, row.path.contains("documents") || row.path.contains("images") {
                let told = await office.answer(row.method, place, office.boss)
                let isThere = told.status == 200 || row.path.contains("originals")
                #expect(isThere || told.text.contains("can't be read"), "\(row.path): \(told)")
            }
            let answer = await office.answer(row.method, place, office.ada, body: row.body)
            #expect(answer.status == 404, "\(row.method) \(row.path): \(answer)")
            // Nothing tells it from what never was.
            let id = place[place.count > 3 ? 3 : place.count - 1]
            var other = place
            other[3] = id == office.picture ? String(repeating: "0", count: 64) : "4711"
            let missing = await office.answer(row.method, other, office.ada, body: row.body)
            #expect(
                answer.text == missing.text.replacing(other[3], with: id),
                "\(row.method) \(row.path)")
            #expect(!answer.text.contains("secret"))
        }
        let whole = await office.answer("GET", ["api", "v1", "documents"], office.boss)
        #expect(whole.text.contains("Bobs secret") && whole.text.contains(#""total":2"#))
        #expect(JobStore(root: office.setup.folder + "/spool").jobs().count == 2)
    }

    @Test("Lists, counts and actions on many have only what the token sees")
    func filtered() async throws {
        let office = try Office()
        defer { office.setup.remove() }
        let api = ["api", "v1"]
        let reads: [(path: String, query: [(name: String, value: String)])] = [
            ("documents", []), ("search", [("q", "type:other")]), ("tags", []), ("fields", []),
        ]
        for (path, query) in reads {
            let all = await office.answer("GET", api + [path], office.boss, query: query)
            #expect(all.status == 200 && all.text.contains("Bobs secret"), "\(path): \(all)")
            let own = await office.answer("GET", api + [path], office.ada, query: query)
            #expect(own.status == 200 && own.text.contains("Adas lease"), "\(path): \(own)")
            #expect(!own.text.contains("Bob"), "\(path): \(own)")
        }
        let documents = await office.answer("GET", api + ["documents"], office.ada)
        #expect(documents.text.contains(#""total":1"#))
        #expect(documents.text.contains(#""owner":"ada""#))
        let jobs = await office.answer("GET", api + ["jobs"], office.ada)
        #expect(jobs.text.contains(#""profile":"ada""#) && !jobs.text.contains(office.job))
        let items = await office.answer("GET", api + ["outbox"], office.ada)
        #expect(items.text.contains("Letter of ada") && !items.text.contains("bob"))
        let workers = await office.answer("GET", api + ["workers"], office.ada)
        #expect(workers.status == 404 && workers.text.contains("not-shared"))
        let both = "[\(office.adas), \(office.bobs)]"
        let bulk = await office.answer(
            "POST", api + ["bulk"], office.ada,
            body: #"{"documents": "# + both + #", "action": "trash"}"#)
        #expect(bulk.text.contains(#""done":[\#(office.adas)]"#))
        #expect(bulk.text.contains(#""code":"no-such-document""#))
        _ = await office.answer(
            "POST", api + ["documents", "\(office.bobs)", "trash"], office.boss)
        let gone = await office.answer("DELETE", api + ["trash"], office.ada)
        #expect(gone.text == #"{"documents":[\#(office.adas)]}"#)
        let trash = await office.answer(
            "GET", api + ["documents"], office.boss, query: [("trash", "true")])
        #expect(trash.text.contains("Bobs secret"))
        let merged = await office.answer(
            "POST", api + ["documents", "\(office.adas)", "review"], office.ada,
            body: #"{"merge": \#(office.bobs)}"#)
        #expect(merged.status == 404)
    }

    @Test("Who scanned last from a shared device is for administrators")
    func shares() async throws {
        let office = try Office()
        defer { office.setup.remove() }
        let share =
            #"{"device": "test:1", "name": "Hall", "uuid": "u", "lastUse": {"time": 1700000000, "address": "192.0.2.99", "pages": 41}}"#
        try Data(#"{"shares": [\#(share)]}"#.utf8)
            .write(to: URL(filePath: office.setup.folder + "/shares.json"))
        let all = await office.answer("GET", ["api", "v1", "shares"], office.boss)
        #expect(all.text.contains("192.0.2.99") && all.text.contains("41"), "\(all)")
        let own = await office.answer("GET", ["api", "v1", "shares"], office.ada)
        #expect(own.status == 200 && own.text.contains("Hall"), "\(own)")
        for word in ["192.0.2.99", "last", "41"] { #expect(!own.text.contains(word), "\(own)") }
    }

    @Test("The history of everything is for administrators, who see everything")
    func history() async throws {
        let office = try Office()
        defer { office.setup.remove() }
        let api = ["api", "v1"]
        let renamed = await office.answer(
            "PATCH", api + ["documents", "\(office.adas)"], office.ada, body: #"{"title": "Rent"}"#)
        #expect(renamed.status == 200)
        let own = await office.answer(
            "GET", api + ["documents", "\(office.adas)", "history"], office.ada)
        #expect(own.text.contains(#""action":"changed","changes":["title"]"#))
        #expect(own.text.contains(#""name":"ada""#) && own.text.contains(#""title":"Rent""#))
        #expect(await office.answer("GET", api + ["history"], office.ada).status == 403)
        let all = await office.answer("GET", api + ["history"], office.boss)
        #expect(all.text.contains("Bobs secret") && all.text.contains("Rent"))
        let last = await office.answer(
            "GET", api + ["history"], office.boss, query: [("limit", "1")])
        #expect(last.text.contains("Rent") && !last.text.contains("Bobs secret"))
        let given = await office.answer(
            "PATCH", api + ["documents", "\(office.adas)"], office.ada, body: #"{"owner": "bob"}"#)
        #expect(given.status == 422)
        let moved = await office.answer(
            "PATCH", api + ["documents", "\(office.adas)"], office.boss, body: #"{"owner": "bob"}"#)
        #expect(moved.status == 200 && moved.text.contains(#""owner":"bob""#))
        let lost = await office.answer("GET", api + ["documents", "\(office.adas)"], office.ada)
        #expect(lost.status == 404)
    }

    @Test("A token says what it sees, and an administrator's sees everything")
    func tokens() async throws {
        let setup = try ServerSetup()
        defer { setup.remove() }
        let boss = try setup.tokens.make(name: "boss", scope: .admin)
        let path = ["api", "v1", "tokens"]
        let made = await setup.answer(
            "POST", path, token: boss, body: #"{"name": "ada", "sees": "own"}"#)
        #expect(made.status == 201 && made.text.contains(#""sees":"own""#))
        let refused = await setup.answer(
            "POST", path, token: boss, body: #"{"name": "eve", "scope": "admin", "sees": "own"}"#)
        #expect(refused.status == 422 && refused.text.contains("invalid-scope"))
        let unknown = await setup.answer(
            "POST", path, token: boss, body: #"{"name": "eve", "sees": "some"}"#)
        #expect(unknown.status == 400)
        let list = await setup.answer("GET", path, token: boss)
        #expect(list.text.contains(#""name":"ada","scope":"scan","sees":"own""#))
        #expect(throws: DeliveryError.self) {
            try setup.tokens.make(name: "eve", scope: .admin, sees: .own)
        }
        #expect(try setup.tokens.all().map(\.sees) == [.all, .own])
    }
}
