import type { ConsequenceOfSites } from '@repoless/contract/consequence.ts';
import { defined, sameValue, timeless } from '@repoless/contract/json.ts';
import { requireOperatorToSkip } from '../access/permit.ts';
import { changedOrigin, isKnownSource, requireUsable } from '../code/rules/code-origin.ts';
import type { Context, Outcome, Result } from '../domain/context.ts';
import { etagOf, etagOfCanonical, requireCapacity, requireRepositoryCapacity, requireSmall } from '../domain/documents.ts';
import { difference } from '@repoless/contract/difference.ts';
import { checkPreconditions, Refusal } from '@repoless/contract/refusal.ts';
import type { Reads, Writes } from '../domain/ports.ts';
import { removeUnnamedSecrets, storeSecret, takenSecrets } from '../secrets/take-secrets.ts';
import {
  type Change,
  type Decision,
  type Document,
  type DocumentCall,
  type DocumentKind,
  type Loaded,
  type Named,
  type Outside,
  type Sent,
  type StoredDocument,
  type View,
} from './change.ts';
import type { VersionData } from '../history/ports.ts';
import { requireUser } from '../sessions/identity.ts';

/**
 * Changes a document, or one part of it. The decision is stored in the same transaction, or with `?dryRun=true` not stored. A change
 * without effect stores nothing and answers what is stored (docs/contract.md 2.3 and 2.7).
 */
export async function changeDocument<N extends Named, D extends Document, I extends Sent, S extends StoredDocument<D>>(
  context: Context,
  kind: DocumentKind<N, D, I, S>,
  change: Change<N, D, I>,
): Promise<Outcome> {
  if (change.query.unchecked === true) requireOperatorToSkip(context);
  return await withOutside(async (outside) => {
    if (change.query.dryRun === true) {
      const { reads } = context.store;
      const decision = await decide(context, kind, change, { reads, outside });
      return dryRunAnswer(change, decision, decision.changed ? await kind.consequences(context, reads, change.name, decision) : []);
    }
    const decision = await context.store.write(async (writes) => {
      const decided = await decide(context, kind, change, { reads: writes, outside });
      if (decided.changed) await record(context, kind, change, decided, writes);
      return decided;
    }, kind.subject(change.name));
    if (decision.changed) await kind.stored?.(context, change, decision);
    return answerOf(change, decision);
  });
}

/** What every change takes over from its call. */
export function requestOf<Name>(kind: { nameOf(params: Name): Name }, { params, query, ifMatch, ifNoneMatch }: DocumentCall<Name>) {
  return { name: kind.nameOf(params), query, ...defined({ ifMatch, ifNoneMatch }) };
}

/** The effective document: merged over its profile, if it extends one. */
export function effectiveConfig<D>({ aggregate, config }: Pick<StoredDocument<D>, 'aggregate' | 'config'>): D {
  return aggregate ?? config;
}

/** Throws refusals; reads and compares what the transaction sees. */
async function decide<N extends Named, D extends Document, I extends Sent, S extends StoredDocument<D>>(
  context: Context,
  kind: DocumentKind<N, D, I, S>,
  change: Change<N, D, I>,
  { reads, outside }: { readonly reads: Reads; readonly outside: Outside },
): Promise<Decision<D>> {
  const { name } = change;
  // Load
  const loaded = await kind.load(context, reads, change);
  const { current, usage } = loaded;
  // Permit
  const permitted = kind.permit(context, change, loaded)?.config;
  if (current === undefined && change.creates !== true) throw kind.missing(context, name);
  // Match what the caller saw
  if (change.ifMatch !== undefined || change.ifNoneMatch !== undefined) {
    const seen = current === undefined ? undefined : seenOf(change.view, current.config, loaded);
    checkPreconditions(change, seen === undefined ? undefined : etagOf(seen));
  }
  const input = await change.next(current, reads);
  const permittedChange = { context, change, reads, outside, permitted, ...loaded };
  if (input === null) return { org: loaded.org, current, config: null, changed: true, ...(await kind.remove?.(permittedChange)) };
  // Complete
  const now = context.now().toISOString();
  const times = { created: current?.config.created ?? (change.restores === undefined ? now : (input.created ?? now)), now };
  const config = await within(change, () => kind.complete({ input, ...permittedChange }, times));
  // Merge with its profile
  const completed = { input, config, ...permittedChange };
  const merged = kind.merge === undefined ? { aggregate: config, inherited: undefined } : await kind.merge(completed);
  // Check
  const draft = { aggregate: merged.aggregate, inherited: merged.inherited, ...completed };
  await kind.check?.(draft);
  const warnings = [...otherName(input.name, kind.ownName(name)), ...(kind.warnings?.(change, config) ?? [])];
  const sent = input.secrets;
  const secrets = sent === undefined ? [] : await takenSecrets(context, reads, kind.secretsOf(name), { sent, restores: change.restores });
  if (secrets.length > 0) await kind.checkSecrets?.(draft, secrets);
  const { aggregate } = draft;
  const common = { org: loaded.org, current, warnings, ...(loaded.shown === undefined ? {} : { shown: loaded.shown }) };
  if (current !== undefined && secrets.length === 0 && sameValue(timeless(current.config), timeless(config)))
    return { changed: false, ...common, config: current.config, aggregate: effectiveConfig(current), etag: current.etag };
  const bytes = requireSmall(aggregate, kind.title(name));
  const effect = await within(change, () => kind.checkOthers(draft, bytes));
  requireCapacity(context.settings.quotas, name.org, usage, effect.usage ?? {});
  for (const repository of effect.repositories ?? []) await requireRepositoryCapacity(context.settings.quotas, name.org, reads, repository);
  const before = current === undefined ? undefined : effectiveConfig(current).code;
  const source = sameValue(before, aggregate.code) ? undefined : changedOrigin(name.org, before, aggregate.code);
  if (source !== undefined && change.query.unchecked !== true && !isKnownSource(context, name.org, source))
    outside(source.key, () => within(change, () => requireUsable(context, name.org, source)));
  return { changed: true, ...common, ...effect, config, aggregate, source, etag: etagOfCanonical(config), secrets };
}

/** Saves the decision with its version, its audit entry and what is stored separately. Version numbers are never reused. */
async function record<N extends Named, D extends Document, I extends Sent, S extends StoredDocument<D>>(
  context: Context,
  kind: DocumentKind<N, D, I, S>,
  change: Change<N, D, I>,
  decision: Decision<D>,
  writes: Writes,
): Promise<void> {
  const { name, query, restores } = change;
  const { config, current } = decision;
  const subject = kind.subject(name);
  const time = context.now();
  const user = requireUser(context.caller).email;
  // Save
  const version = (current?.version ?? (await writes.latestVersion(subject))) + 1;
  await kind.put(context, writes, change, decision, version);
  // History
  const removedUpTo = version - context.settings.versionsKept;
  await writes.addVersion({
    subject,
    version,
    created: time,
    user,
    // Safe: every document is an object.
    data: config as VersionData['data'],
    ...defined({ name: query.versionName, restoredFrom: restores }),
    ...(removedUpTo < 1 ? {} : { removedUpTo }),
  });
  // Audit
  const entry = {
    org: name.org,
    ...(subject.kind === 'site' ? { site: subject.site } : {}),
    time,
    user,
    action: kind.auditAction?.(change) ?? change.action,
    requestId: context.requestId,
    to: version,
    ...(current === undefined ? {} : { from: current.version }),
  };
  await writes.addAudit(entry);
  // What is stored separately
  for (const secret of decision.secrets ?? []) await storeSecret(context, writes, secret);
  const named = { before: current?.config.secrets, after: config?.secrets, action: change.action };
  if (kind.ownsSecrets === true && config !== null) await removeUnnamedSecrets(context, writes, kind.secretsOf(name), named);
  await change.storeWith?.(writes, config);
  const { source } = decision;
  if (query.unchecked === true && source !== undefined)
    await writes.addAudit({ ...entry, action: `unchecked-source/${source.repository}` });
}

/** Interrupts a change that needs a check outside of its transaction. */
class Unchecked extends Error {
  readonly key: string;
  readonly check: () => Promise<unknown>;

  constructor(key: string, check: () => Promise<unknown>) {
    super('This must be checked first.');
    [this.key, this.check] = [key, check];
  }
}

/** Each round checks something else; the limit applies if someone keeps changing a profile in the meantime. */
const MAX_CHECKS = 5;

async function withOutside<T>(run: (outside: Outside) => Promise<T>): Promise<T> {
  const found = new Map<string, unknown>();
  const outside: Outside = (key, check) => {
    if (!found.has(key)) throw new Unchecked(key, check);
    // Safe: a key identifies one check.
    return found.get(key) as Awaited<ReturnType<typeof check>>;
  };
  for (;;) {
    try {
      return await run(outside);
    } catch (error) {
      if (!(error instanceof Unchecked) || found.size >= MAX_CHECKS) throw error;
      found.set(error.key, await error.check());
    }
  }
}

type AnsweredChange<D> = Pick<Change<unknown, D, unknown>, 'view' | 'answers' | 'createsPart' | 'query' | 'replacesDocument'>;

/** What a call shows of a document, complete or by its part; undefined if it does not have the part. */
function seenOf<D>(view: View<D> | undefined, config: D, { shown }: Pick<Loaded<D>, 'shown'>): unknown {
  if (view !== undefined) return view.read(config);
  return shown === undefined ? config : shown(config);
}

function answerOf<D>(change: AnsweredChange<D>, decision: Decision<D>): Outcome {
  const result = resultOf(change, decision);
  const headers = warningHeaders(warnings(change, decision));
  if (result === 'removed' || decision.config === null) return { result: 'removed', ...headers };
  const body = seenOf(change.answers ?? change.view, decision.config, decision);
  return { result, body, etag: body === decision.config && decision.etag !== undefined ? decision.etag : etagOf(body), ...headers };
}

function dryRunAnswer<D>(change: AnsweredChange<D>, decision: Decision<D>, consequences: readonly ConsequenceOfSites[]): Outcome {
  const part = (config: D | null | undefined) => (config === undefined || config === null ? undefined : seenOf(change.view, config, {}));
  const before = part(decision.current?.config);
  const after = part(decision.config);
  const warned = warnings(change, decision);
  const removal = before === undefined ? [] : [{ op: 'remove' as const, path: '' }];
  const body = decision.config === null ? undefined : seenOf(change.answers ?? change.view, decision.config, decision);
  const prediction = {
    result: resultOf(change, decision),
    body: body ?? null,
    diff: after === undefined ? removal : difference(before ?? {}, after),
    ...(warned.length > 0 && { warnings: warned }),
    ...(consequences.length > 0 && { consequences }),
  };
  return { result: 'done', prediction };
}

function resultOf<D>({ view, answers, createsPart }: AnsweredChange<D>, decision: Decision<D>): Result {
  const { current, config } = decision;
  if (config === null || seenOf(answers ?? view, config, decision) === undefined) return 'removed';
  const isNew = current === undefined || (createsPart === true && view?.read(current.config) === undefined);
  return isNew ? 'created' : 'done';
}

/** What a change does in addition to the request, or leaves undone, as sentences. */
function warnings<D>(change: AnsweredChange<D>, decision: Decision<D>): string[] {
  return [...(decision.warnings ?? []), ...dropped(change, decision), ...unnamed(change, decision)];
}

/**
 * A document is identified by its address. One that was copied from elsewhere contains its name there: the address wins, and the answer
 * says so. Takes the name that was sent, and that of the address.
 */
function otherName(sent: string | undefined, name: string): string[] {
  if (sent === undefined || sent === name) return [];
  const shown = sent.length > SHOWN_NAME ? `${sent.slice(0, SHOWN_NAME)}...` : sent;
  return [`The name "${shown}" in the body is not used: the address names "${name}".`];
}

const SHOWN_NAME = 80;

/** Parts that a replacement drops without naming them: people have lost sites this way. */
function dropped<D>(change: AnsweredChange<D>, { current, config }: Decision<D>): string[] {
  if (current === undefined || config === null || change.replacesDocument?.(current) !== true) return [];
  const remaining = new Set(Object.keys(config as object));
  const parts = Object.keys(current.config as object).filter((part) => !remaining.has(part));
  if (parts.length === 0) return [];
  const how = 'PUT without "replace" and "if-match" keeps the parts that the body does not name.';
  return [`The whole configuration is replaced, which removes ${parts.join(', ')}. ${how}`];
}

/** A name for a version that is not created: nothing that was sent is ignored silently. */
function unnamed<D>({ query: { versionName } }: AnsweredChange<D>, { changed }: Decision<D>): string[] {
  if (changed || versionName === undefined) return [];
  return ['Nothing changed, so no version was created, and versionName was not used.'];
}

/** A header is one line of printable ASCII. */
function warningHeaders(sentences: readonly string[]): Pick<Outcome, 'headers'> {
  return sentences.length === 0 ? {} : { headers: { 'x-warning': sentences.join(' ').replaceAll(/[^\x20-\x7e]/g, '?') } };
}

/** Makes pointers relative to the part, like the body of its call. */
export async function within<D, T>({ view }: Pick<AnsweredChange<D>, 'view'>, check: () => Promise<T> | T): Promise<T> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof Refusal) || error.errors === undefined || view === undefined) throw error;
    throw error.with({ errors: error.errors.map((item) => ({ ...item, pointer: inside(view.pointer, item.pointer) })) });
  }
}

function inside(part: string, pointer: string): string {
  return pointer.startsWith(`${part}/`) ? pointer.slice(part.length) : pointer;
}
