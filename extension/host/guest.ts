import { z } from 'zod';
import { attach } from '@adobe/uix-guest';
import {
  createHostSource,
  EXTENSION_ID,
  fitLocale,
  type Host,
  type HostContext,
  type HostSource,
  type PageAddress,
  readDeployedSettings,
  serviceAddress,
} from './host.ts';

/**
 * Connects to the framing host (docs/design-facts.md 1.1), once per document: the host ignores a second connection
 * (docs/design-facts.md 1.2). Takes what the route says about the page; the editor is asked for the rest. The source
 * starts as loading, then becomes ready or failed, then follows the context.
 */
export function connectFrame(page: Partial<PageAddress>): HostSource {
  const source = createHostSource({ state: 'loading', locale: fitLocale(navigator.language), theme: 'light' });
  const fail = (failure: Extract<Host, { state: 'failed' }>['failure']): void =>
    source.update(({ locale, theme }) => ({ state: 'failed', failure, locale, theme }));
  onContext((values) => source.update((host) => follow(host, values)));
  void connect(page, source.update).then(
    (failure) => failure === undefined || fail(failure),
    () => fail({ reason: 'unreachable' }),
  );
  return source;
}

async function connect(options: Partial<PageAddress>, update: (change: (host: Host) => Host) => void) {
  const guest = await attach({ id: EXTENSION_ID });
  const host = hostMethods(guest);
  guest.addEventListener('contextchange', (event) => update((now) => follow(now, readContext(event.detail.context))));
  const shared = readSharedContext((key) => guest.sharedContext.get(key));
  update((now) => follow(now, shared));
  const [service, page] = await Promise.all([
    serviceAddress(guest.configuration, readDeployedSettings),
    options.author !== undefined && options.path !== undefined ? { author: options.author, path: options.path } : readEditorPage(host),
  ]);
  if ('failure' in service) return service.failure;
  if (page === undefined) return { reason: 'page-missing' } as const;
  const close = (): void => void callHost(() => host.modal.close());
  update(({ locale, theme }) => ({ state: 'ready', mode: 'framed', locale, theme, page, close, ...service, ...token(shared) }));
  return undefined;
}

async function readEditorPage(host: HostMethods): Promise<PageAddress | undefined> {
  return editedPage(await callHost(() => host.editorState.get()));
}

function follow(host: Host, values: SharedValues): Host {
  const context: HostContext = { locale: values.locale ?? host.locale, theme: values.theme ?? host.theme };
  return host.state === 'ready' ? { ...host, ...context, ...token(values) } : { ...host, ...context };
}

function token(values: SharedValues): { authoringToken?: string } {
  return values.authoringToken === undefined ? {} : { authoringToken: values.authoringToken };
}

function readContext(context: Readonly<Record<string, unknown>>): SharedValues {
  return readSharedContext((key) => context[key]);
}

/** The panel in its own window: page from the address, service from `settings.json`, colors from the system. */
export function connectStandAlone(page: Partial<PageAddress>): HostSource {
  const context = { locale: fitLocale(navigator.language), theme: 'system' } as const;
  const source = createHostSource({ state: 'loading', ...context });
  void serviceAddress(undefined, readDeployedSettings).then((service) => {
    source.update(() => {
      if ('failure' in service) return { state: 'failed', failure: service.failure, ...context };
      const { author, path } = page;
      if (author === undefined || path === undefined) return { state: 'failed', failure: { reason: 'page-missing' }, ...context };
      return { state: 'ready', mode: 'stand-alone', page: { author, path }, ...service, ...context };
    });
  });
  return source;
}

/** The host's methods that this extension calls. Arguments and answers are plain data. */
interface HostMethods {
  readonly modal: {
    showUrl(options: {
      readonly url: string;
      readonly title: string;
      readonly width: string;
      readonly height: string;
      readonly isDismissable: boolean;
    }): Promise<unknown>;
    close(): Promise<unknown>;
  };
  readonly editorState: { get(): Promise<unknown> };
}

/** The answer of a host method, or undefined if it does not arrive: the library repeats calls of a missing method endlessly. */
export async function callHost<T>(call: () => Promise<T>, timeout = 3000): Promise<T | undefined> {
  const { promise: tooLate, resolve } = timer(timeout);
  try {
    return await Promise.race([call(), tooLate]);
  } catch {
    return undefined;
  } finally {
    resolve();
  }
}

function timer(milliseconds: number): { promise: Promise<undefined>; resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<undefined>((done) => {
    const id = setTimeout(() => done(undefined), milliseconds);
    resolve = () => clearTimeout(id);
  });
  return { promise, resolve };
}

/** The library leaves the host's methods untyped; these are the ones used here, each guarded by `callHost`. */
export function hostMethods(guest: { readonly host: unknown }): HostMethods {
  return guest.host as HostMethods;
}

const Locale = z.string().min(2);
const Theme = z.enum(['light', 'dark']);
const Token = z.string().min(1);

/** The values shared by the host that the panel follows. Values of unexpected types count as absent. */
interface SharedValues extends Partial<HostContext> {
  readonly authoringToken?: string;
}

/** Reads the shared context with a reader by key. Returns locale, theme and the authoring system's token, if present. */
export function readSharedContext(get: (key: string) => unknown): SharedValues {
  const locale = Locale.safeParse(get('locale'));
  const theme = Theme.safeParse(get('theme'));
  const token = Token.safeParse(get('token'));
  return {
    ...(locale.success ? { locale: fitLocale(locale.data) } : {}),
    ...(theme.success ? { theme: theme.data } : {}),
    ...(token.success ? { authoringToken: token.data } : {}),
  };
}

/**
 * The host sends context changes only to the hidden frame, which forwards them to the visible frames of the same host
 * over a channel of our own origin.
 */
export function sendContext(context: Readonly<Record<string, unknown>>): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage({ host: hostOrigin(), context });
  channel.close();
}

function onContext(listener: (values: SharedValues) => void): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', (event: MessageEvent<unknown>) => {
    const message = event.data;
    if (!isRecord(message) || message['host'] !== hostOrigin() || !isRecord(message['context'])) return;
    const context = message['context'];
    listener(readSharedContext((key) => context[key]));
  });
}

const CHANNEL = 'repoless-context';

function hostOrigin(): string {
  return URL.canParse(document.referrer) ? new URL(document.referrer).origin : '';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

const EditorState = z.looseObject({
  connections: z.record(z.string(), z.string()).optional(),
  location: z.string().optional(),
  editables: z.array(z.looseObject({ resource: z.string().optional() })).optional(),
});

/**
 * The page that is open in the editor. Takes the host's `editorState` unvalidated. Returns the author of its first connection
 * (`aem:https://author-…`) and the page's path, from the location or otherwise from the editable elements; undefined if either is
 * unknown.
 */
export function editedPage(state: unknown): PageAddress | undefined {
  const parsed = EditorState.safeParse(state);
  if (!parsed.success) return undefined;
  const author = authorOf(Object.values(parsed.data.connections ?? {}), parsed.data.location);
  const path = pathOf(parsed.data.location) ?? pathOfResources((parsed.data.editables ?? []).map((editable) => editable.resource));
  return author === undefined || path === undefined ? undefined : { author, path };
}

function authorOf(connections: readonly string[], location: string | undefined): string | undefined {
  for (const connection of connections) {
    const address = connection.replace(/^[a-z]+:(?=https?:)/, '');
    if (URL.canParse(address)) return new URL(address).origin;
  }
  return location !== undefined && URL.canParse(location) ? new URL(location).origin : undefined;
}

function pathOf(location: string | undefined): string | undefined {
  if (location === undefined) return undefined;
  const path = URL.canParse(location) ? new URL(location).pathname : location.split(/[?#]/)[0];
  return path?.startsWith('/content/') ? path.replace(/\.html$/, '').replace(/\/$/, '') : undefined;
}

function pathOfResources(resources: readonly (string | undefined)[]): string | undefined {
  for (const resource of resources) {
    const match = /(\/content\/[^:]*?)\/(?:jcr:content|_jcr_content)(?:\/|$)/.exec(resource ?? '');
    if (match?.[1] !== undefined) return match[1];
  }
  return undefined;
}
