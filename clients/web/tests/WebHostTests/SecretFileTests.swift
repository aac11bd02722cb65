import POSIX
import Support
import Testing

@testable import WebHost

@Suite("A file with secrets of the operator")
struct SecretFileTests {
  private let folder: TemporaryDirectory
  private let uptime = SharedState<Int64>(0)
  private let told = SharedState<[String]>([])
  private var path: String { "\(folder.path)/secret" }

  private static let one = [UInt8](repeating: 0, count: 24)
  private static let other = [UInt8](repeating: 4, count: 48)
  private static let oneText = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
  private static let otherText = "BAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE"

  init() throws { folder = try TemporaryDirectory() }

  private func write(_ text: String, permissions: UInt32 = 0o600) throws {
    try FileSystem.replace(path, with: Array(text.utf8), temporary: "\(path).new", permissions: permissions)
  }

  private func secretFile() throws -> SecretFile {
    try SecretFile(path, of: "public/sessionKeyFile", uptimeMs: { [uptime] in uptime.value }) { [told] line in
      told.change { $0.append(line) }
    }
  }

  @Test("a file holds one secret or several, with an empty line between them", arguments: [
    ("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", [one]), ("whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\r\n", [one]),
    ("\n \nAAAAAAAAAAAAAAAA\nAAAAAAAAAAAAAAAA\n", [one]),
    ("\(otherText)\n\n\(oneText)\n", [other, one]), ("\(oneText)\n \t\n\nwhsec_\(otherText)\n\n", [one, other]),
  ])
  func texts(text: String, secrets: [[UInt8]]) async throws {
    try write(text)
    #expect(try await secretFile().all() == secrets)
  }

  @Test("a file without a fit secret is refused", arguments: [
    "", "\n", "AAAA", "no base64!", "\(oneText)\n\nAAAA", "\(oneText)\n\n?", "whsec_", "\(oneText)\u{e9}",
  ])
  func unfit(text: String) throws {
    try write(text)
    let fault = try #require(throws: ConfigurationFault.self) { try secretFile() }
    #expect(fault.member == "public/sessionKeyFile" && fault.problem.hasPrefix("must hold at least 24 random bytes"))
    #expect(told.value.isEmpty)
  }

  @Test("a file that was replaced counts at once; one that cannot be used leaves what was there, and is told once")
  func replaced() async throws {
    try write(Self.oneText)
    let file = try secretFile()
    try write("\(Self.otherText)\n\n\(Self.oneText)")
    #expect(try await file.all() == [Self.other, Self.one])
    try write(Self.otherText)
    #expect(try await file.all() == [Self.other])
    try write(Self.oneText, permissions: 0o644)
    for _ in 0..<3 {
      #expect(try await file.all() == [Self.other])
      uptime.change { $0 += 60_000 }
    }
    try FileSystem.remove(path)
    #expect(try await file.all() == [Self.other])
    #expect(told.value.count == 2 && told.value[0].contains("/public/sessionKeyFile names a file that others can read"))
    #expect(told.value[1].contains("cannot be read: No such file or directory"))
    try write(Self.oneText)
    #expect(try await file.all() == [Self.one])
  }

  @Test("a proof is looked for with the secrets that were known, then with those in the file")
  func proofs() async throws {
    try write(Self.oneText)
    let file = try secretFile()
    let asked = SharedState<[[[UInt8]]]>([])
    let proof: @Sendable ([[UInt8]]) -> Int? = { secrets in
      asked.change { $0.append(secrets) }
      return secrets.contains(Self.other) ? secrets.count : nil
    }
    #expect(try await file.proving(proof) == nil)
    // The same secrets prove nothing more.
    #expect(asked.value == [[Self.one]])
    try write("\(Self.oneText)\n\n\(Self.otherText)")
    #expect(try await file.proving(proof) == 2)
  }
}
