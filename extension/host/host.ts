import { z } from 'zod';

export interface PageAddress {
  readonly author: string;
  readonly path: string;
}

export type Theme = 'light' | 'dark' | 'system';

export interface HostContext {
  readonly locale: string;
  readonly theme: Theme;
}

export type HostFailure =
  | { readonly reason: 'unreachable' }
  | { readonly reason: 'service-missing' }
  | { readonly reason: 'service-invalid'; readonly address: string }
  | { readonly reason: 'page-missing' };

export type Host =
  | ({ readonly state: 'loading' } & HostContext)
  | ({ readonly state: 'failed'; readonly failure: HostFailure } & HostContext)
  | ({ readonly state: 'ready' } & HostReady);

export interface HostReady extends HostContext {
  readonly mode: 'framed' | 'stand-alone';
  readonly page: PageAddress;
  /** Address of the configuration service, without a trailing slash. */
  readonly service: string;
  /** The host's own sign-in to the authoring system; stand-alone, it comes from signing in. */
  readonly authoringToken?: string;
  /** Closes the modal; absent if there is nothing to close. */
  readonly close?: () => void;
}

/** A host that changes while the panel is open, for `useSyncExternalStore`. */
export interface HostSource {
  get(): Host;
  subscribe(listener: () => void): () => void;
}

/** A source that starts as `first` and is updated by whatever connects. */
export function createHostSource(first: Host): HostSource & { update(change: (host: Host) => Host): void } {
  const listeners = new Set<() => void>();
  let current = first;
  return {
    get: () => current,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    update: (change) => {
      current = change(current);
      for (const listener of listeners) listener();
    },
  };
}

/** A locale that the browser's formatters accept: `de_CH` becomes `de-CH`, an invalid one becomes English. */
export function fitLocale(locale: string): string {
  try {
    return new Intl.Locale(locale.replaceAll('_', '-')).toString();
  } catch {
    return 'en-US';
  }
}

export const EXTENSION_ID = 'repoless';

const Flat = z.looseObject({ service: z.string().min(1) });
const ById = z.looseObject({ [EXTENSION_ID]: Flat });

/**
 * The address of the configuration service: from the host's configuration, flat or by the extension's identifier, otherwise from `settings.json`
 * next to the app. Never from the page's address: a link must not choose where the sign-in is sent.
 */
export async function serviceAddress(
  configuration: unknown,
  readSettings: () => Promise<unknown>,
): Promise<{ readonly service: string } | { readonly failure: HostFailure }> {
  const text = configured(configuration) ?? configured(await readSettings());
  if (text === undefined) return { failure: { reason: 'service-missing' } };
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return { failure: { reason: 'service-invalid', address: text } };
  return { service: text.replace(/\/+$/, '') };
}

/** `settings.json` next to the app; undefined if there is none. */
export async function readDeployedSettings(): Promise<unknown> {
  try {
    const answer = await fetch('settings.json', { cache: 'no-store' });
    return answer.ok ? await answer.json() : undefined;
  } catch {
    return undefined;
  }
}

function configured(value: unknown): string | undefined {
  const byId = ById.safeParse(value);
  if (byId.success) return byId.data[EXTENSION_ID]?.service;
  const flat = Flat.safeParse(value);
  return flat.success ? flat.data.service : undefined;
}
