import { attach } from '@adobe/uix-guest';
import { onContext } from './context-channel.ts';
import { createHostSource } from './create-host-source.ts';
import { editedPage } from './edited-page.ts';
import { askHost, hostMethods } from './guest.ts';
import type { HostMethods } from './guest.ts';
import type { Host, HostSource, PageAddress, HostContext } from './host.ts';
import { EXTENSION_ID, readDeployedSettings, serviceAddress } from './service-address.ts';
import { fitLocale } from './fit-locale.ts';
import { readSharedContext } from './shared-context.ts';
import type { SharedValues } from './shared-context.ts';

/**
 * Attaches to the framing host (docs/design-facts.md 1.1), once for the document: the host hears no second offer
 * (docs/design-facts.md 1.2). In: what the route already says of the page; the editor is asked for the rest. Out: loading,
 * then ready or failed, then whatever the context becomes.
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

async function connect(given: Partial<PageAddress>, update: (change: (host: Host) => Host) => void) {
  const guest = await attach({ id: EXTENSION_ID });
  const host = hostMethods(guest);
  guest.addEventListener('contextchange', (event) => update((now) => follow(now, readContext(event.detail.context))));
  const shared = readSharedContext((key) => guest.sharedContext.get(key));
  update((now) => follow(now, shared));
  const [service, page] = await Promise.all([
    serviceAddress(guest.configuration, readDeployedSettings),
    given.author !== undefined && given.path !== undefined ? { author: given.author, path: given.path } : askEditor(host),
  ]);
  if ('failure' in service) return service.failure;
  if (page === undefined) return { reason: 'page-missing' } as const;
  const close = (): void => void askHost(() => host.modal.close());
  update(({ locale, theme }) => ({ state: 'ready', mode: 'framed', locale, theme, page, close, ...service, ...token(shared) }));
  return undefined;
}

async function askEditor(host: HostMethods): Promise<PageAddress | undefined> {
  return editedPage(await askHost(() => host.editorState.get()));
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
