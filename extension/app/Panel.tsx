import type { PageView, PageView as View } from '@repoless/contract/extension.ts';
import type { Explained } from '@repoless/core/messages/explain-failure.ts';
import { fill } from '@repoless/core/messages/format-message.ts';
import type { Messages } from '@repoless/core/messages/language.ts';
import { use, useCallback, useEffect, useEffectEvent, useMemo, useState, useSyncExternalStore } from 'react';
import { NO_EDITS } from '@repoless/core/plan/choices.ts';
import { LeaveContext } from '../ui/LeaveGuard.tsx';
import { Explanation, HiddenTitle, Loading } from '../ui/Notice.tsx';
import { useFirstFocus } from '../ui/focus.ts';
import { useMessages } from '../ui/use-messages.ts';
import { Surface } from './Surface.tsx';
import { connect, type Connection } from '../host/connection.ts';
import type { Host, HostFailure, HostReady, HostSource } from '../host/host.ts';
import { PageProperties } from '../features/page-properties/PageProperties.tsx';
import { ReauthenticationGuard } from '../features/sign-in/ReauthenticationGuard.tsx';
import { SignIn } from '../features/sign-in/SignInWay.tsx';
import type { SignInAgain } from '../ui/Unread.tsx';
import { lazyView } from '../ui/lazy-component.tsx';
import { CallerContext, SimulationContext } from '../ui/organization-contexts.ts';

interface Props {
  readonly source: HostSource;
  readonly framed: boolean;
  readonly view?: PageView;
  /** The organization from the address, for a page whose settings name none. */
  readonly organization?: string | undefined;
}

export function Panel({ source, framed, view = 'page-properties', organization }: Props) {
  const host = useHost(source);
  useFirstFocus(framed);
  // A rail is not a dialog: its host may have nothing to close, and the library would call it endlessly.
  useCloseOnEscape(host.state === 'ready' && view !== 'sync-status' ? host.close : undefined);
  return (
    <Surface locale={host.locale} theme={host.theme} standAlone={!framed}>
      {host.state !== 'ready' && <HiddenTitle />}
      {host.state === 'loading' && <Connecting />}
      {host.state === 'failed' && <HostFailed failure={host.failure} />}
      {host.state === 'ready' && <Connected source={source} host={host} view={view} organization={organization} />}
    </Surface>
  );
}

function Connecting() {
  return <Loading text={useMessages().general.host.connecting} />;
}

function HostFailed({ failure }: { readonly failure: HostFailure }) {
  return <Explanation explained={explainHost(useMessages(), failure)} />;
}

/** Connects once for a service and an author; the host's current token is read when it is needed. */
function Connected({ source, host, view, organization }: Omit<Required<Props>, 'framed'> & { readonly host: HostReady }) {
  const { service, mode } = host;
  const { author, path } = host.page;
  const connection = useMemo(
    () => connect({ service, author, mode, hostToken: () => authoringToken(source) }),
    [service, author, mode, source],
  );
  useEffect(() => source.subscribe(() => connection.hostChanged()), [source, connection]);
  return <SignedIn connection={connection} path={path} mode={mode} view={view} organization={organization} />;
}

function authoringToken(source: HostSource): string | undefined {
  const host = source.get();
  return host.state === 'ready' ? host.authoringToken : undefined;
}

function explainHost({ general }: Messages, failure: HostFailure): Explained {
  switch (failure.reason) {
    case 'unreachable':
      return general.host.unreachable;
    case 'service-missing':
      return general.host.serviceMissing;
    case 'service-invalid':
      return fill(general.host.serviceInvalid, { address: failure.address });
    case 'page-missing':
      return general.host.pageMissing;
    default:
      return failure satisfies never;
  }
}

function useHost(source: HostSource): Host {
  return useSyncExternalStore(source.subscribe, source.get);
}

/**
 * Escape closes the host's dialog from within its frame, because the host doesn't receive the frame's keys. Elements that use Escape
 * themselves (a menu, a search field) keep it. If something would be lost, it asks first.
 */
export function useCloseOnEscape(close: (() => void) | undefined): void {
  const leaving = use(LeaveContext);
  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    if (close === undefined || event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return;
    if (leaving === undefined) close();
    else leaving.close(close);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => onKey(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

const AuthoringSignInMissing = lazyView(
  async () => (await import('../features/sign-in/AuthoringSignInMissing.tsx')).AuthoringSignInMissing,
  { parts: ['authoring-sign-in'] },
);
const SitesHome = lazyView(async () => (await import('../features/sites/SitesHome.tsx')).SitesHome, {
  parts: ['sites', 'site-check'],
});
const SyncStatus = lazyView(async () => (await import('../features/sync-status/SyncStatus.tsx')).SyncStatus, { parts: ['sync'] });

interface SignedInProps {
  readonly connection: Connection;
  readonly path: string;
  readonly mode: 'framed' | 'stand-alone';
  readonly view: View;
  /** The organization from the address, for a page whose settings name none. */
  readonly organization: string | undefined;
}

/** A view of a page behind the sign-in. Once shown it stays: an expired sign-in is renewed in front of it. */
export function SignedIn({ connection, path, mode, view, organization }: SignedInProps) {
  const [signedIn, setSignedIn] = useState<'first' | 'half' | 'yes' | 'ended'>('first');
  const signIn = useCallback(() => setSignedIn(connection.hasAuthoringToken() ? 'yes' : 'half'), [connection]);
  const signOut = (): void => {
    connection.session.clear();
    setSignedIn('ended');
  };
  if (signedIn === 'yes') {
    return (
      <ReauthenticationGuard connection={connection} mode={mode}>
        <CallerContext value={connection.ports.service}>
          <SimulationContext value={connection.portsOf}>
            <PageView connection={connection} path={path} mode={mode} view={view} organization={organization} />
          </SimulationContext>
        </CallerContext>
      </ReauthenticationGuard>
    );
  }
  const needsAuthoringToken = mode === 'framed' || signedIn === 'half';
  if (needsAuthoringToken && !connection.hasAuthoringToken())
    return <AuthoringSignInMissing connection={connection} mode={mode} onSignIn={signOut} />;
  return <SignIn connection={connection} mode={mode} ended={signedIn === 'ended'} onSignedIn={signIn} />;
}

function PageView({ connection, path, mode, view, organization }: SignedInProps) {
  const [edits, setEdits] = useState(NO_EDITS);
  /** The person declined to sign in, and now wants to: what failed for that reason is retried. */
  const signInAgain: SignInAgain = (onSignedIn) => void connection.signInAgain().then((signedIn) => signedIn && onSignedIn?.());
  if (view === 'sync-status') {
    return <SyncStatus connection={connection} path={path} onSignedOut={signInAgain} />;
  }
  if (view === 'sites' || view === 'organization') {
    return (
      <SitesHome
        ports={connection.ports}
        portsOf={connection.portsOf}
        client={connection.client}
        clientAt={connection.clientAt}
        path={path}
        service={connection.client.service}
        mode={mode}
        organization={organization}
        tab={view === 'sites' ? 'tree' : 'sites'}
        onSignedOut={signInAgain}
      />
    );
  }
  return (
    <PageProperties
      ports={connection.ports}
      path={path}
      service={connection.client.service}
      clientAt={connection.clientAt}
      organization={organization}
      edits={edits}
      onEdit={setEdits}
      onSignedOut={signInAgain}
    />
  );
}
