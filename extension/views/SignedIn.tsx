import { lazy, Suspense, useCallback, useState } from 'react';
import type { Choices } from '#extension/setup/settings.ts';
import type { Connection } from '../host/connection.ts';
import type { PageView } from '../routes.ts';
import { PageProperties } from './page-properties/PageProperties.tsx';
import { Loading } from './shared/Loading.tsx';
import { AuthoringSignInMissing } from './sign-in/AuthoringSignInMissing.tsx';
import { SignIn } from './sign-in/SignIn.tsx';
import { useWords } from './use-words.ts';

const SitesHome = lazy(async () => ({ default: (await import('./sites/SitesHome.tsx')).SitesHome }));
const SyncStatus = lazy(async () => ({ default: (await import('./sync-status/SyncStatus.tsx')).SyncStatus }));

interface Props {
  readonly connection: Connection;
  readonly path: string;
  readonly mode: 'framed' | 'stand-alone';
  readonly view: PageView;
}

/** A view of a page behind the sign-in. What was corrected outlives a sign-in that ended. */
export function SignedIn({ connection, path, mode, view }: Props) {
  const words = useWords();
  const [signedIn, setSignedIn] = useState<'first' | 'yes' | 'ended'>('first');
  const [corrected, setCorrected] = useState<Choices>();
  const signIn = useCallback(() => setSignedIn('yes'), []);
  const signOut = (): void => {
    connection.session.forget();
    setSignedIn('ended');
  };
  const asked = mode === 'framed' || signedIn === 'yes';
  if (asked && !connection.knowsAuthoringToken()) return <AuthoringSignInMissing mode={mode} onSignIn={signOut} />;
  if (signedIn !== 'yes') {
    return <SignIn connection={connection} mode={mode} ended={signedIn === 'ended'} onSignedIn={signIn} />;
  }
  if (view === 'sync-status') {
    return (
      <Suspense fallback={<Loading text={words.general.loading} />}>
        <SyncStatus connection={connection} path={path} onSignedOut={signOut} />
      </Suspense>
    );
  }
  if (view === 'sites' || view === 'organization') {
    return (
      <Suspense fallback={<Loading text={words.general.loading} />}>
        <SitesHome
          ports={connection.ports}
          portsOf={connection.portsOf}
          path={path}
          service={connection.client.service}
          mode={mode}
          tab={view === 'sites' ? 'tree' : 'organization'}
          onSignedOut={signOut}
        />
      </Suspense>
    );
  }
  return (
    <PageProperties
      ports={connection.ports}
      path={path}
      service={connection.client.service}
      buildsAt={connection.buildsAt}
      corrected={corrected}
      onCorrect={setCorrected}
      onSignedOut={signOut}
    />
  );
}
