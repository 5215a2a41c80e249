import type { OrgEvent } from '@repoless/contract/event.ts';
import { CHECK_IDS, DRIFT_FIELDS } from '@repoless/contract/site-check.ts';
import type { CheckId, Drift } from '@repoless/contract/site-check.ts';

interface Names {
  readonly checks: Readonly<Record<CheckId, string>>;
  readonly fields: Readonly<Record<Drift['field'], string>>;
}

/** What an event is about, in the terms of the panel: the service names checks and settings by their identifiers. */
export function namedAbout({ kind, about }: Pick<OrgEvent, 'kind' | 'about'>, { checks, fields }: Names): string | undefined {
  if (about === undefined) return undefined;
  if (kind === 'check-failed') return nameIn(CHECK_IDS, checks, about);
  if (kind !== 'drift') return about;
  return about
    .split(', ')
    .map((field) => nameIn(DRIFT_FIELDS, fields, field))
    .join(', ');
}

/** A service of a later version may know more of them. */
function nameIn<K extends string>(known: readonly K[], names: Readonly<Record<K, string>>, id: string): string {
  const key = known.find((one) => one === id);
  return key === undefined ? id : names[key];
}
