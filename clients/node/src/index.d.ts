import type {
  Account, AccountConsentParams, AccountConsentResult, AccountDeleteParams, AccountDeleteResult, AccountGetParams,
  AccountSetParams, AccountSetResult, AccountSignInParams, AccountSignOutParams, AccountSignOutResult, CancelParams,
  CreditBalance, CreditEntry, CreditHistoryPage, CreditProduct, CreditsBalanceParams, CreditsGrantParams,
  CreditsGrantResult, CreditsHistoryParams, CreditsPurchaseParams, CreditsRevokeParams, CreditsRevokeResult,
  CredentialsDeleteParams, CredentialsSetParams, CredentialStatus, DeletedCredential, Deletion, Estimate, Export,
  FeedbackSubmitParams, FoundPlace, GenerateParams, GenerationResult, HeadshotChoices, HistoryAnnotateParams,
  HistoryDeleteParams, HistoryExportParams, HistoryGetParams, HistoryPage, HistoryParams, ImageLink, ImageLinkParams,
  ImagePrepareParams, ImageSource,
  InitializeCapabilities, InitializeClientInfo, Initialization, KeptFeedback, LocationQuery, Methods, Notifications,
  PreparedImage, Progress, Provider, Purchase, Queue, QueuePauseParams, QueueResumeParams, QueueStatusParams, Recipe,
  RegenerateParams, ResultImage, ServiceStatus, Session, SessionGetParams, SessionListParams, SessionPage, SessionSteps,
  SignIn, StatusParams, StoredCredential, StyleOption, Template, TemplatePage, TemplatesGetParams, TemplatesListParams,
  UpgradeOption, UsageStatistics, UsageStatisticsParams,
} from "./values.js";

export * from "./values.js";

/** The version of this package. */
export const VERSION: string;

/** How to start the service. */
export interface AtelierOptions {
  /**
   * The program, or a command as a list, such as `["ssh", "studio", "atelier"]`. Default: `$ATELIER`, otherwise `atelier` on
   * the PATH.
   */
  executable?: string | readonly string[];
  /** The directory of history and pictures (`--data-dir`). Default: the service's own choice. */
  dataDirectory?: string;
  /** The configuration file, in JSON (`--config`). Default: `$ATELIER_CONFIG`, if it is set. */
  config?: string;
  /**
   * The account that the connection acts for, by `initialize`. It confines the connection: other accounts are refused, and
   * so is what `confined` refuses. Default: each request may name its account.
   */
  account?: string;
  /**
   * Limits this program's files to the folders in `access` of the configuration, and forbids it to use API keys
   * (`--confined`).
   */
  confined?: boolean;
  /**
   * Allows `creditsGrant`, `creditsRevoke` and `accountSet` (`--trusted`); not with `account` or `confined`.
   */
  trusted?: boolean;
  /**
   * For a program whose every request names one of its customers: requests for `owner`, also by default, and for `*` are
   * refused, and no account exists by being read about (`--multi-account`).
   */
  multiAccount?: boolean;
  /**
   * The language of texts for people: a language tag, such as `es-MX`, or the value of an `Accept-Language` header. A
   * service that does not know it ignores it.
   */
  locale?: string;
  /** Variables on top of this process's environment; `undefined` removes one. */
  env?: Record<string, string | undefined>;
  /** Further options of `atelier serve`. */
  arguments?: readonly string[];
  /** The name of your program, for the service's log. */
  clientInfo?: InitializeClientInfo;
  /** What the host wants, such as `{mute: ["provider/changed"]}`, and what it can do. */
  capabilities?: InitializeCapabilities & Record<string, unknown>;
  /** Called with every notification, as it arrives. */
  onNotification?<M extends keyof Notifications>(method: M, params: Notifications[M]): void;
  /**
   * Looks places up for the recipe `places`: returns those that fit the query, best first; none if there are none. The
   * service waits ten seconds. If it fails, the generation has a warning, and the operator's geocoder is asked. `signal` is
   * aborted when the service withdraws its question or is gone. The service is told of it: `capabilities` need not name it.
   */
  locationSearch?(
    query: LocationQuery, options: { signal: AbortSignal },
  ): Iterable<FoundPlace> | PromiseLike<Iterable<FoundPlace>>;
  /**
   * Answers the other requests of the service. `undefined` says that the host has no such method. An `AtelierError` that it
   * throws is sent as it is; of any other error the service learns only that there was one. `signal` is aborted when the
   * service cancels its request or is gone.
   */
  onRequest?(method: string, params: Record<string, unknown>, options: { signal: AbortSignal }): unknown;
  /** Called with each line of the service's log. */
  onLog?(line: string): void;
  /** Gives up the start and ends the service. */
  signal?: AbortSignal;
  /** Milliseconds until the service must have sent its first answer. Default 30,000. */
  startTimeoutMs?: number;
  /** Milliseconds until a service that does not end by itself is terminated, and then killed. Default 10,000. */
  closeTimeoutMs?: number;
}

export interface RequestOptions {
  /** Cancels the request. */
  signal?: AbortSignal;
}

/**
 * A picture: the path of a file or its URL, the bytes of a file, a prepared image, a generation under way, whose end is
 * awaited, its result, or `{generationId, index}` for one of several pictures.
 */
export type Image = string | URL | Uint8Array | ArrayBuffer | PreparedImage | Generation | GenerationResult | ImageSource;

/** A point in time: a text in the form of RFC 3339 comes from the service, and a `Date` may be sent. */
export type Time = string | Date;

type Generating<P> = Omit<P, "image" | "references"> & { image?: Image; references?: readonly Image[] };
type Since<P> = Omit<P, "since" | "until"> & { since?: Time; until?: Time };

/** The params of `generate`; paths may start at the working directory of this process. */
export type GenerateOptions = Generating<Omit<GenerateParams, "recipe">> & {
  /** The kind of picture. Default `headshot`. */
  recipe?: Recipe;
};

/** The params of `regenerate`: what is to be different. */
export type RegenerateOptions = Omit<RegenerateParams, "generationId"> & {
  /** What to make again: a result, a generation under way, whose end is awaited, or an id. */
  generation: string | Generation | GenerationResult | { generationId: string };
};

/** A picture with a file that this program may read. */
export type StoredImage = ResultImage & { path: string };

/** A result whose pictures have files: neither private nor of a confined connection. */
export type StoredResult = GenerationResult & { images: StoredImage[] };

/** What starts a connection that is not confined. */
type Unconfined = AtelierOptions & { account?: undefined; confined?: false };

/** What may be left out where every member may be. */
type RequestArguments<P> = {} extends P
  ? [params?: P, options?: RequestOptions]
  : [params: P, options?: RequestOptions];

/**
 * A generation under way: await it for its result, iterate over it for its progress, or cancel it.
 *
 * It behaves like a promise. A failure rejects it and does not end the iteration with an error. Leaving the loop over its
 * progress does not affect it.
 */
export class Generation<R extends GenerationResult = GenerationResult> implements PromiseLike<R>, AsyncIterable<Progress> {
  private constructor();
  /** The id; null until the service has sent it. `accepted` waits for it. */
  readonly generationId: string | null;
  /** The newest progress; null if there has been none. */
  readonly progress: Progress | null;
  /** True when it has ended, with a result or a failure. */
  readonly done: boolean;
  /**
   * Cancels it. Does not wait, and may be called any number of times. Its result then has the state `cancelled`, or another
   * one if it had already ended.
   */
  cancel(): void;
  /** Fulfilled when the service has accepted it, durably if it is detached, with its id. */
  accepted(): Promise<string>;
  /** The generation as the service reports it now. */
  status(): Promise<GenerationResult>;
  then<T = R, E = never>(
    onFulfilled?: ((result: R) => T | PromiseLike<T>) | null,
    onRejected?: ((error: unknown) => E | PromiseLike<E>) | null,
  ): Promise<T | E>;
  catch<E = never>(onRejected?: ((error: unknown) => E | PromiseLike<E>) | null): Promise<R | E>;
  finally(onSettled?: (() => void) | null): Promise<R>;
  /** All progress, past and future, until the generation ends. */
  [Symbol.asyncIterator](): AsyncIterableIterator<Progress>;
}

/**
 * A running service: one connection and one process. `R` is what a generation that is not private results in: on a confined
 * connection, pictures may have no path.
 */
export class Atelier<R extends GenerationResult = StoredResult> {
  private constructor();

  /**
   * Starts the service and introduces this program. Rejects with `ExecutableNotFound`, or with `ConnectionLost` and the
   * service's log if the service ends at once.
   */
  static start(options?: Unconfined): Promise<Atelier>;
  static start(options: AtelierOptions): Promise<Atelier<GenerationResult>>;

  /** Starts the service for `work` and closes it afterwards. If `work` fails, what is in flight is cancelled first. */
  static use<T>(options: Unconfined, work: (studio: Atelier) => T | PromiseLike<T>): Promise<T>;
  static use<T>(options: AtelierOptions, work: (studio: Atelier<GenerationResult>) => T | PromiseLike<T>): Promise<T>;

  /** The service's description of itself: version, capabilities, limits, providers. */
  readonly initialization: Initialization;

  /**
   * Starts making a picture and returns at once.
   *
   * `signal` cancels the generation, detached or not; it is then rejected with the signal's reason once the service has
   * confirmed that. If the abort comes too late, the result stays the result.
   */
  generate(params?: GenerateOptions & { private?: false }, options?: RequestOptions): Generation<R>;
  generate(params?: GenerateOptions, options?: RequestOptions): Generation;
  /** Starts to make an earlier generation again: the same request, a new result. */
  regenerate(params: RegenerateOptions & { private?: false }, options?: RequestOptions): Generation<R>;
  regenerate(params: RegenerateOptions, options?: RequestOptions): Generation;
  /**
   * Follows a generation of any process: its progress and its end. `cancel` of the result cancels the generation. An abort,
   * and the end of this connection, only end the watch.
   */
  attach(params: { generationId: string; account?: string; progress?: boolean }, options?: RequestOptions): Generation;
  /** The ends of detached generations from now on, until the connection ends. */
  finished(): AsyncIterableIterator<GenerationResult>;

  /**
   * Ends the service after the requests in flight are finished or, with `cancel`, cancelled. Detached generations continue.
   * May be called more than once, also to cancel what the first call waits for.
   */
  close(options?: { cancel?: boolean }): Promise<void>;

  /** Sends any request of the protocol. The params and the results of the methods that this version knows have types. */
  request<M extends keyof Methods>(
    method: M, ...rest: RequestArguments<Methods[M]["params"]>): Promise<Methods[M]["result"]>;
  request<M extends string>(
    method: M extends keyof Methods ? never : M, params?: Record<string, unknown>, options?: RequestOptions,
  ): Promise<unknown>;

  /** The milliseconds that a message takes to the service and back. */
  ping(options?: RequestOptions): Promise<number>;
  /** Cancels a generation that has not ended, whichever process works on it. Idempotent. */
  cancel(subject: CancelParams, options?: RequestOptions): Promise<GenerationResult>;
  /** The state of the service: version, work in flight, providers, store. */
  status(options?: RequestOptions): Promise<ServiceStatus>;
  /** One generation, by its id or by its idempotency key. */
  generationStatus(subject: StatusParams, options?: RequestOptions): Promise<GenerationResult>;

  /** A page of the history, newest first; `cursor` is the `nextCursor` of the previous page. */
  history(filter?: Since<HistoryParams>, options?: RequestOptions): Promise<HistoryPage>;
  /** Every entry of the history that matches, newest first; `limit` is the size of the pages that are fetched. */
  allHistory(filter?: Since<HistoryParams>, options?: RequestOptions): AsyncIterableIterator<GenerationResult>;
  /** One entry of the history. */
  historyEntry(subject: HistoryGetParams, options?: RequestOptions): Promise<GenerationResult>;
  /** Replaces the metadata, or sets the favorite mark; what is left out does not change. */
  annotate(params: HistoryAnnotateParams, options?: RequestOptions): Promise<GenerationResult>;
  /** Deletes one generation and its pictures. */
  delete(subject: HistoryDeleteParams, options?: RequestOptions): Promise<Deletion>;
  /** Deletes all generations of an account and their pictures. */
  deleteAll(account: string, options?: RequestOptions): Promise<Deletion>;
  /** Writes history and its pictures into an existing folder; a repeated call continues the export. */
  export(params: HistoryExportParams, options?: RequestOptions): Promise<Export>;
  /** Stores a person's opinion of a result, rated from 1 to 5. It replaces earlier feedback on the result. */
  feedback(params: FeedbackSubmitParams, options?: RequestOptions): Promise<KeptFeedback>;
  /** Counts, costs and durations of ended generations in history, by whole days in UTC. */
  statistics(filter?: Since<UsageStatisticsParams>, options?: RequestOptions): Promise<UsageStatistics>;

  /** A page of sessions, the one with the newest step first. */
  sessions(filter?: SessionListParams, options?: RequestOptions): Promise<SessionPage>;
  /** Every session. */
  allSessions(filter?: SessionListParams, options?: RequestOptions): AsyncIterableIterator<Session>;
  /** A page of a session's steps, oldest first. Any generation's id names its session. */
  session(subject: SessionGetParams, options?: RequestOptions): Promise<SessionSteps>;
  /** Every step of a session, oldest first. */
  allSteps(subject: SessionGetParams, options?: RequestOptions): AsyncIterableIterator<GenerationResult>;

  /**
   * Prepares a photo for `generate`: upright, small enough, without metadata. Accepts up to 40 MB. With `inline`, the result
   * has the picture in `data` and is not kept.
   */
  prepare(
    params: Omit<ImagePrepareParams, "image"> & { image: Image }, options?: RequestOptions): Promise<PreparedImage>;

  /** A link with which anybody can read a picture for ten minutes, where the operator allows that. */
  imageLink(subject: ImageLinkParams, options?: RequestOptions): Promise<ImageLink>;

  /** The generations that wait for a provider that cannot be reached. */
  queueStatus(params?: QueueStatusParams, options?: RequestOptions): Promise<Queue>;
  /** Holds back the waiting generations, in every process, until `queueResume`. */
  queuePause(params?: QueuePauseParams, options?: RequestOptions): Promise<Queue>;
  /** Releases the waiting generations: each starts as soon as its provider can be reached. */
  queueResume(params?: QueueResumeParams, options?: RequestOptions): Promise<Queue>;

  /** The styles of headshots. */
  styles(options?: RequestOptions): Promise<StyleOption[]>;
  /** Everything a headshot can be: the styles, the backgrounds, and what `output` may ask for. */
  headshotChoices(options?: RequestOptions): Promise<HeadshotChoices>;
  /** The providers, what they can make, and whether they are available. */
  providers(options?: RequestOptions): Promise<Provider[]>;
  /** A page of the hairstyle library, most used first. */
  templates(filter?: TemplatesListParams, options?: RequestOptions): Promise<TemplatePage>;
  /** Every template that matches, most used first. */
  allTemplates(filter?: TemplatesListParams, options?: RequestOptions): AsyncIterableIterator<Template>;
  /** One hairstyle template. */
  template(subject: TemplatesGetParams, options?: RequestOptions): Promise<Template>;

  /** Stores a provider's API key in the desktop's keyring or in a file that only its owner can read. */
  credentialsSet(params: CredentialsSetParams, options?: RequestOptions): Promise<StoredCredential>;
  /** Which providers have an API key, and where each key comes from. */
  credentialsStatus(options?: RequestOptions): Promise<CredentialStatus[]>;
  /** Deletes a provider's API key from the keyring and from the file. Idempotent. */
  credentialsDelete(params: CredentialsDeleteParams, options?: RequestOptions): Promise<DeletedCredential>;

  /** An account's tier, balance, usage limits and running generations. */
  accountGet(params?: AccountGetParams, options?: RequestOptions): Promise<Account>;
  /**
   * Signs in the person behind an account, whose identity you have verified or an identity token proves; continue with
   * the account of the answer.
   */
  accountSignIn(params: AccountSignInParams, options?: RequestOptions): Promise<SignIn>;
  /** Ends a person's use of an account on this device; continue with the new guest's account of the answer. */
  accountSignOut(params: AccountSignOutParams, options?: RequestOptions): Promise<AccountSignOutResult>;
  /** Records that the person behind an account has accepted a version of the terms of use. Idempotent. */
  accountConsent(params: AccountConsentParams, options?: RequestOptions): Promise<AccountConsentResult>;
  /** Deletes an account: its history, its pictures, its identities and its consent. It cannot be undone. */
  accountDelete(params: AccountDeleteParams, options?: RequestOptions): Promise<AccountDeleteResult>;
  /** The credits that an account can spend, and where they come from. */
  creditsBalance(params?: CreditsBalanceParams, options?: RequestOptions): Promise<CreditBalance>;
  /** A page of credit changes, newest first. */
  creditsHistory(filter?: CreditsHistoryParams, options?: RequestOptions): Promise<CreditHistoryPage>;
  /** All changes of credits, newest first. */
  allCreditsHistory(filter?: CreditsHistoryParams, options?: RequestOptions): AsyncIterableIterator<CreditEntry>;
  /**
   * What `generate` with the same params would cost, and whether it would be accepted now. A refusal is in the result and
   * does not reject.
   */
  creditsEstimate(params?: GenerateOptions | { regenerate: RegenerateParams }, options?: RequestOptions): Promise<Estimate>;
  /** The products that give credits. */
  creditsProducts(options?: RequestOptions): Promise<CreditProduct[]>;
  /** Turns a purchase into credits. Finish the store's transaction after this is fulfilled, never before. */
  creditsPurchase(params: CreditsPurchaseParams, options?: RequestOptions): Promise<Purchase>;
  /** Grants an account credits that never expire. Only with `trusted`. */
  creditsGrant(params: CreditsGrantParams, options?: RequestOptions): Promise<CreditsGrantResult>;
  /** Takes back credits of an account. Only with `trusted`. */
  creditsRevoke(params: CreditsRevokeParams, options?: RequestOptions): Promise<CreditsRevokeResult>;
  /** Sets an account's tier, or lifts its usage limits. Only with `trusted`. */
  accountSet(params: AccountSetParams, options?: RequestOptions): Promise<AccountSetResult>;
}

/**
 * A request could not be carried out. `message` tells a person what is wrong and what to do about it. Programs decide by
 * `kind`, which is stable, or by the class. New kinds may be added; they have the class of their code, or are plain
 * `AtelierError`.
 */
export class AtelierError extends Error {
  constructor(message: string, members?: Partial<Pick<
    AtelierError, "code" | "kind" | "retryable" | "retryAfterMs" | "generationId" | "details" | "data">>);
  /** Negative for errors of JSON-RPC, otherwise with the meaning of the same HTTP status; 0 for errors of this client. */
  readonly code: number;
  /** The stable name of the cause, for example `no_face_found`. */
  readonly kind: string;
  /** True when the same request may succeed later, unchanged. */
  readonly retryable: boolean;
  /** Milliseconds to wait before trying again, if known. */
  readonly retryAfterMs: number | undefined;
  /** The generation that failed, if there is one; it stays in the history. */
  readonly generationId: string | undefined;
  /** Facts that depend on the kind. */
  readonly details: Record<string, unknown>;
  /** Everything that the service sent, including members unknown to this client. */
  readonly data: Record<string, unknown>;
  /** What whoever runs the service can do about it, in English. */
  readonly hint: string | undefined;
}

/** The request itself was wrong: unknown method, not allowed now, or too large to be sent. */
export class InvalidRequest extends AtelierError {}

/** A param was wrong. */
export class InvalidParameters extends InvalidRequest {
  /** JSON Pointer to the param, for example `/style/angle`. */
  readonly path: string;
  /** What the service expects there. */
  readonly expected: string;
}

/** The image cannot be used: it is damaged, of an unknown format, too large or too small, or one too many. */
export class InvalidImage extends AtelierError {}

/** A purchase was refused, and nothing was granted. Do not finish the store's transaction. */
export class InvalidReceipt extends AtelierError {
  /** The stable name of the reason, for example `wrong_account`. */
  readonly reason: string | undefined;
}

/** A sign-in could not be verified: let the person sign in again. `hint` says what was wrong with the identity token. */
export class InvalidIdentity extends AtelierError {}

/** The provider has no API key, refused it, or does not allow it to do that. */
export class CredentialsError extends AtelierError {}

/** The account has fewer credits than the request costs. Nothing was charged. */
export class InsufficientCredits extends AtelierError {
  /** The credits that the request needs. */
  readonly required: number | undefined;
  /** The credits that the account can spend. */
  readonly available: number | undefined;
  /** Products that give more credits, in the order in which to show them. */
  readonly upgradeOptions: UpgradeOption[];
}

/** The connection may not act for the account, or the service may not use the file. */
export class PermissionDenied extends AtelierError {}
/** The person has to accept the terms of use first: show them, and record the consent with `accountConsent`. */
export class ConsentRequired extends PermissionDenied {}
/** There is no such generation, template or prepared image, or it has expired. */
export class NotFound extends AtelierError {}
/** The time allowed for the generation was over, or the provider did not answer. */
export class TimedOut extends AtelierError {}
/** It has ended already or not yet, or its idempotency key belongs to another request. */
export class Conflict extends AtelierError {}
/** The request was understood and cannot be done: no face, blocked content, not by this provider. */
export class Rejected extends AtelierError {}
/** Too many requests, or the provider has a cooldown. */
export class RateLimited extends AtelierError {}
/** The service or the provider failed for a reason that is not in the request. */
export class InternalError extends AtelierError {}
/** The provider or the network cannot be reached, or the service has too much in flight. */
export class Unavailable extends AtelierError {}
/** The disk of the data directory is full. */
export class StorageFull extends AtelierError {}
/** The service sent an answer that this client does not understand. */
export class ProtocolError extends AtelierError {}

/**
 * The service ended, or closed its output, before the answer arrived. The next service that opens the data directory settles
 * the generations that were running; its `status` and `history` report their state.
 */
export class ConnectionLost extends AtelierError {
  /** The exit status of the process; null when a signal ended it or when it is not known. */
  readonly exitStatus: number | null;
  /** The signal that ended the process, such as `SIGKILL`. */
  readonly signal: string | null;
  /** The last lines of the service's log. */
  readonly log: string;
}

/** The executable `atelier` was not found or could not be started. */
export class ExecutableNotFound extends AtelierError {}
