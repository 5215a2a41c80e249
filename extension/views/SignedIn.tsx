import { useCallback, useState } from 'react';
import type { Choices } from '#extension/setup/settings.ts';
import type { Connection } from '../host/connection.ts';
import { PageProperties } from './page-properties/PageProperties.tsx';
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
