import CurlHTTP
import Testing

@Suite("A client", .timeLimit(.minutes(1)))
struct ClientLifeTests {
  @Test("a client that is closed ends what is under way, and refuses what comes later")
  func closed() async throws {
    let reports = Reports<String>()
    let server = try RawServer { connection in
      _ = connection.readRequest()
      reports.add("there")
      connection.waitForEnd()
      reports.add("end")
    }
    defer { server.close() }
    let client = CurlClient()
    let task = Task { try await client.perform(HTTPRequest(.get, server.url, limits: .generous)) }
    #expect(try await reports.next() == "there")
    client.close()
    #expect(try await reports.next() == "end")
    let running = await #expect(throws: HTTPError.self) { try await task.value }
    #expect(running?.cause == .unusable)
    #expect(running?.mayHaveBeenSent == true)
    let later = await #expect(throws: HTTPError.self) { try await client.perform(HTTPRequest(.get, server.url)) }
    #expect(later?.cause == .unusable)
    #expect(later?.mayHaveBeenSent == false)
    client.warmUp()
    client.close()
  }

  @Test("a client that nobody holds any more closes its connections")
  func released() async throws {
    let ends = Reports<Void>()
    let server = try RawServer { connection in
      while connection.readRequest() != nil { connection.respond() }
      ends.add(())
    }
    defer { server.close() }
    do {
      let client = CurlClient()
      _ = try await client.perform(HTTPRequest(.get, server.url))
      #expect(ends.all.isEmpty)
    }
    try await ends.next()
  }

  @Test("a client lets its connections go when it has been idle, and makes new ones")
  func idle() async throws {
    let ends = Reports<Void>()
    let server = try RawServer { connection in
      while connection.readRequest() != nil { connection.respond() }
      ends.add(())
    }
    defer { server.close() }
    let client = CurlClient(CurlSettings(proxy: .none, idleTime: .milliseconds(20)))
    for round in 1...3 {
      #expect(try await client.perform(HTTPRequest(.get, server.url)).status == 200)
      try await ends.next()
      #expect(server.connectionCount == round)
    }
  }

  @Test("a client can be warmed up ahead, often, and then works")
  func warm() async throws {
    let server = try RawServer { connection in
      while connection.readRequest() != nil { connection.respond() }
    }
    defer { server.close() }
    let client = CurlClient()
    for _ in 0..<10 { client.warmUp() }
    #expect(try await client.perform(HTTPRequest(.get, server.url)).status == 200)
    client.warmUp()
  }

  @Test("a client does its work beside others: fifty at once, each with a thread of its own")
  func beside() async throws {
    let server = try RawServer { connection in
      while let request = connection.readRequest() { connection.respond(200, "", request.target) }
    }
    defer { server.close() }
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<50 {
        group.addTask {
          let client = CurlClient()
          defer { client.close() }
          let response = try await client.perform(HTTPRequest(.get, "\(server.url)/\(number)", limits: .generous))
          return response.body == Array("/\(number)".utf8)
        }
      }
      for try await isRight in group { #expect(isRight) }
    }
  }

  @Test("a client reads from the environment whom to trust, as the curl command does", arguments: [
    ([:], nil, nil),
    (["SSL_CERT_FILE": "/f"], "/f", nil),
    (["SSL_CERT_DIR": "/d"], nil, "/d"),
    (["SSL_CERT_FILE": "/f", "SSL_CERT_DIR": "/d"], "/f", "/d"),
    (["SSL_CERT_FILE": "/f", "SSL_CERT_DIR": "/d", "CURL_CA_BUNDLE": "/c"], "/c", nil),
    (["SSL_CERT_FILE": "", "SSL_CERT_DIR": "", "CURL_CA_BUNDLE": ""], nil, nil),
  ] as [([String: String], String?, String?)])
  func environment(variables: [String: String], file: String?, directory: String?) {
    let settings = CurlSettings(environment: variables)
    #expect(settings == CurlSettings(certificateFile: file, certificateDirectory: directory, proxy: .environment))
  }
}
