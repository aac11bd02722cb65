import CurlHTTP
import JSON
import Testing

@testable import Providers

@Suite("The settings of a cloud provider")
struct CloudSettingsTests {
  @Test("the settings of a cloud provider keep their defaults where the operator says nothing")
  func defaults() throws {
    let settings = try CloudSettings.gemini.applying(CloudConfiguration())
    #expect(settings == .gemini)
    #expect(settings.url("models") == "https://generativelanguage.googleapis.com/v1beta/models")
    #expect(settings.maximumConcurrentImages == 2048)
    #expect(settings.models.first == "gemini-nano-banana-2.1")
    #expect(
      settings.limits(totalMs: 60_000)
        == HTTPLimits(total: .seconds(60), connect: .seconds(10), stall: .seconds(30)))
  }

  @Test("the settings of a cloud provider take over what the operator says")
  func configured() throws {
    let json: JSONValue = [
      "baseUrl": "http://127.0.0.1:8080/", "apiVersion": "", "model": "new-image", "models": ["a-image", "new-image"],
      "maximumConcurrentImages": 3, "connectTimeoutMs": 5, "stallTimeoutMs": 7,
    ]
    let configuration = try JSONValueDecoder(unknownMembers: .reject).decode(CloudConfiguration.self, from: json)
    let settings = try CloudSettings.gemini.applying(configuration)
    #expect(settings.url("models") == "http://127.0.0.1:8080/models")
    #expect(settings.models == ["new-image", "a-image"])
    #expect(settings.maximumConcurrentImages == 3)
    #expect(settings.connectLimitMs == 5)
    #expect(settings.stallLimitMs == 7)
  }

  @Test("the settings of a cloud provider say which value makes no sense, without repeating it", arguments: [
    (CloudConfiguration(baseUrl: "http://user:hunter2@example.com"), "baseUrl"),
    (CloudConfiguration(apiVersion: "../v1"), "apiVersion"), (CloudConfiguration(apiVersion: "v1/x"), "apiVersion"),
    (CloudConfiguration(model: ""), "model"), (CloudConfiguration(model: "a b"), "model"),
    (CloudConfiguration(models: ["good", ""]), "models"),
    (CloudConfiguration(maximumConcurrentImages: 0), "maximumConcurrentImages"),
    (CloudConfiguration(connectTimeoutMs: -1), "connectTimeoutMs"),
    (CloudConfiguration(stallTimeoutMs: 3_600_001), "stallTimeoutMs"),
  ])
  func nonsense(configuration: CloudConfiguration, member: String) {
    #expect {
      try CloudSettings.gemini.applying(configuration)
    } throws: { error in
      guard let problem = error as? CloudConfigurationProblem else { return false }
      return problem.member == member && problem.sentence.hasPrefix("\(member) must be ")
        && problem.sentence.hasSuffix(".") && !problem.sentence.contains("hunter2")
    }
  }
}
