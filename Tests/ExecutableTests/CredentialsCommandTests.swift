import Foundation
import JSON
import Support
import ServiceFixture
import Testing

@Suite("The command line and the service, asked about keys", .timeLimit(.minutes(2)))
struct CredentialsCommandTests {
  private let directory: TemporaryDirectory
  private var data: String { "\(directory.path)/data" }
  private let key = "an-invented-key-piped-8888"
  private let other = "an-invented-key-other-9999"

  init() throws { directory = try TemporaryDirectory() }

  private func run(
    _ arguments: String..., environment: [String: String] = [:]
  ) async throws -> Executable.Outcome {
    try await Executable.run(["credentials"] + arguments + ["--data-dir", data], environment: environment)
  }

  /// Runs a command that reads `input`.
  private func run(
    _ arguments: [String], reading input: String, environment: [String: String] = [:]
  ) async throws -> Executable.Outcome {
    let file = "\(directory.path)/input-\(UUID())"
    try Data(input.utf8).write(to: URL(fileURLWithPath: file))
    return try await Executable.run(
      ["-c", "exec \"$@\" < \"$0\"", file, Executable.path] + arguments + ["--data-dir", data], program: "/bin/sh",
      environment: environment)
  }

  private func set(_ provider: String, _ input: String) async throws -> Executable.Outcome {
    try await run(["credentials", "set", provider], reading: input)
  }

  @Test("credentials set takes the first line of its input, whatever ends it", arguments: ["", "\n", "\r\n", "\nmore\n"])
  func piped(ending: String) async throws {
    let outcome = try await set("gemini", key + ending)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let file = "\(data)/credentials.json"
    #expect(outcome.lines == ["The key …8888 for gemini is kept in \(file), which only you can read."])
    #expect(outcome.errors.isEmpty)
    let status = try await run("status")
    #expect(status.lines == [
      "gemini: …8888 from \(file).", "openai: None. Set one with: atelier credentials set openai",
    ])
    let deleted = try await run("delete", "gemini")
    #expect(deleted.lines == ["The key for gemini is deleted."])
    #expect(try await run("delete", "gemini").lines == ["There was no key for gemini to delete."])
  }

  @Test("credentials set reads a key after a byte order mark, and names one in UTF-16 as that")
  func encodings() async throws {
    #expect(try await set("gemini", "\u{FEFF}\(key)\r\n").status == 0)
    #expect(try await run("status").lines.first == "gemini: …8888 from \(data)/credentials.json.")
    for encoding in [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian] {
      let file = "\(directory.path)/wide.txt"
      try "\(other)\r\n".write(toFile: file, atomically: true, encoding: encoding)
      let outcome = try await Executable.run(
        ["-c", "exec \"$@\" < \"$0\"", file, Executable.path, "credentials", "set", "gemini", "--data-dir", data],
        program: "/bin/sh")
      #expect(outcome.status == 1)
      #expect(outcome.errors == "atelier: The key on standard input is in UTF-16: save it as UTF-8 and try again.\n")
    }
    #expect(try await run("status").lines.first == "gemini: …8888 from \(data)/credentials.json.")
  }

  @Test("credentials status tells of a variable that holds a placeholder, whether or not a key is stored")
  func placeholder() async throws {
    let environment = ["GEMINI_API_KEY": "${GEMINI_API_KEY}"]
    let without = try await run("status", environment: environment)
    #expect(
      without.lines.first?.hasPrefix("gemini: The environment variable GEMINI_API_KEY holds the name of a variable") == true)
    #expect(try await set("gemini", key).status == 0)
    let with = try await run("status", environment: environment)
    #expect(with.lines.first?.hasPrefix("gemini: …8888 from \(data)/credentials.json. The environment variable") == true)
    for text in ["\"\(other)\"", "Bearer \(other)", "YOUR_API_KEY"] {
      let refused = try await set("gemini", text)
      #expect(refused.status == 1 && refused.errors.hasPrefix("atelier: This is no API key: it holds"))
      #expect(!refused.errors.contains(other))
    }
  }

  @Test("credentials set without a key, or with what is none, ends with 1 and one sentence", arguments: [
    ("", "No key came"), ("\nan-invented-key-late-1234", "This is no API key"), ("a b", "This is no API key"),
    (String(repeating: "k", count: 100_000), "This is no API key"),
  ])
  func noKey(input: String, sentence: String) async throws {
    let outcome = try await set("gemini", input)
    #expect(outcome.status == 1)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.hasPrefix("atelier: \(sentence)"))
    #expect(outcome.errors.split(separator: "\n").count == 1)
  }

  @Test("a key on the command line is refused with 2 and not repeated", arguments: [
    ["set", "gemini", "an-invented-key-piped-8888"], ["set", "gemini", "--key", "an-invented-key-piped-8888"],
    ["set", "gemini", "--key=an-invented-key-piped-8888"], ["set", "--key=an-invented-key-piped-8888", "gemini"],
    ["set", "gemini", "--", "an-invented-key-piped-8888"],
  ])
  func onTheCommandLine(arguments: [String]) async throws {
    let outcome = try await Executable.run(["credentials"] + arguments + ["--data-dir", data])
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("does not belong on the command line"))
    #expect(!(outcome.errors + outcome.output).contains(key))
    #expect(directory.files() == [])
  }

  @Test("a name that is no provider that takes a key is refused with 2 and not repeated, for it may be a key", arguments: [
    "set", "delete",
  ])
  func noProvider(verb: String) async throws {
    let outcome = try await run(verb, key)
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("gemini, openai"))
    #expect(!outcome.errors.contains(key))
    #expect(try await run(verb, "ondevice").status == 2)
  }

  @Test("the option --json gives the protocol's answers")
  func json() async throws {
    let set = try await run(["credentials", "set", "openai", "--json"], reading: key)
    #expect(try JSONValue(parsing: set.output.utf8) == ["provider": "openai", "source": "file", "masked": "…8888"])
    let status = try await run("status", "--json", environment: ["GOOGLE_API_KEY": other])
    let providers = try #require(JSONValue(parsing: status.output.utf8)["providers"])
    #expect(providers[0]?["source"] == "environment")
    #expect(providers[0]?["masked"] == "…9999")
    #expect(providers[0]?["environmentVariable"] == "GOOGLE_API_KEY")
    #expect(providers[1]?["source"] == "file")
    let deleted = try await run("delete", "openai", "--json", environment: ["OPENAI_API_KEY": other])
    let answer = try JSONValue(parsing: deleted.output.utf8)
    #expect(answer["deleted"] == true)
    #expect(answer["environmentVariable"] == "OPENAI_API_KEY")
  }

  @Test("the environment's key goes before, and who sets another is told so")
  func environment() async throws {
    let set = try await run(["credentials", "set", "gemini"], reading: key, environment: ["GEMINI_API_KEY": other])
    #expect(set.status == 0)
    #expect(set.errors.contains("GEMINI_API_KEY is set"))
    let status = try await run("status", environment: ["GEMINI_API_KEY": other])
    #expect(status.lines.first == "gemini: …9999 from the environment variable GEMINI_API_KEY.")
    let doctor = try await Executable.run(["doctor", "--data-dir", data], environment: ["GEMINI_API_KEY": other])
    #expect(doctor.lines.contains("✓ API key gemini: …9999 from the environment variable GEMINI_API_KEY."))
  }

  @Test("a file that is open to others is told by status and doctor, with the command that closes it")
  func openFile() async throws {
    _ = try await set("gemini", key)
    #expect(chmod("\(data)/credentials.json", 0o644) == 0)
    let status = try await run("status")
    #expect(status.output.contains("“chmod 600 \(data)/credentials.json”"))
    let doctor = try await Executable.run(["doctor", "--data-dir", data])
    #expect(doctor.status == 1)
    #expect(doctor.output.contains("✗ API key gemini: \(data)/credentials.json is open to other users"))
    #expect(try await run("delete", "gemini").status == 1)
  }

  @Test("a data directory that has nothing but keys yet is closed to others when it is used")
  func keysFirst() async throws {
    _ = try await set("gemini", key)
    #expect(chmod(data, 0o755) == 0)
    let history = try await Executable.run(["history", "--data-dir", data])
    #expect(history.status == 0, "\(history.errors)")
    #expect(try FileManager.default.attributesOfItem(atPath: data)[.posixPermissions] as? Int == 0o700)
    #expect(try await run("status").lines.first?.hasPrefix("gemini: …8888") == true)
  }

  @Test("a data directory that cannot be made ends credentials set with 3")
  func noDirectory() async throws {
    let file = "\(directory.path)/file"
    try Data(key.utf8).write(to: URL(fileURLWithPath: file))
    let outcome = try await Executable.run(
      ["-c", "exec \"$@\" < \"$0\"", file, Executable.path, "credentials", "set", "gemini", "--data-dir", "\(file)/x"],
      program: "/bin/sh")
    #expect(outcome.status == 3)
    #expect(outcome.errors.contains(file))
  }

  @Test("two processes that set keys at the same time lose none", arguments: 0..<5)
  func together(round: Int) async throws {
    async let gemini = set("gemini", "\(key)-\(round)\(round)\(round)")
    async let openai = set("openai", "\(other)-\(round)\(round)\(round)")
    #expect(try await [gemini.status, openai.status] == [0, 0])
    let status = try await run("status")
    #expect(status.lines.filter { $0.contains("…-\(round)\(round)\(round)") }.count == 2, "\(status.output)")
  }

  @Test("a key set over the wire is in no answer, log, trace or file but its own, and the next process has it")
  func wire() async throws {
    let trace = "\(directory.path)/trace"
    let service = try ServiceProcess(["--data-dir", data, "--trace", trace, "--log-level", "trace"])
    _ = try await service.host.call(1, "credentials/status")
    let set = try await service.host.call(2, "credentials/set", ["provider": "gemini", "key": .string(key)])
    #expect(set?["result"]?["source"] == "file")
    let spaced: JSONValue = ["provider": "gemini", "key": .string("\(other) x")]
    let refused = try await service.host.call(3, "credentials/set", spaced)
    #expect(refused?["error"]?["data"]?["kind"] == "invalid_api_key")
    let misplaced = try await service.host.call(4, "credentials/set", ["provider": "x", "key": .string(other)])
    #expect(misplaced?["error"]?["data"]?["kind"] == "unsupported_by_provider")
    // Another process's change is seen by this one at once.
    #expect(try await self.set("gemini", other).status == 0)
    let status = try await service.host.call(5, "credentials/status")
    #expect(status?["result"]?["providers"]?[0]?["masked"] == "…9999")
    _ = await service.finish()

    let wire = String(decoding: service.host.received, as: UTF8.self)
    let log = await service.errorText
    let mirror = try String(contentsOfFile: trace, encoding: .utf8)
    #expect(mirror.contains(#""key":"*secret*""#))
    #expect(log.contains("credentials/set"))
    for text in [wire, log, mirror] { #expect(!text.contains(key) && !text.contains(other)) }
    for file in directory.files(below: "data") where file != "credentials.json" {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(data)/\(file)"))
      #expect(bytes.range(of: Data(key.utf8)) == nil && bytes.range(of: Data(other.utf8)) == nil, "\(file)")
    }
  }
}
