import { useCallback, useEffect, useState } from 'react';
import { loadAuthoringScript } from '../host/authoring-script.ts';
import { readSettings } from '../settings.ts';
import type { Settings } from '../settings.ts';
import { startSignIn, currentSession, endSession, onSignedIn } from './sign-in.ts';
import type { Session } from './sign-in.ts';

export type SessionState =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly sentence: string }
  | { readonly state: 'signed-out'; readonly settings: Settings; readonly problem?: string; signIn(): void }
  | { readonly state: 'signed-in'; readonly settings: Settings; readonly session: Session; signOut(): void };

/** Reads the settings and the session once, and lets the user in and out. */
export function useSession(): SessionState {
  const [found, setFound] = useState<Found>({ state: 'loading' });
  useEffect(() => {
    let gone = false;
    void find().then((result) => {
      if (!gone) setFound(result);
    });
    return () => {
      gone = true;
    };
  }, []);
  const email = found.state === 'signed-in' ? found.session.email : undefined;
  useEffect(() => {
    if (email === undefined) return undefined;
    return onSignedIn(email, (session) => setFound((now) => (now.state === 'signed-in' ? { ...now, session } : now)));
  }, [email]);
  const settings = 'settings' in found ? found.settings : undefined;
  const signIn = useCallback(() => {
    if (settings !== undefined) void startSignIn(settings);
  }, [settings]);
  const signOut = useCallback(() => {
    endSession();
    if (settings !== undefined) setFound({ state: 'signed-out', settings });
  }, [settings]);
  if (found.state === 'signed-out') return { ...found, signIn };
  if (found.state === 'signed-in') return { ...found, signOut };
  return found;
}

type Found =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly sentence: string }
  | { readonly state: 'signed-out'; readonly settings: Settings; readonly problem?: string }
  | { readonly state: 'signed-in'; readonly settings: Settings; readonly session: Session };

async function find(): Promise<Found> {
  let settings: Settings;
  try {
    settings = await readSettings();
    loadAuthoringScript(settings);
  } catch (error) {
    return { state: 'failed', sentence: sentence(error) };
  }
  try {
    const session = await currentSession(settings);
    return session === undefined ? { state: 'signed-out', settings } : { state: 'signed-in', settings, session };
  } catch (error) {
    return { state: 'signed-out', settings, problem: sentence(error) };
  }
}

function sentence(error: unknown): string {
  return error instanceof Error ? error.message : 'Something went wrong. Reload the page.';
}
