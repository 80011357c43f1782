import CCurl
import HTTPClient

extension SinkDefinition.Kind {
    /// Messages with the document, through a mail server.
    public static let email = Self(
        "email", "sends the document in a message, through a mail server",
        reach: .network(["smtps", "smtp"]),
        settings: [
            SinkSetting(
                .url, "the mail server, smtp://host:587 with STARTTLS or smtps://host:465",
                isNeeded: true),
            SinkSetting(.user, "the name to sign in with"),
            SinkSetting(.password, "the user's password; with token-url, the client's secret"),
            SinkSetting(.token, "an OAuth2 token; with token-url, a refresh token"),
            .parameter("token-url", "where a refresh token is exchanged (OAuth2)"),
            .parameter("client-id", "the client that the refresh token belongs to"),
            .parameter("from", "the sender's address", isNeeded: true),
            .parameter("to", "the recipients' addresses, with commas between", isNeeded: true),
            .parameter("subject", "may contain {title}, {date} and so on; '{title}' unless given"),
            .parameter(
                "body", "the text; may contain {title}, {date} and so on; '{title}' unless given"),
            .parameter(
                "max-size",
                "the largest message, in megabytes; too-large says what happens to larger ones"),
            .parameter(
                "too-large",
                "refuse unless given; split sends the files in several messages, shrink makes pictures smaller",
                choices: ["refuse", "split", "shrink"]),
            .encryption, .authority,
        ],
        example: .init(
            "--url", "smtp://mail.example:587", "--user", "ada", "--password-file", "password",
            "--parameter", "from=scans@example.org", "--parameter", "to=ada@example.org"),
        check: { (sink) throws(DeliveryError) in try EmailDeliverer.check(sink) }
    ) { (definition, tools) throws(DeliveryError) in
        EmailDeliverer(definition: definition, tools: tools)
    }
}

/// Sends a document by SMTP (RFC 5321), through libcurl.
///
/// Each message has the same Message-ID at every try. If a server's answer to a whole message is
/// lost, the message is sent again, and the receipt notes that it may have arrived twice.
struct EmailDeliverer: Deliverer {
    let definition: SinkDefinition
    let tools: DeliveryTools

    static func check(_ sink: SinkDefinition) throws(DeliveryError) {
        for address in addresses(sink.parameter("to") ?? "") { try check(address: address) }
        guard !addresses(sink.parameter("to") ?? "").isEmpty else {
            throw DeliveryError(
                .invalidOption, "The message has no recipient: add --parameter to=ADDRESS")
        }
        try check(address: sink.parameter("from") ?? "")
        for name in ["subject", "body"] {
            if let text = sink.parameter(name) { try NameTemplate(text).check() }
        }
        if let size = sink.parameter("max-size") {
            guard let number = Int(size), (1...1000).contains(number) else {
                throw DeliveryError(
                    .invalidOption,
                    "max-size is '\(size.prefix(20))': give megabytes from 1 to 1000."
                )
            }
        }
        if sink.parameter("too-large") == "shrink",
            !["jpg", "jpeg", "pdf"].contains(sink.fileFormat)
        {
            throw DeliveryError(
                .invalidOption,
                "Only the pictures of PDFs and JPEG files can be made smaller until they fit, not those of the format '\(sink.fileFormat)': add --format pdf or --format jpg"
            )
        }
        if let url = sink.parameter("token-url") {
            _ = try WebAddress(sink: url)
            guard sink.token != nil else {
                throw DeliveryError(
                    .invalidOption, "A token-url needs the refresh token: add --token-file FILE")
            }
        }
        guard sink.token == nil || sink.user != nil else {
            throw DeliveryError(
                .invalidOption, "A token needs the mailbox it is for: add --user ADDRESS")
        }
    }

    /// Checks that a text is an address that can be part of a command: one `@`, ASCII, and no
    /// character that would end the address.
    static func check(address: String) throws(DeliveryError) {
        let parts = address.split(separator: "@", omittingEmptySubsequences: false)
        let isAddress =
            parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && address.utf8.count <= 254
            && address.utf8.allSatisfy {
                (33...126).contains($0) && !"<>()[],;:\\\"".utf8.contains($0)
            }
        guard isAddress else {
            throw DeliveryError(
                .invalidOption,
                "'\(address.prefix(80))' is not an e-mail address, such as ada@example.org.")
        }
    }

    static func addresses(_ text: String) -> [String] {
        text.split(separator: ",").map { $0.filter { $0 != " " } }.filter { !$0.isEmpty }
    }

    func attempt(
        _ item: inout OutboxItem, in folder: String,
        save: (OutboxItem) throws(DeliveryError) -> Void
    ) throws(DeliveryError) -> DeliveryAttempt {
        let messages: [MailMessage]
        do {
            messages = try self.messages(&item, in: folder)
        } catch {
            return error.attempt
        }
        for (index, message) in messages.enumerated().dropFirst(item.sentFiles) {
            let source = try MailSource(message)
            var order: CurlTransfer.Order
            do {
                order = try self.order()
            } catch {
                return error.attempt
            }
            order.texts.append((CURLOPT_MAIL_FROM, "<\(message.sender)>"))
            order.lists.append((CURLOPT_MAIL_RCPT, message.recipients.map { "<\($0)>" }))
            order.source = source
            let doubt = PossibleRepeat(&item)
            try save(item)
            let ending = try CurlTransfer(definition, tools).perform(order)
            guard ending.isDone else {
                // An answer is certain; without one, a message that was sent completely may have
                // arrived.
                if ending.status >= 400 || !source.isAtEnd { doubt.settle(&item) }
                return tooLarge(for: ending) ?? ending.obstacle(host)
            }
            if doubt.isThere { item.progress["twice"] = "yes" }
            item.progress["trying"] = nil
            item.progress["sent"] = String(index + 1)
            try save(item)
        }
        var notes: [String] = []
        if item.progress["twice"] != nil {
            notes.append("The message may have arrived twice, with the same Message-ID.")
        }
        if let side = item.progress["smaller"] {
            notes.append("The pictures were made smaller to fit: \(side) pixels at most.")
        }
        return .delivered(
            RemoteReceipt(
                location: (messages.first?.recipients ?? []).map { "mailto:" + $0 }
                    .joined(separator: ", "),
                remoteID: messages.first?.id, notes: notes))
    }

    private var host: String {
        WebAddress.ifValid(definition.url ?? "", schemes: definition.kind.schemes)?.origin ?? ""
    }

    /// The settings of every transfer: the server, and the credentials.
    private func order() throws(Obstacle) -> CurlTransfer.Order {
        var order = CurlTransfer.Order(url: definition.url ?? "")
        definition.secure(&order)
        if let user = definition.user { order.texts.append((CURLOPT_USERNAME, user)) }
        if definition.token != nil {
            let token = try BearerTokens.shared.token(definition, tools)
            order.texts.append((CURLOPT_XOAUTH2_BEARER, token))
            order.secrets = definition.secrets(besides: [token])
        } else if let password = definition.password {
            order.texts.append((CURLOPT_PASSWORD, password))
        }
        return order
    }

    /// The messages that a document becomes: one, or as many as their maximum size requires.
    private func messages(
        _ item: inout OutboxItem, in folder: String
    ) throws(Obstacle) -> [MailMessage] {
        let values = NameTemplate.values(of: item, counter: 1)
        let whole: MailMessage
        do {
            whole = MailMessage(
                sender: definition.parameter("from") ?? "",
                recipients: Self.addresses(item.recipient ?? definition.parameter("to") ?? ""),
                subject: try NameTemplate(definition.parameter("subject") ?? "{title}").words(
                    values),
                body: try NameTemplate(definition.parameter("body") ?? "{title}").words(values)
                    + "\r\n",
                date: item.created,
                mark: item.id + "." + (item.files.first?.sha256.prefix(16) ?? ""),
                files: item.files.map { (folder + "/" + $0.name, $0.name, $0.mediaType, $0.bytes) })
        } catch {
            throw Obstacle(.refused(error.message))
        }
        guard let most = definition.parameter("max-size").flatMap(Int.init).map({ $0 * 1_000_000 }),
            whole.length > most
        else { return [whole] }
        if definition.parameter("too-large") == "shrink" {
            let smaller: (message: MailMessage, side: Int)?
            do {
                smaller = try whole.withSmallerPictures(in: folder, most: most)
            } catch {
                // An encrypted or signed PDF never gets smaller.
                throw Obstacle(
                    error.code == .invalidOption
                        ? .refused(tooLong(whole, most) + " " + error.message + ".")
                        : .later(error.message, after: nil))
            }
            guard let smaller else { throw tooLarge(whole, most) }
            item.progress["smaller"] = String(smaller.side)
            return [smaller.message]
        }
        guard definition.parameter("too-large") == "split" else { throw tooLarge(whole, most) }
        var messages: [MailMessage] = []
        for file in whole.files {
            var longer = messages.last ?? whole
            longer.files = (messages.last?.files ?? []) + [file]
            if !messages.isEmpty && longer.length <= most {
                messages[messages.count - 1] = longer
                continue
            }
            longer.files = [file]
            guard longer.length <= most else { throw tooLarge(longer, most) }
            longer.mark = "\(whole.mark).\(messages.count + 1)"
            messages.append(longer)
        }
        for index in messages.indices {
            messages[index].subject += " (\(index + 1)/\(messages.count))"
        }
        return messages
    }

    private func tooLarge(_ message: MailMessage, _ most: Int) -> Obstacle {
        let isTried = definition.parameter("too-large") == "shrink"
        return Obstacle(
            .refused(
                tooLong(message, most)
                    + (isTried
                        ? " Its pictures would be too small to be read. Send fewer pages at once, or one picture a page with --format jpg and --parameter too-large=split"
                        : " Have its pictures made smaller with --parameter too-large=shrink, or send one picture a page with --format jpg and --parameter too-large=split")
            ))
    }

    /// Advice about a message that is larger than the server accepts (RFC 1870, 6.1).
    private func tooLarge(for ending: CurlTransfer.Ending) -> DeliveryAttempt? {
        guard ending.status == 552 else { return nil }
        return .refused(
            "\(host) does not take a message as large as this\(ForeignWords.quoted(ending.answer)). Give the megabytes that it takes with --parameter max-size, and what to do with larger documents with --parameter too-large"
        )
    }

    private func tooLong(_ message: MailMessage, _ most: Int) -> String {
        "The message would have \(message.length) bytes, more than max-size=\(most / 1_000_000) allows."
    }

    /// Signs in, and sends nothing.
    func test() throws(DeliveryError) -> String {
        var order: CurlTransfer.Order
        do {
            order = try self.order()
        } catch {
            throw error.error
        }
        order.numbers.append((CURLOPT_CONNECT_ONLY, 1))
        let ending = try CurlTransfer(definition, tools).perform(order)
        guard ending.isDone else { throw Obstacle(ending.obstacle(host)).error }
        return definition.user == nil
            ? "\(host) answers" : "\(host) lets '\(definition.user ?? "")' in"
    }
}
