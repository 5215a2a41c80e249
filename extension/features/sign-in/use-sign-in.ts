import type { DeviceAuthorization } from '@repoless/contract/session.ts';
import { pollDeviceSignIn, signInByWindow, startDeviceSignIn } from '@repoless/core/api/sign-in.ts';
import type { MissingSignIn } from '@repoless/core/api/sign-in-requests.ts';
import type { Failure } from '@repoless/core/situation/call.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Connection } from '../../host/connection.ts';

export interface SignInWays {
  readonly state: SignInState;
  begin(): void;
  inWindow(): void;
  withCode(windowRefused?: boolean): void;
  /** The address of the hosted service, whose token the person pastes, because there is no other way to sign in. */
  readonly hosted: string | undefined;
  paste(token: string): void;
}

interface Again {
  /** The sign-in that interrupted work; silent ways were already tried. */
  readonly lacking: MissingSignIn;
}

/** Signs in: silently with the host's sign-in if that is accepted, otherwise by window or by code, as the person chooses. */
export function useSignIn(connection: Connection, onSignedIn: () => void, again?: Again): SignInWays {
  const [state, setState] = useState<SignInState>({ state: again === undefined ? 'exchanging' : 'choose' });
  const isFirst = again === undefined;
  const attempt = useRef<AbortController>(null);
  const startAttempt = useCallback((): AbortSignal => {
    attempt.current?.abort();
    attempt.current = new AbortController();
    return attempt.current.signal;
  }, []);

  const exchange = useCallback((): void => {
    const signal = startAttempt();
    void exchangeSilently(connection).then((found) => {
      if (signal.aborted) return;
      if (found === 'signed-in') onSignedIn();
      else setState(found);
    });
  }, [connection, onSignedIn, startAttempt]);

  const withCode = async (windowRefused = false): Promise<void> => {
    const signal = startAttempt();
    setState({ state: 'code-asked' });
    const device = await startDeviceSignIn(connection.anonymous);
    if (signal.aborted) return;
    if (device.state !== 'known') {
      return setState({ state: 'failed', failure: device.state === 'failed' ? device.failure : { kind: 'unexpected' } });
    }
    setState({ state: 'code', device: device.value, windowRefused });
    const { wait, now } = connection.ports;
    const answer = await pollDeviceSignIn(connection.anonymous, device.value, { signal, wait, now });
    if (signal.aborted || answer.outcome === 'stopped') return;
    if (answer.outcome === 'failed') return setState({ state: 'failed', failure: answer.failure });
    if (answer.outcome !== 'signed-in') return setState({ state: 'code-ended', reason: answer.outcome });
    connection.session.accept(answer.token);
    onSignedIn();
  };

  const inWindow = async (): Promise<void> => {
    const signal = startAttempt();
    setState({ state: 'window' });
    const answer = await signInByWindow(connection.client.service, window, signal);
    if (signal.aborted) return;
    if (answer.outcome === 'window-refused') {
      return again?.lacking === 'authoring' ? setState({ state: 'choose', note: 'window-refused' }) : withCode(true);
    }
    if (answer.outcome === 'closed') return setState({ state: 'choose', note: 'window-closed' });
    const { token, exp, authoringToken } = answer.message;
    connection.session.accept({ token, exp });
    if (authoringToken !== undefined) connection.acceptAuthoringToken(authoringToken);
    onSignedIn();
  };

  const paste = async (token: string): Promise<void> => {
    const signal = startAttempt();
    setState({ state: 'code-asked' });
    const failure = await connection.session.paste(token);
    if (signal.aborted) return;
    if (failure === undefined) onSignedIn();
    else setState({ state: 'failed', failure });
  };

  useEffect(() => {
    if (isFirst) exchange();
  }, [exchange, isFirst]);
  useEffect(() => () => attempt.current?.abort(), []);

  return {
    state,
    begin: () => {
      if (!isFirst) return setState({ state: 'choose' });
      setState({ state: 'exchanging' });
      exchange();
    },
    inWindow: () => void inWindow(),
    withCode: (windowRefused) => void withCode(windowRefused),
    hosted: connection.hosted(),
    paste: (token) => void paste(token),
  };
}

/** Tries what requires no one's input; also checks whether there is a service to sign in to. */
async function exchangeSilently(connection: Connection): Promise<SignInState | 'signed-in'> {
  const [info, token] = await Promise.all([connection.ports.service.info(), connection.session.token()]);
  if (token !== undefined) return 'signed-in';
  return info.state === 'failed' ? { state: 'failed', failure: info.failure } : { state: 'choose' };
}

/** The progress of a sign-in. `choose` offers the ways; the other states wait, or say why a way failed. */
type SignInState =
  | { readonly state: 'exchanging' }
  | { readonly state: 'failed'; readonly failure: Failure }
  | { readonly state: 'choose'; readonly note?: 'window-closed' | 'window-refused' }
  | { readonly state: 'window' }
  | { readonly state: 'code-asked' }
  | { readonly state: 'code'; readonly device: DeviceAuthorization; readonly windowRefused: boolean }
  | { readonly state: 'code-ended'; readonly reason: 'denied' | 'expired' };
