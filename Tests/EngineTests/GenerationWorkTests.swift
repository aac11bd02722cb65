import AtelierProtocol
import ServiceFixture
import Store
import Testing

@testable import Engine

@Suite("Accepted work")
struct GenerationWorkTests {
  @Test("the work for a request with its pictures elsewhere keeps all other members")
  func copies() {
    var work = GenerationWork(
      id: "gen_1", account: "anna", request: Generate(recipe: .headshot, image: .path("/a.jpg")),
      template: TemplateUse(words: "bob"), lineup: ProviderLineup(first: ScriptedProvider()),
      metering: Metering(credits: 3, limits: []), requestID: 7, wantsProgress: true,
      createdAt: Timestamp(milliseconds: 5), isConfined: true)
    work.repetition = Regeneration(of: "gen_0", firstVariation: 2, fingerprint: [9])
    work.mustWait = true
    work.refusalUnlessCached = AtelierError(.insufficientCredits)
    let copy = work.with(Generate(recipe: .headshot, image: .path("/b.jpg")), fingerprint: [1])
    #expect(copy.request == Generate(recipe: .headshot, image: .path("/b.jpg")).completed)
    #expect(copy.sentFingerprint == [1])
    for (before, after) in zip(Mirror(reflecting: work).children, Mirror(reflecting: copy).children)
    where before.label != "request" && before.label != "sentFingerprint" {
      #expect(String(describing: before.value) == String(describing: after.value), "\(before.label ?? "")")
    }
  }
}
