import AtelierProtocol
import Foundation
import JSON
import Support
import Testing

/// One request and what must come of it.
struct BadInput: Sendable, CustomTestStringConvertible {
  enum Outcome: Sendable {
    case works
    /// An application error.
    case refused(ErrorKind)
    /// −32602 about the member at this JSON Pointer.
    case invalid(String)
  }

  var name: String
  var method: String
  /// JSON; `FOLDER` stands for the folder of ``PhotoFolder``.
  var params: String
  var outcome: Outcome

  var testDescription: String { name }

  /// Any request.
  static func ask(_ name: String, _ method: String, _ params: String, _ outcome: Outcome) -> BadInput {
    BadInput(name: name, method: method, params: params, outcome: outcome)
  }

  static func generate(_ name: String, _ params: String, _ outcome: Outcome) -> BadInput {
    ask(name, "generate", params, outcome)
  }

  /// A headshot of a photo in the folder.
  static func photo(_ name: String, _ file: String, _ outcome: Outcome) -> BadInput {
    generate(name, #"{"recipe":"headshot","image":{"path":"FOLDER/\#(file)"}}"#, outcome)
  }

  /// A photo in the folder for `image/prepare`.
  static func prepare(_ name: String, _ file: String, _ outcome: Outcome) -> BadInput {
    ask(name, "image/prepare", #"{"image":{"path":"FOLDER/\#(file)"}}"#, outcome)
  }

  /// A headshot of a good photo, with more members.
  static func headshot(_ name: String, _ members: String, _ outcome: Outcome) -> BadInput {
    generate(name, #"{"recipe":"headshot","image":{"path":"FOLDER/face.jpg"},\#(members)}"#, outcome)
  }

  /// Asks, and compares the answer with what must come.
  /// - Parameter secrets: what no answer may tell.
  func check(on service: ServiceChild, folder: String, secrets: [String]) async throws {
    let text = params.replacing("FOLDER", with: folder)
    let id = service.ask(method, try JSONValue(parsing: Array(text.utf8)))
    let answer = try await service.answer(to: id)
    guard let error = answer["error"] else {
      guard case .works = outcome else {
        Issue.record("\(name): it was done instead of refused")
        return
      }
      expectPictures(in: answer)
      return
    }
    let message = error["message"]?.string ?? ""
    for fault in Sentence.faults(in: message, secrets: secrets) { Issue.record("\(name): \(fault): \(message)") }
    let whole = error.text
    for secret in secrets where whole.contains(secret) { Issue.record("\(name): \(whole) gives away \(secret)") }
    switch outcome {
    case .works: Issue.record("\(name): \(whole)")
    case .refused(let kind): expect(kind, in: error, id)
    case .invalid(let path):
      #expect(error["code"]?.int64 == -32602, "\(name): \(whole)")
      #expect(error["data"]?["path"]?.string == path, "\(name): \(whole)")
      #expect(error["data"]?["expected"]?.string?.isEmpty == false, "\(name): \(whole)")
    }
  }

  private func expectPictures(in answer: JSONValue) {
    for image in answer["result"]?["images"]?.array ?? [] {
      let bytes = image["path"]?.string.flatMap { try? Data(contentsOf: URL(fileURLWithPath: $0)) }
      #expect(bytes.map { Int64($0.count) } == image["bytes"]?.int64, "\(name): \(image.text)")
      // A whole JPEG (ITU-T T.81, B.1.1.3): start of image, end of image.
      let isWhole = bytes?.prefix(2) == Data([0xFF, 0xD8]) && bytes?.suffix(2) == Data([0xFF, 0xD9])
      #expect(isWhole, "\(name): \(image.text)")
    }
  }

  private func expect(_ kind: ErrorKind, in error: JSONValue, _ id: Int) {
    let data = error["data"]
    let whole = error.text
    #expect(data?["kind"]?.string == kind.rawValue, "\(name): \(whole)")
    #expect(error["code"]?.int64 == Int64(kind.code), "\(name): \(whole)")
    #expect(data?["retryable"]?.bool == kind.isRetryable, "\(name): \(whole)")
    #expect(data?["requestId"]?.int64 == Int64(id), "\(name): \(whole)")
    #expect(data?["timestamp"]?.string?.hasSuffix("Z") == true, "\(name): \(whole)")
    #expect(data?["details"]?.object != nil, "\(name): \(whole)")
  }
}
