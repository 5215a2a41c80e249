import type { z } from 'zod';
import type { ErrorCode } from '@repoless/contract/errors.ts';
import { Refusal } from '../domain/errors.ts';
import { problemsOf } from '../domain/field-errors.ts';
import type { Reads, Subject } from '../domain/ports.ts';
import { findVersion } from './read-versions.ts';
import { describeSubject } from './subject.ts';

/** Refuses a body beside `?restoreVersion=`: only one of them can be what is stored. */
export function refuseBody(body: unknown): void {
  if (body === undefined) return;
  const sentence = 'A version is restored without a body. Omit either the body or restoreVersion.';
  throw new Refusal('BODY_INVALID', sentence, { errors: [{ pointer: '', detail: sentence }] });
}

/**
 * A version, to be stored anew. What was valid when it was stored may no longer be: it is parsed as if it came from outside,
 * by what a client may send. `begin`: see `historyBegin`. Refuses with VERSION_NOT_FOUND, also where the version records a deletion.
 */
export async function readVersion<S extends z.ZodType>(
  reads: Reads,
  subject: Subject,
  version: number,
  schema: S,
  begin?: Date,
): Promise<z.output<S>> {
  const { data } = await findVersion(reads, subject, version, begin);
  if (data === null) {
    const sentence = `Version ${version} records that ${lowerFirst(describeSubject(subject))} was removed. Restore an earlier one.`;
    throw new Refusal('VERSION_NOT_FOUND', sentence);
  }
  const errors = problemsOf(schema, data);
  const [first] = errors;
  if (first === undefined) return schema.parse(data);
  throw new Refusal('BODY_INVALID', `${first.pointer}: ${first.detail}`, { errors });
}

/**
 * Restores a version by `work`. A rule that refuses it answers VERSION_REFUSED, whose sentence says which rule, with the code
 * of that rule in its data; who may not restore it, or would lock themselves out, is refused as with every other write.
 */
export async function restoring<T>(version: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal && RULES.has(error.code)) throw versionRefused(version, error);
    throw error;
  }
}

function versionRefused(version: number, rule: Refusal): Refusal {
  const sentence = `Version ${version} cannot be restored. ${rule.message}`;
  return new Refusal('VERSION_REFUSED', sentence, {
    data: { ...rule.data, code: rule.code, version: `${version}` },
    cause: rule,
    ...(rule.detail === undefined ? {} : { detail: `Version ${version} cannot be restored. ${rule.detail}` }),
    ...(rule.errors === undefined ? {} : { errors: rule.errors }),
  });
}

function lowerFirst(text: string): string {
  return `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`;
}

const RULES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'BODY_INVALID',
  'HOST_LABEL_TOO_LONG',
  'CONTENT_ADDRESS_MISMATCH',
  'CONTENT_ROOT_TAKEN',
  'SECRET_NOT_ALLOWED',
  'CODE_SOURCE_NOT_FOUND',
  'CODE_SOURCE_REFUSED',
  'REPOSITORY_NOT_READY',
  'PROFILE_NOT_FOUND',
]);
