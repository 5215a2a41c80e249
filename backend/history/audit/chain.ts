import { hash } from 'node:crypto';

/** What an entry of the audit trail says, as it is stored, and its place in the chain of its organization. */
export interface ChainedEntry {
  readonly id: number;
  readonly org: string;
  /** From 1. */
  readonly seq: number;
  readonly site: string | null;
  readonly time: string;
  readonly user: string;
  readonly action: string;
  readonly requestId: string;
  readonly from: number | null;
  readonly to: number | null;
  /** The hash of the entry before; empty for the first. */
  readonly previous: string;
}

/** The hash of an entry. PostgreSQL computes the same where it chains the entries (db/triggers.ts). */
export function entryHash(entry: ChainedEntry): string {
  const { previous, id, org, seq, site, time, user, action, requestId, from, to } = entry;
  return linked([previous, id, org, seq, site, time, user, action, requestId, from, to]);
}

/** SHA-256 of values, written so that no two lists run together. */
export function linked(values: readonly (string | number | null)[]): string {
  return hash('sha256', joined(values), 'hex');
}

/** Values as one text, each with its length in bytes before it. */
export function joined(values: readonly (string | number | null)[]): string {
  return values.map(part).join(',');
}

function part(value: string | number | null): string {
  if (value === null) return '-';
  const text = String(value);
  return `${Buffer.byteLength(text)}:${text}`;
}
