import AtelierProtocol
import Engine
import JSONRPC

/// Which method answers to which name. Adding a method is a message in AtelierProtocol, a file in Methods, a line here.
enum MethodTable {
  private static let all: [any Method.Type] = [
    AccountGetMethod.self, AccountSignInMethod.self, CancelMethod.self, CreditsBalanceMethod.self,
    CreditsEstimateMethod.self, CreditsHistoryMethod.self, CreditsProductsMethod.self, CreditsPurchaseMethod.self,
    CredentialsDeleteMethod.self, CredentialsSetMethod.self, CredentialsStatusMethod.self,
    FeedbackSubmitMethod.self, GenerateMethod.self, HistoryAnnotateMethod.self, HistoryDeleteMethod.self,
    HistoryExportMethod.self, HistoryGetMethod.self, HistoryMethod.self, ImagePrepareMethod.self,
    ProvidersListMethod.self, QueuePauseMethod.self, QueueResumeMethod.self, QueueStatusMethod.self,
    RegenerateMethod.self, SessionGetMethod.self, SessionListMethod.self, StatusMethod.self, StylesListMethod.self,
    TemplatesGetMethod.self, TemplatesListMethod.self, UsageStatisticsMethod.self,
  ]

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  /// The method of this name, unless there is none.
  static func method(named name: String) -> (any Method.Type)? {
    byName[name]
  }
}

extension Method {
  static var name: String { Message.method }
}
