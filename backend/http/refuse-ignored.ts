import { isWrite } from '#contract/endpoint.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { Refusal } from '#backend/domain/errors.ts';
import { checkPreconditions } from '#backend/domain/preconditions.ts';
import type { RequestHeaders } from './ports.ts';

/**
 * Refuses what the contract names and this call does not do: a trial, a restoring, a precondition. Whoever sends it relies on
 * it, so to ignore it would be a success that does something else. A value that asks for nothing special is no such thing, and
 * a read can be asked anything. Refuses with QUERY_INVALID or PRECONDITION_FAILED.
 */
export function refuseIgnored(row: Endpoint, url: string, headers: RequestHeaders): void {
  if (row.method === 'GET') return;
  if (!isWrite(row)) checkPreconditions(preconditionsOf(headers), undefined);
  // The query of a proxied call is that of the other program.
  if (row.outside === 'proxy') return;
  const query = new URLSearchParams(url.split('?')[1]);
  for (const [name, isAsked] of Object.entries(NAMED)) {
    const value = query.get(name);
    if (value === null || name in row.query.shape || !isAsked(value)) continue;
    const sentence = `This call does not take "${name}". Leave it out.`;
    throw new Refusal('QUERY_INVALID', sentence, { errors: [{ pointer: `/${name}`, detail: sentence }] });
  }
}

function preconditionsOf({ 'if-match': ifMatch, 'if-none-match': ifNoneMatch }: RequestHeaders) {
  return { ...(ifMatch !== undefined && { ifMatch }), ...(ifNoneMatch !== undefined && { ifNoneMatch }) };
}

const isNo = (value: string): boolean => /^(?:false|0|no|off|n|disabled)$/i.test(value);

/** Queries that change what a write does, and the values that ask for that. Writes without `replace` replace whole. */
const NAMED: Readonly<Record<string, (value: string) => boolean>> = {
  dryRun: (value) => !isNo(value),
  migrate: (value) => !isNo(value),
  replace: isNo,
  restoreVersion: () => true,
  versionName: () => true,
};
