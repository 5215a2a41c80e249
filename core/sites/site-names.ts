import { DEFAULT_REF, HOST_LABEL_LIMIT, hostLabel, sanitizeRef } from '@repoless/contract/names.ts';

export interface NameRules {
  readonly organization: string;
  /** Names that are taken, by sites of the service or by other rows. */
  readonly taken: Iterable<string>;
  /** Appended to every name, e.g. `prod`. */
  readonly suffix?: string;
}

/**
 * Proposes a site name for each content path. The rules: the segments below `/content`, made fit for host names and joined
 * by hyphens (`/content/wknd/ch/de_CH` → `wknd-ch-de-ch`); where DNS has no room for all of it, country and locale (the
 * last two segments) stay and what is before them is cut; a name that is taken gets `-2`, `-3` …
 */
export function proposeSiteNames(paths: readonly string[], rules: NameRules): Map<string, string> {
  const taken = new Set(rules.taken);
  const names = new Map<string, string>();
  for (const path of paths) {
    const name = freeName(path, rules, taken);
    taken.add(name);
    names.set(path, name);
  }
  return names;
}

function freeName(path: string, { organization, suffix }: NameRules, taken: ReadonlySet<string>): string {
  const room = HOST_LABEL_LIMIT - hostLabel(DEFAULT_REF, '', organization).length;
  const end = suffix === undefined ? '' : `-${suffix}`;
  for (let number = 1; ; number++) {
    const ending = number === 1 ? end : `${end}-${number}`;
    const name = `${fitting(path, Math.max(0, room - ending.length))}${ending}`.replace(/^-+/, '');
    if (!taken.has(name) || name === '') return name;
  }
}

/** The name of a path in at most so many characters. */
function fitting(path: string, room: number): string {
  const segments = path
    .replace(/^\/content(?=\/|$)/, '')
    .split('/')
    .map(sanitizeRef)
    .filter((segment) => segment !== '');
  const whole = segments.join('-');
  if (whole.length <= room) return whole;
  const kept = segments.slice(-2).join('-');
  const before = segments.slice(0, -2).join('-');
  const rest = before.slice(0, Math.max(0, room - kept.length - 1)).replace(/-+$/, '');
  return (rest === '' ? kept : `${rest}-${kept}`).slice(0, room).replace(/-+$/, '');
}
