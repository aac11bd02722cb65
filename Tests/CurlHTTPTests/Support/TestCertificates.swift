import Foundation

/// A certificate authority of the tests' own, and a server's certificate by it; made once, when first needed, in a
/// directory that goes with the process.
struct TestCertificates: Sendable {
  /// Nil when openssl or python3 is missing.
  static let made = make()

  let authority: String
  /// Trusted by nobody's certificate.
  let otherAuthority: String
  let certificate: String
  let key: String

  private static func make() -> TestCertificates? {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("certificates-\(UUID().uuidString)")
    let path = { (name: String) in directory.appendingPathComponent(name).path }
    do {
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      removeAtExit(directory.path)
      try Data("subjectAltName=DNS:provider.test,DNS:localhost,IP:127.0.0.1".utf8).write(
        to: directory.appendingPathComponent("names"))
      let newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
      for name in ["authority", "other"] {
        try run(
          "openssl", ["req", "-x509", "-days", "2", "-subj", "/CN=\(name)", "-keyout", path("\(name).key")] + newKey
            + ["-out", path("\(name).pem")])
      }
      try run(
        "openssl",
        ["req", "-subj", "/CN=server", "-keyout", path("server.key")] + newKey + ["-out", path("server.csr")])
      try run(
        "openssl", ["x509", "-req", "-days", "2", "-in", path("server.csr"), "-CA", path("authority.pem"), "-CAkey",
          path("authority.key"), "-CAcreateserial", "-extfile", path("names"), "-out", path("server.pem")])
      try run("python3", ["-c", "import ssl"])
    } catch {
      return nil
    }
    return TestCertificates(
      authority: path("authority.pem"), otherAuthority: path("other.pem"), certificate: path("server.pem"),
      key: path("server.key"))
  }

  private struct Failure: Error {}

  private static func run(_ command: String, _ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [command] + arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure() }
  }
}

// Written once, before the handler that reads it can run.
nonisolated(unsafe) private var directoryToRemove = ""

private func removeAtExit(_ path: String) {
  directoryToRemove = path
  atexit { try? FileManager.default.removeItem(atPath: directoryToRemove) }
}
