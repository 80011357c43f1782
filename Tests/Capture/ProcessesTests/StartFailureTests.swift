import CaptureKit
import Foundation
import Glibc
import Testing

@testable import Processes

/// Tests that the error for a program that can't be started names the cause and a remedy.
@Suite struct StartFailureTests {
    struct Case: Sendable {
        var head: [UInt8]
        var mode: mode_t = 0o755
        var failure: Int32
        var words: String
    }

    static let cases = [
        Case(
            head: Array("#!/usr/bin/pyhton4\n".utf8), failure: ENOENT,
            words: "its interpreter '/usr/bin/pyhton4'"),
        Case(head: Array("#!/bin/sh\r\necho\r\n".utf8), failure: ENOENT, words: "as on Windows"),
        Case(head: Array("#!\n".utf8), failure: ENOEXEC, words: "names no interpreter"),
        Case(
            head: Array("#!/bin/sh\n".utf8), mode: 0o644, failure: EACCES, words: "chmod +x"),
        Case(head: Array("print('hello')\n".utf8), failure: ENOEXEC, words: "begins with '#!'"),
        Case(head: [0x7F, 0x45, 0x4C, 0x46, 2, 1], failure: ENOEXEC, words: "kind of processor"),
        Case(head: [0x7F, 0x45, 0x4C, 0x46, 2, 1], failure: ENOENT, words: "another system"),
        Case(head: Array("#!/bin/sh\n".utf8), failure: ENOMEM, words: "memory"),
    ]

    @Test("The message names the mistake in the manifest", arguments: cases)
    func named(_ one: Case) throws {
        let path = FileManager.default.temporaryDirectory.path + "/start-\(UUID().uuidString)"
        try Data(one.head).write(to: URL(fileURLWithPath: path))
        defer { unlink(path) }
        chmod(path, one.mode)
        // Even root can't execute a file without any execute permission.
        #expect(StartFailure.words(path, one.failure).contains(one.words))
    }

    @Test(
        "An interpreter that 'env' would not find is named before the start",
        arguments: [
            ("nodx\n", "its interpreter 'nodx'"), ("-S nodx --flag\n", "its interpreter 'nodx'"),
            ("sh -e\n", "env -S sh -e"), ("sh\r\n", "as on Windows"), ("sh\n", nil),
            ("-S A=1 sh -e\n", nil), ("-i sh\n", nil), ("/bin/sh\n", nil),
        ] as [(String, String?)])
    func byEnv(_ rest: String, _ words: String?) throws {
        let path = FileManager.default.temporaryDirectory.path + "/start-\(UUID().uuidString)"
        try Data("#!/usr/bin/env \(rest)".utf8).write(to: URL(fileURLWithPath: path))
        defer { unlink(path) }
        let found = StartFailure.words(path, variables: ["A=1", "PATH=/nowhere:/usr/bin:/bin"])
        #expect(
            words == nil ? found == nil : found?.contains(words ?? "") == true, "\(found ?? "")")
        // If PATH is not set, `env` uses a default.
        let isWindows = rest.hasSuffix("\r\n")
        #expect((StartFailure.words(path, variables: []) == nil) != isWindows)
    }

    @Test("A program that is missing is reported in the system's words")
    func missing() {
        #expect(StartFailure.words("/nowhere/x", ENOENT).contains("No such file"))
    }

    @Test("A script with the line ends of Windows is reported as such when it is started")
    func started() async throws {
        let path = FileManager.default.temporaryDirectory.path + "/start-\(UUID().uuidString)"
        try Data("#!/bin/sh\r\nexit 0\r\n".utf8).write(to: URL(fileURLWithPath: path))
        defer { unlink(path) }
        chmod(path, 0o755)
        let (ours, theirs) = try OwnedDescriptor.socketPair()
        defer { withExtendedLifetime(ours) {} }
        do throws(ChildProcess.SpawnFailure) {
            _ = try ChildProcess(program: path, socket: theirs) { _ in }
            Issue.record("it was started")
        } catch {
            #expect(error.message.contains("as on Windows"), "\(error.message)")
        }
    }
}
