import { difference } from '@repoless/contract/difference.ts';
import { defined, sameValue, valueAt } from '@repoless/contract/json.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import { SITE_PARTS } from '@repoless/contract/site.ts';
import { parseJson } from '@repoless/core/api/exchange.ts';
import type { HostedAnswer } from './fetch-hosted.ts';
import { aboutOf, callHosted, type Call, outcomeUnknown } from './call.ts';
import { CREDENTIALS, type LoadedDocument, type Kind, load, ownMembers, withValueAt, type Raw } from './document.ts';
import { refusalOf } from './refusals.ts';

/** A change of a document or of one of its parts. */
export interface Edit {
  /** The part that the call addresses; empty: the whole document. */
  readonly view: readonly string[];
  /** The edit may create the document. */
  readonly creates?: true;
  /** Returns the shown document after the edit; null removes it. Throws refusals. */
  next(current: Raw | undefined): Raw | null | Promise<Raw | null>;
  /** Sends the edit if it is not a write of the document or a part: restoring a version, the users of an organization. */
  send?(): Promise<HostedAnswer | undefined>;
  /** Finds the part that the call addresses if the view is a list that contains it. */
  reads?(shown: Raw): unknown;
  /** The answer, if it is not the part. */
  answers?(shown: Raw): unknown;
  /** Warnings for the caller, as sentences. */
  readonly warnings?: readonly string[];
}

interface Writing {
  readonly current: LoadedDocument | undefined;
  readonly intended: Raw | null;
  readonly changed: readonly string[];
  /** The name of the version that it creates. */
  readonly name: string;
}

export interface Sent {
  readonly answer: HostedAnswer;
  /** The parts that were sent; absent: the document. `isEchoed`: each was returned as it was sent. */
  readonly parts?: readonly string[];
  readonly isEchoed: boolean;
}

/** Sends the smallest write. Undefined: there was no response, and a read showed that it was stored. */
export async function write(call: Call, kind: Kind, edit: Edit, writing: Writing): Promise<Sent | undefined> {
  const { current, intended, changed, name: versionName } = writing;
  const query = { versionName };
  const { params } = call;
  const whole = async (send: () => Promise<HostedAnswer | undefined>): Promise<Sent | undefined> => {
    const answer = await sendOnce(call, kind, writing, send);
    return answer === undefined ? undefined : { answer, isEchoed: false };
  };
  if (edit.send !== undefined) return await whole(edit.send);
  if (intended === null) return await whole(async () => callHosted(call, kind.whole, params, { method: 'DELETE' }));
  const parts = changed.filter((name) => isPart(kind, name));
  const path = edit.view.join('/');
  const isBelow = edit.view.length > 1 && changed.length === 1 && valueAt(intended, edit.view.slice(0, -1)) !== undefined;
  if (current !== undefined && isBelow && path in SITE_PARTS) {
    const value = valueAt(intended, edit.view);
    const answer = await sendOnce(call, kind, writing, async () => part(call, kind, path, value, query));
    return answer === undefined ? undefined : { answer, parts: changed, isEchoed: isEcho(answer, value) };
  }
  if (current !== undefined && parts.length === changed.length && (parts.length === 1 || holdsCredentials(current.raw))) {
    let isEchoed = true;
    const answer = await eachPart(parts, async (name, written) => {
      const upTo = [...written, name].reduce<Raw>((now, one) => withValueAt(now, [one], intended[one]), current.raw);
      const one = await sendOnce(call, kind, { ...writing, intended: upTo }, async () => part(call, kind, name, intended[name], query));
      isEchoed &&= isEcho(one, intended[name]);
      return one;
    });
    return answer === undefined ? undefined : { answer, parts, isEchoed };
  }
  return await whole(async () =>
    withCodeType(intended, (json) => callHosted(call, kind.whole, params, { method: current === undefined ? 'PUT' : 'POST', json, query })),
  );
}

/** Whether the response says that the value was stored as sent. */
function isEcho(answer: HostedAnswer | undefined, value: unknown): boolean {
  if (answer === undefined) return false;
  return value === undefined ? answer.status === 204 : answer.status === 200 && sameValue(parseJson(answer.text), value);
}

/** Some parts of the change were stored before one was refused. */
export class PartlyStored extends Refusal {}

/** Sends parts one after the other. If one is refused, the refusal names those already stored. */
export async function eachPart<T>(
  parts: readonly string[],
  send: (name: string, written: readonly string[]) => Promise<T>,
): Promise<T | undefined> {
  let last: T | undefined;
  for (const [index, name] of parts.entries()) {
    const written = parts.slice(0, index);
    last = await send(name, written).catch((error: unknown) => {
      if (!(error instanceof Refusal) || written.length === 0) throw error;
      const { detail = error.message, errors, data, retryAfter } = error;
      const parted = `Already stored: ${written.join(', ')}. Not stored: ${parts.slice(index).join(', ')}. ${detail}`;
      throw new PartlyStored(error.code, error.message, {
        detail: parted,
        ...defined({ errors, retryAfter }),
        data: { ...data, stored: written.join(', '), unstored: parts.slice(index).join(', ') },
        cause: error,
      });
    });
  }
  return last;
}

function isPart(kind: Kind, name: string): boolean {
  return kind.name !== 'org' && name in SITE_PARTS;
}

/** Whether a write of the whole document could remove keys: what happens to their values is undocumented. */
function holdsCredentials(raw: Raw): boolean {
  return CREDENTIALS.some((name) => Object.keys(Object(raw[name])).length > 0);
}

async function part(call: Call, kind: Kind, name: string, value: unknown, query: object): Promise<HostedAnswer> {
  const params = { ...call.params, part: name };
  if (value === undefined) return await callHosted(call, kind.part, params, { method: 'DELETE' });
  if (name !== 'code') return await callHosted(call, kind.part, params, { method: 'POST', json: value, query });
  return await withCodeType({ code: value }, (document) =>
    callHosted(call, kind.part, params, { method: 'POST', json: document['code'], query }),
  );
}

/** Some installations accept an external repository only as `github`, with the same addresses. */
async function withCodeType(document: Raw, send: (document: Raw) => Promise<HostedAnswer>): Promise<HostedAnswer> {
  const answer = await send(document);
  const at = ['code', 'source', 'type'];
  const isRefused = answer.status === 400 && valueAt(document, at) === 'byogit' && /source/.test(answer.headers['x-error'] ?? '');
  return isRefused ? await send(withValueAt(document, at, 'github')) : answer;
}

/** Sends a write and throws its refusal. A write without a response is never sent again: a read decides its outcome. */
async function sendOnce(
  call: Call,
  kind: Kind,
  { current, intended }: Pick<Writing, 'current' | 'intended'>,
  send: () => Promise<HostedAnswer | undefined>,
): Promise<HostedAnswer | undefined> {
  const answer = await send().catch((error: unknown) => {
    if (error instanceof Refusal && error.code === 'OUTCOME_UNKNOWN') return undefined;
    throw error;
  });
  if (answer !== undefined && answer.status < 500) {
    if (answer.status < 300 || (answer.status === 404 && intended === null)) return answer;
    if (answer.status === 409 && current === undefined)
      throw new Refusal('PRECONDITION_FAILED', 'Somebody else made it in the meantime. Read it again.', {});
    throw refusalOf(answer, aboutOf(call, call.params));
  }
  const now = await load(call, kind).catch((error: unknown) => {
    throw outcomeUnknown(error);
  });
  if (intended === null ? now === undefined : now !== undefined && differingPaths(intended, now.raw).length === 0) return undefined;
  const isAsBefore = current === undefined ? now === undefined : now !== undefined && sameValue(now.raw, current.raw);
  if (!isAsBefore) throw outcomeUnknown();
  throw new Refusal('HOSTED_UNREACHABLE', 'The hosted service does not respond. Nothing was changed.', { data: { says: 'no response' } });
}

/**
 * Paths at which the stored document differs from the sent one. For a code source the address counts, not the name of its type; the hosted
 * service assigns the identifiers of users.
 */
export function differingPaths(intended: Raw, stored: Raw): string[] {
  const plain = (document: Raw) => {
    const left = [['code', 'source', 'type'], ['content', 'contentBusId'], ...CREDENTIALS.map((name) => [name])];
    return left.reduce<Raw>((now, path) => withValueAt(now, path, undefined), ownMembers(document));
  };
  return difference(plain(intended), plain(stored)).flatMap(({ path }) => (/^\/users\/\d+\/id$/.test(path) ? [] : [path]));
}
