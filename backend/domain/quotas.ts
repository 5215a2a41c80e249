import { LIMITS } from '@repoless/contract/limits.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import type { OrgUsage, Reads } from './ports.ts';

/** The quotas of an organization; undefined ones are unlimited (settings `ORG_…`). */
export interface Quotas {
  readonly sites?: number;
  readonly repositories?: number;
  readonly versions?: number;
  /** Bytes of configuration, versions included. */
  readonly bytes?: number;
  readonly secrets?: number;
  readonly apiKeys?: number;
  readonly codeBytes?: number;
  /** Concurrent code syncs. */
  readonly syncs: number;
}

type Counted = keyof OrgUsage;

/** Refuses with QUOTA_REACHED or STORAGE_QUOTA_REACHED if an organization has no quota left for what it wants. */
export function requireCapacity(quotas: Quotas, org: string, usage: OrgUsage, added: Partial<Record<Counted, number>>): void {
  for (const name of COUNTED) {
    const [more, limit] = [added[name] ?? 0, quotas[name]];
    if (limit === undefined || more === 0 || usage[name] + more <= limit) continue;
    const code = name === 'bytes' ? 'STORAGE_QUOTA_REACHED' : 'QUOTA_REACHED';
    throw new Refusal(code, sentence(org, name, usage[name], limit), { data: { quota: name, used: `${usage[name]}`, limit: `${limit}` } });
  }
}

/** Requires capacity for the repository of a site, unless the organization already uses it. */
export async function requireRepositoryCapacity(quotas: Quotas, org: string, reads: Reads, repository: string): Promise<void> {
  const { repositories: limit } = quotas;
  if (limit === undefined || (await reads.usesRepository(org, repository))) return;
  const used = await reads.repositories(org);
  if (used.length < limit) return;
  const sentence = `The sites of the organization "${org}" use ${used.length} code repositories; ${limit} are allowed. Use one of those, or ask the operator for more.`;
  throw new Refusal('QUOTA_REACHED', sentence, { data: { quota: 'repositories', used: `${used.length}`, limit: `${limit}` } });
}

/** Refuses a document that has become too large by parts each of which was small enough. Returns its approximate bytes. */
export function requireSmall(config: object, what: string): number {
  const { values, characters } = measured(config);
  const rest = 'Remove unneeded parts, or split it.';
  if (values > LIMITS.documentValues) {
    throw new Refusal(
      'STORAGE_QUOTA_REACHED',
      `${what} would have ${values} values; at most ${LIMITS.documentValues} are stored. ${rest}`,
      {
        data: { quota: 'documentValues', used: `${values}`, limit: `${LIMITS.documentValues}` },
      },
    );
  }
  const bytes = bytesAbout(config, characters);
  if (bytes <= LIMITS.documentBytes) return bytes;
  throw new Refusal('STORAGE_QUOTA_REACHED', `${what} would have ${bytes} bytes; at most ${LIMITS.documentBytes} are stored. ${rest}`, {
    data: { quota: 'documentBytes', used: `${bytes}`, limit: `${LIMITS.documentBytes}` },
  });
}

/** The approximate bytes of a document. */
export function bytesOf(document: object): number {
  return bytesAbout(document, measured(document).characters);
}

/** Printed only if it is near the limit: a character has at most three bytes, or six as an escape. */
function bytesAbout(document: object, characters: number): number {
  return characters * 6 <= LIMITS.documentBytes ? characters : Buffer.byteLength(JSON.stringify(document));
}

/** The number of values in a document, and approximately of characters when printed. */
function measured(value: unknown): { readonly values: number; readonly characters: number } {
  if (typeof value === 'string') return { values: 1, characters: value.length + 3 };
  if (typeof value !== 'object' || value === null) return { values: 1, characters: 6 };
  let [values, characters] = [1, 3];
  const isList = Array.isArray(value);
  for (const [name, item] of Object.entries(value)) {
    const below = measured(item);
    values += below.values;
    characters += below.characters + (isList ? 0 : name.length + 3);
  }
  return { values, characters };
}

function sentence(org: string, name: Counted, used: number, limit: number): string {
  const has = `The organization "${org}" has ${used} ${NAMES[name]}, and ${limit} are allowed.`;
  return `${has} ${name === 'versions' || name === 'bytes' ? 'Delete versions' : 'Remove some'} that are not needed, or ask the operator for more.`;
}

const NAMES: Readonly<Record<Counted, string>> = {
  sites: 'sites',
  versions: 'versions',
  bytes: 'bytes of configuration',
  secrets: 'secrets',
  apiKeys: 'API keys',
};
const COUNTED: readonly Counted[] = ['sites', 'versions', 'bytes', 'secrets', 'apiKeys'];
