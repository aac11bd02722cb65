import Foundation
import Glibc
import JSON
import Support
import Testing

/// A folder with a photo and a data directory, and the requests and looks that fault tests share.
struct Scene: Sendable {
  let folder: TemporaryDirectory
  let data: String
  let output: String
  private let photo: String

  init() throws {
    folder = try TemporaryDirectory()
    data = try folder.makeFolder("data")
    output = try folder.makeFolder("output")
    photo = try folder.write("face.jpg", try Fixture.bytes("images/face.jpg"))
  }

  var image: JSONValue { ["path": .string(photo)] }

  /// The params of a headshot of the photo, which is made each time.
  func headshot(_ members: JSONObject = [:]) -> JSONValue {
    var params: JSONObject = ["recipe": "headshot", "image": image, "cache": "bypass"]
    for (name, value) in members { params[name] = value }
    return .object(params)
  }

  /// A service on the data directory.
  func service(
    _ arguments: [String] = [], launcher: [String] = [], executable: String = ServiceExecutable.path,
    isRead: Bool = true
  ) throws -> ServiceChild {
    try ServiceChild(
      dataDirectory: data, arguments, launcher: launcher, executable: executable, isRead: isRead)
  }

  /// Records an issue for everything that does not hold of the data directory.
  func expectOrder(processes: Int, _ name: String = "") throws {
    let audit = DataDirectoryAudit(path: data)
    for finding in try audit.findings(processes: processes) { Issue.record("\(name): \(finding)") }
  }

  func expectHeadshot(by service: ServiceChild, _ name: String = "") async throws {
    let answer = try await service.call("generate", headshot())
    #expect(answer["result"]?["state"] == "succeeded", "\(name): \(answer.text)")
  }

  /// What a new service says of a generation.
  func state(of generation: String) async throws -> String? {
    let service = try service()
    let answer = try await service.call("status", ["generationId": .string(generation)])
    #expect(try await service.finished() == .exited(0))
    return answer["result"]?["state"]?.string
  }
}

extension ServiceChild {
  /// The id of the generation that the request `id` began, as soon as it is told.
  func generation(of id: Int) async throws -> String {
    let progress = try await notification("generation/progress") { $0["requestId"]?.int64 == Int64(id) }
    return progress["generationId"]?.string ?? ""
  }

  /// Waits until the generation of the request `id` has come to `phase`.
  func reached(_ phase: String, of id: Int) async throws {
    _ = try await notification("generation/progress") {
      $0["requestId"]?.int64 == Int64(id) && $0["phase"]?.string == phase
    }
  }

  /// The worker, if one runs or has not been collected.
  var workers: [ServiceProcessTable.Entry] { ServiceProcessTable.children(of: processID) }
}
