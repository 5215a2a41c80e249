import { type Asked, Refusal } from './asked.ts';
import type { Guard } from './permissions.ts';
import { problemOf } from './schema.ts';
import { contentBusId, type Holding, isObject, type Json, objectAt, type Store, textAt } from './store.ts';
import type { HostedSwitches } from './switches.ts';

/** What every configuration call needs. */
export interface Context {
  readonly store: Store;
  readonly switches: HostedSwitches;
  readonly asked: Asked;
  readonly guard: Guard;
  /** The commit of a branch that a sync fetches; undefined: any. */
  head(repository: string, branch: string): string | undefined;
  /** A new API key with these claims. */
  issueKey(claims: Json): string;
}

/** Validates a document and stores it as a new version. */
export function keep(context: Context, holding: Holding, document: unknown, doing: 'creating' | 'updating' | 'removing'): Json {
  const { store, asked, guard } = context;
  const ready = completed(context, holding, document, `Error ${doing} config: `);
  const user = textAt(guard.caller.claims, 'email') || undefined;
  return store.save(holding, ready, { user, versionName: asked.query.get('versionName') });
}

/** The document with the members set by the service. Throws 400 if it is invalid; `doing` starts the message. */
function completed({ switches }: Context, { of }: Holding, document: unknown, doing: string): Json {
  const whole: Json = isObject(document) ? document : {};
  const now = new Date().toISOString();
  const { content, code } = whole;
  const ready: Json = {
    ...whole,
    version: whole['version'] ?? 1,
    created: whole['created'] ?? now,
    lastModified: now,
    ...(isObject(content) ? { content: { ...content, contentBusId: contentBusId(whole) } } : {}),
    ...(isObject(code) ? { code: completedCode(code, switches.byogit !== 'refused', switches.sourceAlone) } : {}),
  };
  // The address for a profile's keys exists, but its schema has none.
  const { apiKeys: _apiKeys, ...withoutKeys } = ready;
  const problem = problemOf(of, of === 'profiles' ? withoutKeys : ready);
  if (problem !== undefined) throw new Refusal(400, `${doing}${problem}`);
  const host = hostOf(textAt(content, 'source', 'url'));
  if (switches.tenantLocks.includes(host)) throw new Refusal(400, `${doing}${host} denied by tenant lock`);
  const isKept = switches.byogit === 'byogit' && textAt(code, 'source', 'type') === 'byogit';
  return isKept
    ? { ...ready, code: { ...objectAt(ready, 'code'), source: { ...objectAt(ready, 'code', 'source'), type: 'byogit' } } }
    : ready;
}

function completedCode(code: Json, takesByogit: boolean, takesSourceAlone: boolean): Json {
  const source = objectAt(code, 'source');
  const [owner, repo] = textAt(source, 'url')
    .replace(/\.git$/, '')
    .split('/')
    .slice(-2);
  const named = takesSourceAlone && code['owner'] === undefined && code['repo'] === undefined && source['url'] !== undefined;
  const isByogit = takesByogit && source['type'] === 'byogit';
  return {
    ...(named ? { owner: source['owner'] ?? owner, repo: source['repo'] ?? repo } : {}),
    ...code,
    ...(isByogit ? { source: { ...source, type: 'github' } } : {}),
  };
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : '';
}
