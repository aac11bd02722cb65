import AtelierProtocol
import Localization

/// Why a provider does nothing without money, whoever words it. Only whoever pays for the key can help; time does not, so
/// that nothing is sent again and no model is paused for everybody.
enum MoneyRefusal: Equatable, CaseIterable {
  /// Prepaid credit is used up, the balance is missing, a bill is not paid.
  case withoutCredit
  /// A limit of spending that somebody set for the key, its project or its team is reached.
  case spendingLimit

  /// What a refusal says of money: its codes first, then its status, then its words.
  /// - Parameter prompt: the words that were sent. Servers quote them, and a quoted word says nothing.
  init?(_ refusal: ServerRefusal, quoting prompt: String) {
    if refusal.blocksContentByCode { return nil }
    if let meaning = refusal.codes.lazy.compactMap(MoneyWords.meaning(ofCode:)).first {
      self = meaning
      return
    }
    if refusal.blocksContentByWords(quoting: prompt), [400, 403, 422].contains(refusal.status) { return nil }
    let words = MoneyWords(quoted: prompt)
    if let meaning = refusal.sentences.lazy.compactMap(words.meaning).first {
      self = meaning
      return
    }
    let isOfTime = refusal.quota != nil || refusal.statesDelay
    guard refusal.status == 402 || !isOfTime && refusal.sentences.contains(where: MoneyWords.sayBillIsToBeChecked) else {
      return nil
    }
    self = .withoutCredit
  }

  /// For `details.reason`.
  var name: String {
    switch self {
    case .withoutCredit: "insufficient_quota"
    case .spendingLimit: "spending_limit"
    }
  }

  var sentence: Sentence {
    switch self {
    case .withoutCredit: "The provider's account has no credit left: choose another provider."
    case .spendingLimit: "The spending limit at the provider is reached: choose another provider."
    }
  }

  /// What the operator can do.
  var hint: String {
    switch self {
    case .withoutCredit:
      "Check the plan and billing of the API key: add credit to its account, or pay what is due there."
    case .spendingLimit:
      "Check the plan and billing of the API key: the spending limit of the key, its project or its team is reached. "
        + "Raise it where the key was issued, or add credit there."
    }
  }

  func error(of provider: ProviderID) -> AtelierError {
    AtelierError(
      .quotaExhausted, sentence, hint: hint, provider: provider, details: ["reason": .string(name)], retryable: false)
  }
}
