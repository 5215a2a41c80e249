import { codeSentence } from '@repoless/contract/code-sentences.ts';
import { type BranchChange, BranchName } from '@repoless/contract/build-management.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { z } from 'zod';
import { Refusal } from '@repoless/contract/refusal.ts';
import { requireJson } from '../../domain/documents.ts';
import { runInThread, ThreadEnded } from '../../threads/in-thread.ts';

export interface VendorEvent {
  /** The vendor's identifier of this delivery; undefined if there is none. */
  readonly deliveryId: string | undefined;
  readonly event: string;
  readonly changes: readonly BranchChange[];
  readonly ignored?: string;
}

/** The body of an event; a large one is parsed on a separate thread, and reduced to the members that the vendors' schemas read. */
export async function readPayload(bytes: Uint8Array, org: string): Promise<unknown> {
  if (bytes.length <= PARSED_AT_ONCE) return requireJson(bytes);
  const input = { bytes, names: READ, values: LIMITS.eventValues, characters: PARSED_AT_ONCE };
  const answer = await runInThread({ script: SCRIPT, input, deadline: DEADLINE, share: org }).catch((error: unknown) => {
    throw error instanceof ThreadEnded ? tooMuch('takes too long to be read. Push fewer commits at once.') : error;
  });
  if (typeof answer === 'string') return JSON.parse(answer);
  if (answer === null) throw new Refusal('BODY_UNPARSABLE', 'error parsing request body');
  const { tooMany } = TooMany.parse(answer);
  throw tooMuch(tooMany === 'values' ? `has more than ${LIMITS.eventValues} values. Push fewer commits at once.` : MANY_BRANCHES);
}

/** The body of a push as its vendor documents it. Refuses with BODY_INVALID. */
export function readPush<S extends z.ZodType>(schema: S, payload: unknown, hint = ''): z.output<S> {
  const parsed = schema.safeParse(payload);
  if (parsed.success) return parsed.data;
  const place = parsed.error.issues[0]?.path.join('.') ?? '';
  throw new Refusal('BODY_INVALID', `The body is not a push event of this vendor: "${place}" is missing or invalid. ${hint}`.trim());
}

/** The event of a push, without refs that are not branches, and names that no branch can have. */
export function pushEvent(about: Pick<VendorEvent, 'deliveryId' | 'event'>, changes: readonly (BranchChange | undefined)[]): VendorEvent {
  const known = changes.filter((change) => change !== undefined).filter(({ branch }) => BranchName.safeParse(branch).success);
  const last = [...new Map(known.map((change) => [change.branch, change])).values()];
  if (last.length === 0) return { ...about, changes: [], ignored: codeSentence('eventWithoutBranch') };
  if (last.length > LIMITS.eventBranches) throw tooMuch(MANY_BRANCHES);
  return { ...about, changes: last };
}

/** `refs/heads/feature/one` → `feature/one`; undefined for tags and others. */
export function branchOf(ref: string): string | undefined {
  return /^refs\/heads\/(.+)$/s.exec(ref)?.[1];
}

function isMissingCommit(commit: string | null | undefined): boolean {
  return commit === null || commit === undefined || /^0+$/.test(commit);
}

export function branchChange(branch: string | undefined, after: string | null | undefined): BranchChange | undefined {
  if (branch === undefined) return undefined;
  return isMissingCommit(after)
    ? { branch, type: 'deleted' }
    : { branch, type: 'updated', ...(typeof after === 'string' && { commit: after }) };
}

function tooMuch(what: string): Refusal {
  return new Refusal('BODY_INVALID', `The event ${what}`);
}

const TooMany = z.object({ tooMany: z.enum(['values', 'branches']) });

/** Bytes that are parsed in place, which takes milliseconds; and the maximum characters of a thread's result. */
const PARSED_AT_ONCE = 256 * 1024;
/** Milliseconds, on an otherwise busy machine: the largest event takes less than a second of processor time, at the lowest priority. */
const DEADLINE = 60_000;
const MANY_BRANCHES = 'names too many branches. Push fewer branches at once.';
/** The members that the schemas of all vendors read. */
const READ = (
  'ref after deleted object_kind push changes new old name type target hash ' + 'id toHash eventType resource refUpdates newObjectId'
).split(' ');

/** Posts the reduced event as text; null if it cannot be parsed, otherwise what there is too much of. */
const SCRIPT = `
const { parentPort, workerData } = require('node:worker_threads');
const { bytes, names, values, characters } = workerData.input;
parentPort.postMessage(answer());
function answer() {
  let count = 0;
  for (const byte of bytes) if (byte === 0x2c || byte === 0x5b || byte === 0x7b) count += 1;
  if (count > values) return { tooMany: 'values' };
  try {
    const text = JSON.stringify(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)), names);
    return text.length > characters ? { tooMany: 'branches' } : text;
  } catch {
    return null;
  }
}
`;
