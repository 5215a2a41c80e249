import { useCallback, useState } from 'react';
import type { Choices } from '#extension/setup/settings.ts';
import type { Connection } from '../host/connection.ts';
import { PageProperties } from './page-properties/PageProperties.tsx';
import { AuthoringSignInMissing } from './sign-in/AuthoringSignInMissing.tsx';
import { SignIn } from './sign-in/SignIn.tsx';

interface Props {
  readonly connection: Connection;
  readonly path: string;
  readonly mode: 'framed' | 'stand-alone';
}

/** Page properties behind the sign-in. What was corrected outlives a sign-in that ended. */
export function SignedIn({ connection, path, mode }: Props) {
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
  return (
    <PageProperties
      ports={connection.ports}
      path={path}
      service={connection.client.service}
      corrected={corrected}
      onCorrect={setCorrected}
      onSignedOut={signOut}
    />
  );
}
