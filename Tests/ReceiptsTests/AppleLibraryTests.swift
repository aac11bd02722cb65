import AtelierProtocol
import Encodings
import JSON
import Support
import Testing

@Suite("Apple's own library")
struct AppleLibraryTests {
  private typealias Question = (vector: AppleVector, isAccepted: Bool)

  @Test("Apple's own library agrees on every receipt, or is laxer where the table says so", .timeLimit(.minutes(5)))
  func agrees() async throws {
    let questions = AppleVector.all.compactMap { vector -> Question? in
      switch vector.library {
      case .accepts, .laxer: (vector, true)
      case .refuses: (vector, false)
      case .notAsked: nil
      }
    }
    let answers = try await ask(questions.map(\.vector))
    #expect(answers.count == questions.count)
    for (question, answer) in zip(questions, answers) {
      #expect(answer == question.isAccepted, "\(question.vector.name)")
    }
  }

  @Test("Apple's own library accepts whatever is accepted here, and is called laxer only where it is")
  func table() {
    for vector in AppleVector.all {
      switch vector.library {
      case .accepts: #expect(vector.refusal == nil, "\(vector.name)")
      case .refuses, .laxer, .notAsked: #expect(vector.refusal != nil, "\(vector.name)")
      }
    }
    #expect(Set(AppleVector.all.map(\.name)).count == AppleVector.all.count)
  }

  private func ask(_ vectors: [AppleVector]) async throws -> [Bool] {
    let python = try await PythonEnvironment(with: "app-store-server-library", "3.1.2")
    let store = try AppleStore.shared.get()
    let receipts = try vectors.map { vector -> JSONValue in
      ["environment": .string(vector.libraryEnvironment), "receipt": .string(try vector.receipt())]
    }
    let question: JSONValue = [
      "root": .string(Base64.encoded(try store.trustedRoot.der)), "bundleId": .string(AppleStore.bundleID),
      "receipts": .array(receipts),
    ]
    let outcome = try await python.run(script: "check_app_store_server_library.py", input: question.serialized())
    try #require(outcome.isSuccess, "\(outcome.errors)")
    return try #require(try JSONValue(parsing: outcome.output.utf8).array).compactMap(\.bool)
  }
}
