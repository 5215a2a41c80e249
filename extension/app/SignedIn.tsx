import type { PageView as View } from '@repoless/contract/extension.ts';
import { NO_EDITS } from '@repoless/core/plan/choices.ts';
import { useCallback, useState } from 'react';
import { PageProperties } from '../features/page-properties/PageProperties.tsx';
import { ReauthenticationGuard } from '../features/sign-in/ReauthenticationGuard.tsx';
import { SignIn } from '../features/sign-in/SignInWay.tsx';
import type { SignInAgain } from '../ui/Unread.tsx';
import { lazyView } from '../ui/lazy-component.tsx';
import { CallerContext, SimulationContext } from '../ui/organization-contexts.ts';
import type { Connection } from '../host/connection.ts';

const AuthoringSignInMissing = lazyView(
  async () => (await import('../features/sign-in/AuthoringSignInMissing.tsx')).AuthoringSignInMissing,
  { parts: ['authoring-sign-in'] },
);
const SitesHome = lazyView(async () => (await import('../features/sites/SitesHome.tsx')).SitesHome, {
  parts: ['sites', 'site-check'],
});
const SyncStatus = lazyView(async () => (await import('../features/sync-status/SyncStatus.tsx')).SyncStatus, { parts: ['sync'] });

interface Props {
  readonly connection: Connection;
  readonly path: string;
  readonly mode: 'framed' | 'stand-alone';
  readonly view: View;
  /** The organization from the address, for a page whose settings name none. */
  readonly organization: string | undefined;
}

/** A view of a page behind the sign-in. Once shown it stays: an expired sign-in is renewed in front of it. */
export function SignedIn({ connection, path, mode, view, organization }: Props) {
  const [signedIn, setSignedIn] = useState<'first' | 'half' | 'yes' | 'ended'>('first');
  const signIn = useCallback(() => setSignedIn(connection.knowsAuthoringToken() ? 'yes' : 'half'), [connection]);
  const signOut = (): void => {
    connection.session.forget();
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
  const asked = mode === 'framed' || signedIn === 'half';
  if (asked && !connection.knowsAuthoringToken()) return <AuthoringSignInMissing connection={connection} mode={mode} onSignIn={signOut} />;
  return <SignIn connection={connection} mode={mode} ended={signedIn === 'ended'} onSignedIn={signIn} />;
}

function PageView({ connection, path, mode, view, organization }: Props) {
  const [edits, setEdits] = useState(NO_EDITS);
  /** The person declined to sign in, and now wants to: what failed for that reason is retried. */
  const signInAgain: SignInAgain = (goOn) => void connection.signInAgain().then((signedIn) => signedIn && goOn?.());
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
