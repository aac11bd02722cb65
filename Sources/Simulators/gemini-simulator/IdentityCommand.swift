import ArgumentParser
import AtelierProtocol
import GeminiSimulator
import JSON
import SimulatedIssuers

/// `gemini-simulator identity`: identity tokens that no issuer has signed, to try a configuration.
struct IdentityCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "identity",
    abstract: "Sign identity tokens as an issuer of OpenID Connect does, with keys of its own.",
    discussion: """
      A folder holds the keys; they are made when they are first needed. `configuration` prints the part of Atelier's
      configuration that trusts them, `token` an identity token, and `rotate` changes the keys:

        gemini-simulator identity configuration --keys keys --audience org.example.studio
        gemini-simulator identity token --keys keys --audience org.example.studio --subject anna

      With --issuer-keys, the simulator serves the key set at /.well-known/jwks.json.
      """,
    subcommands: [Configuration.self, Token.self, Rotate.self])

  struct Common: ParsableArguments {
    @Option(help: "The folder with the keys.", completion: .directory)
    var keys: String

    @Option(help: "What tokens have as their issuer.")
    var issuer = "https://issuer.example"

    @Option(help: "The app: what tokens have as their audience.")
    var audience: String
  }

  struct Configuration: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Print the member accounts of Atelier's configuration.")

    @OptionGroup var common: Common

    @Option(help: "The URL of the key set; by default, the file in the folder is named.")
    var url: String?

    func run() async throws {
      let folder = try IssuerFolder(common.keys)
      _ = try folder.keySet()
      let issuer: JSONValue = [
        "id": "simulated", "issuer": .string(common.issuer), "audiences": [.string(common.audience)],
        "keys": .string(url ?? folder.keySetFile),
      ]
      print((["accounts": ["issuers": [issuer]]] as JSONValue).serializedText)
    }
  }

  struct Token: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Sign an identity token.")

    @OptionGroup var common: Common

    @Option(help: "Who signs in.")
    var subject: String

    @Option(help: "The nonce of the sign-in.")
    var nonce: String?

    @Option(help: "RS256 or ES256.")
    var algorithm = SigningKey.Algorithm.rs256

    @Option(help: "What is wrong with it: \(SimulatedTokenFlaw.allCases.map(\.rawValue).joined(separator: ", ")).")
    var flaw: SimulatedTokenFlaw?

    func run() async throws {
      let issuer = try IssuerFolder(common.keys).issuer(named: common.issuer)
      var signIn = SimulatedSignIn(audience: common.audience, subject: subject, nonce: nonce)
      signIn.algorithm = algorithm
      print(try issuer.token(for: signIn, flaw: flaw, at: .ofSystem))
    }
  }

  struct Rotate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Sign with new keys from now on; the last ones stay published.")

    @Option(help: "The folder with the keys.", completion: .directory)
    var keys: String

    func run() async throws { try IssuerFolder(keys).rotate() }
  }
}

extension SigningKey.Algorithm: ExpressibleByArgument {}
extension SimulatedTokenFlaw: ExpressibleByArgument {}
extension IssuerFolder: IssuerKeys {}
