import AtelierProtocol
import Encodings
import JSON
import Receipts
import SimulatedShops
import Support
import Testing

@Suite("A damaged receipt")
struct FuzzTests {
  @Test("a damaged receipt of Apple's is refused, or still the same purchase", arguments: 0..<40 as Range<UInt64>)
  func apple(seed: UInt64) async throws {
    var mutation = Mutation(seed: seed)
    let store = try AppleStore.shared.get()
    let verifier = try store.verifier()
    let good = try store.transaction()
    let purchase = try await verifier.verify(.apple(good), for: AppleStore.account, at: AppleStore.now)
    for _ in 0..<25 {
      let receipt = String(decoding: mutation.damaged(Array(good.utf8)), as: UTF8.self)
      let answer = try? await verifier.verify(.apple(receipt), for: AppleStore.account, at: AppleStore.now)
      #expect(answer == nil || answer == purchase, "seed \(seed)")
    }
  }

  @Test("a receipt of Apple's is refused when one part was damaged and the rest fits", arguments: 0..<40 as Range<UInt64>)
  func appleParts(seed: UInt64) async throws {
    var mutation = Mutation(seed: seed)
    let store = try AppleStore.shared.get()
    let verifier = try store.verifier()
    let good = try store.transaction()
    let (purchase, parts) = (
      try await verifier.verify(.apple(good), for: AppleStore.account, at: AppleStore.now),
      try good.parts.map(Base64URLText.bytes)
    )
    for _ in 0..<15 {
      var damaged = parts
      let part = mutation.number(below: damaged.count)
      damaged[part] = mutation.damaged(damaged[part])
      let receipt = damaged.map(\.base64URL).joined(separator: ".")
      let answer = try? await verifier.verify(.apple(receipt), for: AppleStore.account, at: AppleStore.now)
      #expect(answer == nil || answer == purchase, "seed \(seed)")
    }
  }

  @Test("a receipt of Apple's with a damaged certificate is refused", arguments: 0..<40 as Range<UInt64>)
  func appleCertificates(seed: UInt64) async throws {
    var mutation = Mutation(seed: seed)
    let store = try AppleStore.shared.get()
    let verifier = try store.verifier()
    let chain = try store.chain().map { try $0.der }
    for _ in 0..<10 {
      var damaged = chain
      let position = mutation.number(below: chain.count)
      damaged[position] = mutation.damaged(chain[position])
      guard damaged != chain else { continue }
      let receipt = try store.transaction(x5c: .array(damaged.map { .string(Base64.encoded($0)) }))
      let answer = try? await verifier.verify(.apple(receipt), for: AppleStore.account, at: AppleStore.now)
      #expect(answer == nil, "seed \(seed)")
    }
  }

  @Test("a damaged receipt that the store signed nevertheless never gets past the rules", arguments: 0..<40 as Range<UInt64>)
  func signedNonsense(seed: UInt64) async throws {
    var mutation = Mutation(seed: seed)
    let (store, play) = (try AppleStore.shared.get(), try GooglePlay.shared.get())
    let verifier = PurchaseRegistry([try store.verifier(), try play.verifier()])
    let header = try Base64URLText.bytes(store.transaction().parts[0])
    let payload = JSONValue.object(store.payload).serialized()
    for _ in 0..<10 {
      let text = String(decoding: mutation.damaged(Array(play.text.utf8)), as: UTF8.self)
      let receipts: [PurchaseProof] = [
        .apple(try store.transaction(header, mutation.damaged(payload))), try play.receipt(text),
      ]
      for receipt in receipts {
        guard let purchase = try? await verifier.verify(receipt, for: AppleStore.account, at: AppleStore.now) else {
          continue
        }
        #expect(AppleStore.productIDs.contains(purchase.productID), "seed \(seed)")
        #expect((1...1000).contains(purchase.quantity), "seed \(seed)")
        #expect(!purchase.transactionID.isEmpty && purchase.replayKey.utf8.count <= 150, "seed \(seed)")
      }
    }
  }

  @Test("a damaged receipt of Google's is refused", arguments: 0..<40 as Range<UInt64>)
  func google(seed: UInt64) async throws {
    var mutation = Mutation(seed: seed)
    let play = try GooglePlay.shared.get()
    let verifier = try play.verifier()
    let (text, signature) = (play.text, try play.signature(of: play.text, by: play.key))
    for round in 0..<25 {
      var receipt = (text: Array(text.utf8), signature: Array(signature.utf8))
      if round.isMultiple(of: 2) {
        receipt.text = mutation.damaged(receipt.text)
      } else {
        receipt.signature = mutation.damaged(receipt.signature)
      }
      guard receipt.text != Array(text.utf8) || receipt.signature != Array(signature.utf8) else { continue }
      let proof = PurchaseProof.google(
        String(decoding: receipt.text, as: UTF8.self), signature: String(decoding: receipt.signature, as: UTF8.self))
      let answer = try? await verifier.verify(proof, for: GooglePlay.account, at: AppleStore.now)
      #expect(answer == nil, "seed \(seed)")
    }
  }

  @Test("a receipt of random bytes is refused", arguments: 0..<20 as Range<UInt64>)
  func noise(seed: UInt64) async throws {
    var mutation = Mutation(seed: seed)
    let verifier = PurchaseRegistry([try AppleStore.shared.get().verifier(), try GooglePlay.shared.get().verifier()])
    for _ in 0..<50 {
      let bytes = (0..<mutation.number(below: 300)).map { _ in UInt8(mutation.number(below: 256)) }
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(await verifier.refusal(of: .apple(text)) != nil)
      #expect(await verifier.refusal(of: .apple("\(bytes.base64URL).\(bytes.base64URL).")) != nil)
      #expect(await verifier.refusal(of: .google(text, signature: Base64.encoded(bytes))) != nil)
    }
  }
}

@Suite("A receipt with hostile numbers")
struct HostileReceiptTests {
  @Test("a receipt with hostile numbers is refused, or keeps to the rules, signed or not", arguments: HostileInput.numbers)
  func numbers(text: String) async throws {
    let (store, play) = (try AppleStore.shared.get(), try GooglePlay.shared.get())
    let verifier = PurchaseRegistry([try store.verifier(), try play.verifier()])
    let number = JSONValue.number(try #require(JSONNumber(text: text)))
    let header = try Base64URLText.bytes(store.transaction().parts[0])
    var receipts: [PurchaseProof] = []
    for member in Set(store.payload.keys + ["expiresDate", "revocationDate", "webOrderLineItemId"]) {
      var payload = store.payload
      payload[member] = number
      let bytes = JSONValue.object(payload).serialized()
      let signed = try store.transaction(header, bytes)
      receipts.append(.apple(signed))
      // The header and the payload are read before any signature is.
      receipts.append(.apple(signed.parts.prefix(2).joined(separator: ".") + ".AAAA"))
    }
    for member in ["alg", "x5c", "kid"] {
      let bytes = JSONValue.object([member: number]).serialized()
      receipts.append(.apple(try store.transaction(bytes, JSONValue.object(store.payload).serialized())))
    }
    for member in Set(play.purchase.keys + ["expiryTimeMillis", "autoRenewing"]) {
      var purchase = play.purchase
      purchase[member] = number
      let text = JSONValue.object(purchase).serializedText
      receipts += [try play.receipt(text), .google(text, signature: "AAAA")]
    }
    for receipt in receipts {
      guard let purchase = try? await verifier.verify(receipt, for: AppleStore.account, at: AppleStore.now) else {
        continue
      }
      #expect((1...1000).contains(purchase.quantity))
      for time in [purchase.purchasedAt, purchase.expiresAt, purchase.revokedAt].compactMap({ $0 }) {
        #expect(Timestamp.range.contains(time))
        #expect(time.adding(months: 1) > time)
      }
    }
  }
}
