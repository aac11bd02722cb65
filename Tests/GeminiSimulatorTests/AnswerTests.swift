import Encodings
import JSON
import Testing

@testable import GeminiSimulator

@Suite("The faults inside an answer", .timeLimit(.minutes(2)))
struct AnswerTests {
  @Test("Every name is unlike the others, found again, and told in a line")
  func names() {
    let names = Fault.allCases.map(\.name)
    #expect(Set(names).count == names.count)
    for fault in Fault.allCases {
      #expect(Fault(name: fault.name) == fault)
      #expect(!fault.summary.isEmpty && !fault.summary.contains("\n"))
    }
  }

  @Test("An HTTP error has the status of its name, and a body that says the same", arguments: ErrorFault.allCases)
  func errors(_ fault: ErrorFault) async throws {
    try await withSimulator { simulator in
      simulator.enqueue(.error(fault))
      let response = try await simulator.exchange(.generate(prompt: "x"))
      #expect(response.status == Int(fault.rawValue.prefix(3)))
      try #require(!simulator.requests.isEmpty)
      #expect(simulator.requests[0].fault == fault.rawValue)
      switch fault {
      case .emptyBody: #expect(response.body.isEmpty)
      case .badGateway, .tooLarge: #expect(response.text.contains("<html") && (try? response.json) == nil)
      case .array: #expect(try response.json[0]?["error"]?["code"] == 503)
      case .insideSuccess: #expect(response.error?["code"] == 503)
      default:
        #expect(response.error?["code"]?.int64 == Int64(response.status))
        #expect(response.error?["message"]?.string?.isEmpty == false)
        #expect(response.error?["status"]?.string?.isEmpty == false)
      }
    }
  }

  @Test(
    "Quotas are told apart as the API tells them",
    arguments: [
      (ErrorFault.quotaMinute, "26s", ["PerMinute"]), (.quotaMinuteFraction, "45.837906927s", ["PerMinute"]),
      (.quotaDay, "36s", ["PerDay"]), (.quotaZero, "26s", ["PerMinute"]),
      (.quotaThree, "17.403283s", ["PerDay", "PerMinute", "PerMinute"]),
    ])
  func quotas(_ fault: ErrorFault, _ delay: String, _ periods: [String]) async throws {
    try await withSimulator { simulator in
      simulator.enqueue(.error(fault))
      let error = try #require(try await simulator.exchange(.generate(prompt: "x")).error)
      func detail(_ type: String) -> JSONValue? {
        error["details"]?.array?.first { $0["@type"]?.string == "type.googleapis.com/google.rpc.\(type)" }
      }
      #expect(detail("RetryInfo")?["retryDelay"]?.string == delay)
      let violations = detail("QuotaFailure")?["violations"]?.array ?? []
      #expect(violations.count == periods.count)
      for (violation, period) in zip(violations, periods) {
        #expect(violation["quotaId"]?.string?.contains(period) == true)
      }
      let isZero = fault == .quotaZero || fault == .quotaThree
      #expect(error["message"]?.string?.contains("limit: 0, model: \(RawRequest.model)") == isZero)
      #expect(violations.allSatisfy { ($0["quotaValue"] == "0") == isZero })
    }
  }

  @Test("A candidate ends for the reason named", arguments: FinishReason.allCases)
  func finishReasons(_ reason: FinishReason) async throws {
    try await withSimulator { simulator in
      let response = try await simulator.exchange(.generate(prompt: "x [[fault:finish:\(reason.rawValue)]]"))
      #expect(response.status == 200)
      #expect(try response.json["candidates"]?[0]?["finishReason"]?.string == reason.rawValue)
      #expect(try response.pictures.isEmpty == !reason.bringsImage)
    }
  }

  @Test("A blocked prompt has a reason and no candidates", arguments: BlockReason.allCases)
  func blockReasons(_ reason: BlockReason) async throws {
    try await withSimulator { simulator in
      let response = try await simulator.exchange(.generate(prompt: "x [[fault:block:\(reason.rawValue)]]"))
      #expect(try response.json["promptFeedback"]?["blockReason"]?.string == reason.rawValue)
      #expect(try response.json["candidates"] == nil)
      #expect(try response.json["usageMetadata"]?["candidatesTokenCount"] == 0)
    }
  }

  /// What an answer is like that is no plain success.
  static let answers: [(AnswerFault, @Sendable (RawResponse) throws -> Bool)] = [
    (.noImage, { try $0.parts.map { $0["text"] } == ["Here is your picture."] }),
    (.noCandidates, { try $0.json["candidates"] == nil && $0.json["promptFeedback"] == nil }),
    (.emptyCandidates, { try $0.json["candidates"] == [] }),
    (.noContent, { try $0.json["candidates"]?[0]?["content"] == nil && $0.json["candidates"]?[0] != nil }),
    (.emptyContent, { try $0.json["candidates"]?[0]?["content"] == [:] }),
    (.noParts, { try $0.json["candidates"]?[0]?["content"] == ["role": "model"] }),
    (.onlyThoughtImage, { try $0.pictures.isEmpty && $0.parts.contains { $0["inlineData"] != nil } }),
    (.thoughtImage, { try $0.pictures.count == 1 && $0.parts.count { $0["inlineData"] != nil } == 2 }),
    (.twoImages, { try $0.pictures.map { PictureMarker(in: $0)?.index } == [0, 1] }),
    (.twoCandidates, { try $0.json["candidates"]?.array?.count == 2 }),
    (.jpeg, { try isPicture($0, .jpeg, calledAs: .jpeg) }),
    (.webp, { try isPicture($0, .webp, calledAs: .webp) }),
    (.saysPNGIsJPEG, { try isPicture($0, .jpeg, calledAs: .png) }),
    (.saysJPEGIsPNG, { try isPicture($0, .png, calledAs: .jpeg) }),
    (.saysPNGIsWebP, { try isPicture($0, .webp, calledAs: .png) }),
    (.noMimeType, { try isPicture($0, .png, calledAs: nil) }),
    (.urlSafeBase64, { try $0.encodedPictures[0].contains { "-_".contains($0) } }),
    (.unpaddedBase64,
      { try !$0.encodedPictures[0].hasSuffix("=") && Base64.decodedLeniently($0.encodedPictures[0]) != nil }),
    (.unknownFields, { try isPicture($0, .png, calledAs: .png) && $0.json["somethingNew"] != nil }),
    (.noUsage, { try $0.json["usageMetadata"] == nil && isPicture($0, .png, calledAs: .png) }),
    (.noUsageDetails, { try $0.json["usageMetadata"]?["candidatesTokensDetails"] == nil }),
    (.noSignatures, { try $0.parts.allSatisfy { $0["thoughtSignature"] == nil } }),
    (.hugeSignature, { try $0.parts[1]["thoughtSignature"]?.string?.utf8.count ?? 0 > 1 << 20 }),
    (.noFinishReason, { try $0.json["candidates"]?[0]?["finishReason"] == nil && $0.pictures.count == 1 }),
    (.otherModelVersion, { try $0.json["modelVersion"]?.string == RawRequest.model + "-002" }),
    (.truncatedBase64, { try Decoded.base64($0.encodedPictures[0]) == nil }),
    (.invalidBase64, { try Decoded.base64($0.encodedPictures[0]) == nil }),
    (.truncatedPicture, { try !PictureEncoding.png.isComplete($0.pictures[0]) }),
    (
      .truncatedJPEG,
      { try PictureEncoding(of: $0.pictures[0]) == .jpeg && !PictureEncoding.jpeg.isComplete($0.pictures[0]) }
    ),
    (.notAnImage, { try PictureEncoding(of: $0.pictures[0]) == nil }),
    (.emptyImage, { try $0.encodedPictures == [""] }),
    (.enormousHeader, { try PNGReader($0.pictures[0]).size == PictureSize(width: 60000, height: 60000) }),
    (.fileData, { try $0.parts.contains { $0["fileData"]?["fileUri"]?.string?.hasPrefix("https://") == true } }),
    (.html, { $0.text.hasPrefix("<!DOCTYPE html>") }),
    (.notJSON, { $0.text == "OK\n" }),
    (.truncatedJSON, { (try? $0.json) == nil && $0.text.hasPrefix("{") && $0.body.count > 1000 }),
    (.emptyBody, { $0.body.isEmpty }),
    (.array, { try $0.json[0]?["candidates"] != nil }),
    (.deepJSON, { $0.body.count == 200_000 && (try? $0.json) == nil }),
    (.wrongTypes, { try $0.json["candidates"] == 7 }),
  ]

  @Test("Every fault that is answered with 200 is there, once")
  func allAnswers() {
    #expect(Self.answers.map(\.0.rawValue).sorted() == AnswerFault.allCases.map(\.rawValue).sorted())
  }

  @Test("An answer has the fault it was asked for", arguments: AnswerFault.allCases)
  func answer(_ fault: AnswerFault) async throws {
    let hasIt = try #require(Self.answers.first { $0.0 == fault }?.1)
    try await withSimulator { simulator in
      let good = try await simulator.exchange(.generate(prompt: "x"))
      #expect(try !hasIt(good), "a good answer must not have it")
      simulator.enqueue(.answer(fault))
      let response = try await simulator.exchange(.generate(prompt: "x"))
      #expect(response.status == 200)
      #expect(try hasIt(response), "\(response.text.prefix(500))")
    }
  }

  private static func isPicture(
    _ response: RawResponse, _ format: PictureEncoding, calledAs name: PictureEncoding?
  ) throws -> Bool {
    let part = try response.parts.first { $0["inlineData"] != nil }
    guard part?["inlineData"]?["mimeType"]?.string == name?.rawValue, let picture = try response.pictures.first else {
      return false
    }
    return PictureEncoding(of: picture) == format && format.isComplete(picture)
      && PictureMarker(in: picture)?.prompt == PictureMarker.fingerprint(of: "x")
  }
}
