import ArgumentParser
import AtelierProtocol
import Glibc
import JSON
import SimulatedShops

/// `gemini-simulator purchase`: purchases that no store has signed, to try a configuration.
struct PurchaseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "purchase",
    abstract: "Sign purchases as the App Store and Google Play do, with keys of its own.",
    discussion: """
      A folder holds the keys; they are made when they are first needed. `configuration` prints the part of Atelier's
      configuration that trusts them, and `apple` and `google` the params of credits/purchase:

        gemini-simulator purchase configuration --keys keys --app org.example.studio
        gemini-simulator purchase apple --keys keys --app org.example.studio --product studio.bundle.48 --account anna
      """,
    subcommands: [Configuration.self, Apple.self, Google.self])

  struct Common: ParsableArguments {
    @Option(help: "The folder with the keys.", completion: .directory)
    var keys: String

    @Option(help: "The app: the bundle id, or the package name.")
    var app: String
  }

  struct Sale: ParsableArguments {
    @Option(help: "The id of the product in the store.")
    var product: String

    @Option(help: "The account that buys.")
    var account: String

    @Option(help: "The store's id of the purchase; by default a new one. The same id is the same purchase.")
    var id: String?

    @Option(help: "How many are bought at once.")
    var quantity = 1

    @Option(help: "Makes it a subscription that is paid for so many days from now.")
    var subscriptionDays: Int?

    func validate() throws {
      guard (1...AccountID.maximumLength).contains(account.unicodeScalars.count) else {
        throw ValidationError("--account must be of 1 to \(AccountID.maximumLength) characters.")
      }
      guard (-36_500...36_500).contains(subscriptionDays ?? 1) else {
        throw ValidationError("--subscription-days must be from -36500 to 36500.")
      }
    }

    func purchase(of app: String, identifier: String, at now: Timestamp) -> SimulatedPurchase {
      let day: Int64 = 86_400_000
      var purchase = SimulatedPurchase(
        app: app, product: product, account: AccountID(rawValue: account), identifier: id ?? identifier, purchasedAt: now)
      purchase.quantity = quantity
      if let days = subscriptionDays.map(Int64.init) {
        purchase.subscribedUntil = Timestamp(milliseconds: now.milliseconds + days * day)
        if days < 1 { purchase.purchasedAt = Timestamp(milliseconds: now.milliseconds + (days - 30) * day) }
      }
      return purchase
    }
  }

  struct Configuration: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print the members apple and google of credits in Atelier's configuration.")

    @OptionGroup var common: Common

    func run() async throws {
      let folder = try KeyFolder(common.keys)
      _ = try folder.apple(at: .ofSystem)
      let members: JSONValue = [
        "apple": ["bundleId": .string(common.app), "rootCertificates": [.string(folder.appleRoot)]],
        "google": ["packageName": .string(common.app), "publicKey": .string(try folder.google().publicKey)],
      ]
      print(members.serializedText)
    }
  }

  struct Apple: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Sign a transaction as the App Store does.")

    @OptionGroup var common: Common
    @OptionGroup var sale: Sale

    @Flag(help: "The store has refunded it.")
    var refunded = false

    @Flag(help: "It was made in the sandbox.")
    var sandbox = false

    func run() async throws {
      let now = Timestamp.ofSystem
      var purchase = sale.purchase(
        of: common.app, identifier: "2\(UInt64.random(in: 10_000_000_000_000...99_999_999_999_999))", at: now)
      purchase.state = refunded ? .refunded : .purchased
      purchase.isSandbox = sandbox
      print(
        JSONValue.object(try purchase.params(signedBy: try KeyFolder(common.keys).apple(at: now), at: now)).serializedText)
    }
  }

  struct Google: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Sign a purchase as Google Play does.")

    @OptionGroup var common: Common
    @OptionGroup var sale: Sale

    @Option(help: "purchased, pending or refunded.")
    var state: SimulatedPurchase.State = .purchased

    func run() async throws {
      let digits = UInt64.random(in: 1_000_000_000_000_000...9_999_999_999_999_999)
      var purchase = sale.purchase(of: common.app, identifier: "GPA.\(digits)", at: .ofSystem)
      purchase.state = state
      print(JSONValue.object(try purchase.params(signedBy: try KeyFolder(common.keys).google())).serializedText)
    }
  }
}

extension SimulatedPurchase.State: ExpressibleByArgument {}

extension Timestamp {
  /// What the system's clock says.
  static var ofSystem: Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }
}
