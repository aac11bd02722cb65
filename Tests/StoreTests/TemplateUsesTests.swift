import AtelierProtocol
import Testing

@testable import Store

@Suite("The uses of templates")
struct TemplateUsesTests {
  let fixture: StoreFixture
  init() throws { fixture = try StoreFixture() }

  private func use(
    _ template: String?, as state: GenerationState = .succeeded, isPrivate: Bool = false, in store: Store
  ) async throws {
    var acceptance = fixture.acceptance(recipe: .hairstyle, isPrivate: isPrivate)
    acceptance.request["templateId"] = template.map { .string($0) }
    let id = try await store.begin(acceptance)
    if state == .succeeded {
      try await store.succeed(id, with: Array("\(id)".utf8))
    } else {
      _ = try await store.finish(Settlement(id: id, state: state))
    }
  }

  @Test("the uses of templates are counted with the end of what delivered pictures and is not private")
  func counted() async throws {
    let store = try await fixture.open()
    #expect(try await store.templateUses().counts.isEmpty)
    try await use("bob", in: store)
    try await use("crop", in: store)
    try await use("bob", in: store)
    try await use("bob", as: .failed, in: store)
    try await use("bob", as: .cancelled, in: store)
    try await use("bob", isPrivate: true, in: store)
    try await use(nil, in: store)
    let uses = try await store.templateUses()
    #expect(uses.counts == ["bob": 2, "crop": 1])
    #expect(uses.last == 3)
  }

  @Test("the uses of templates can be counted as they were at an earlier moment")
  func earlier() async throws {
    let store = try await fixture.open()
    try await use("bob", in: store)
    let first = try await store.templateUses()
    try await use("bob", in: store)
    try await use("crop", in: store)
    #expect(try await store.templateUses(upTo: first.last).counts == ["bob": 1])
    #expect(try await store.templateUses(upTo: first.last).last == first.last)
    #expect(try await store.templateUses(upTo: 0).counts.isEmpty)
    #expect(try await fixture.open().templateUses().counts == ["bob": 2, "crop": 1])
  }
}
