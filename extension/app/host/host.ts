/** The page whose properties are shown, and the author that holds it. */
export interface PageAddress {
  readonly author: string;
  readonly path: string;
}

export type Theme = 'light' | 'dark' | 'system';

/** What follows the host while the panel is open. */
export interface HostContext {
  readonly locale: string;
  readonly theme: Theme;
}

export type HostFailure =
  | { readonly reason: 'unreachable' }
  | { readonly reason: 'service-missing' }
  | { readonly reason: 'service-invalid'; readonly address: string }
  | { readonly reason: 'page-missing' };

/** Where the panel runs: framed by the authoring system's host, or by itself. */
export type Host =
  | ({ readonly state: 'loading' } & HostContext)
  | ({ readonly state: 'failed'; readonly failure: HostFailure } & HostContext)
  | ({ readonly state: 'ready' } & HostReady);

export interface HostReady extends HostContext {
  readonly mode: 'framed' | 'stand-alone';
  readonly page: PageAddress;
  /** Address of the configuration service, without a trailing slash. */
  readonly service: string;
  /** The host's own sign-in with the authoring system; stand-alone it comes with signing in. */
  readonly authoringToken?: string;
  /** Closes the modal; absent where there is nothing to close. */
  readonly close?: () => void;
}

/** A host that changes while the panel is open, for `useSyncExternalStore`. */
export interface HostSource {
  get(): Host;
  subscribe(listener: () => void): () => void;
}
