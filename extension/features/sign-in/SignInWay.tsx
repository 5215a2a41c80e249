import { ProgressCircle } from '@adobe/react-spectrum/ProgressCircle';
import type { DeviceAuthorization } from '@repoless/contract/session.ts';
import type { MissingSignIn } from '@repoless/core/api/sign-in-requests.ts';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { pollDeviceSignIn, signInByWindow, startDeviceSignIn } from '@repoless/core/api/sign-in.ts';
import type { Failure } from '@repoless/core/situation/call.ts';
import { TextButton } from '../../ui/TextButton.tsx';
import type { Connection } from '../../host/connection.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { FailureNotice, HiddenTitle, Loading } from '../../ui/Notice.tsx';
import { ExternalLink } from '../../ui/ExternalLink.tsx';
import { lazyView } from '../../ui/lazy-component.tsx';
import { useMessages } from '../../ui/use-messages.ts';

interface Props {
  readonly ways: ReturnType<typeof useSignIn>;
  readonly mode: 'framed' | 'stand-alone';
  /** The missing sign-in; a device code cannot provide that of the authoring system. */
  readonly missing: MissingSignIn;
}

const PasteToken = lazyView(async () => (await import('./PasteToken.tsx')).PasteToken);

/** The ways to sign in, and the progress of the chosen one. */
export function SignInWay({ ways, mode, missing }: Props) {
  const messages = useMessages();
  const { state } = ways;
  const choice = <Ways ways={ways} mode={mode} missing={missing} />;
  switch (state.state) {
    case 'exchanging':
    case 'waiting':
      return <Loading text={messages.general.loading} />;
    case 'failed':
      return (
        <FailureNotice failure={state.failure}>
          <TextButton onPress={ways.start} text={messages.general.retry} />
        </FailureNotice>
      );
    case 'choose':
      return (
        <>
          {state.note === 'window-closed' && <Status>{messages.signIn.windowClosed}</Status>}
          {state.note === 'window-refused' && <Status>{messages.signIn.again.windowBlocked}</Status>}
          {choice}
        </>
      );
    case 'window':
      return (
        <>
          <Status>{messages.signIn.windowWaiting}</Status>
          {choice}
        </>
      );
    case 'code':
      return (
        <>
          <Status>{state.windowRefused ? `${messages.signIn.windowBlocked} ${messages.signIn.codeText}` : messages.signIn.codeText}</Status>
          <DeviceCode device={state.device} />
        </>
      );
    case 'code-ended':
      return (
        <>
          <Status>{state.reason === 'denied' ? messages.signIn.codeDenied : messages.signIn.codeExpired}</Status>
          <div className="rp-actions">
            <TextButton variant="accent" onPress={() => ways.withCode()} text={messages.signIn.newCode} />
          </div>
        </>
      );
    default:
      return state satisfies never;
  }
}

function Status({ children }: { readonly children: ReactNode }) {
  return <p role="status">{children}</p>;
}

/** The recommended way comes first: hosts don't allow their frames to open windows. */
function Ways({ ways, mode, missing }: Props) {
  const { signIn } = useMessages();
  if (ways.hosted !== undefined) return missing === 'service' ? <PasteToken onPaste={ways.paste} /> : null;
  const byCode = { text: signIn.withCode, choose: () => ways.withCode() };
  const byWindow = { text: signIn.inWindow, choose: ways.inWindow };
  const [first, second] = missing === 'authoring' ? [byWindow] : mode === 'framed' ? [byCode, byWindow] : [byWindow, byCode];
  return (
    <div className="rp-actions">
      <TextButton variant="accent" onPress={first.choose} text={first.text} />
      {second !== undefined && <TextButton onPress={second.choose} text={second.text} />}
    </div>
  );
}

/** The address and code of a device authorization, to select or copy; a frame may not open a window for them. */
function DeviceCode({ device }: { readonly device: DeviceAuthorization }) {
  const { general, signIn } = useMessages();
  return (
    <>
      <dl className="rp-addresses">
        <div>
          <dt>{signIn.codeAddress}</dt>
          <dd>
            <ExternalLink address={device.verification_uri_complete} copyLabel={general.copyAddress}>
              {device.verification_uri}
            </ExternalLink>
          </dd>
        </div>
        <div>
          <dt>{signIn.code}</dt>
          <dd>
            <span className="rp-user-code">{device.user_code}</span>
            <CopyButton text={device.user_code} label={signIn.copyCode} />
          </dd>
        </div>
      </dl>
      <div className="rp-actions">
        <ProgressCircle isIndeterminate size="S" aria-label={signIn.codeWaiting} />
        <span className="rp-quiet">{signIn.codeWaiting}</span>
      </div>
    </>
  );
}

interface SignInProps {
  readonly connection: Connection;
  readonly mode: 'framed' | 'stand-alone';
  /** There was a sign-in, and it expired. */
  readonly ended: boolean;
  readonly onSignedIn: () => void;
}

/** Signs in to the configuration service: silently if the host's sign-in is trusted, otherwise in a window or with a code. */
export function SignIn({ connection, mode, ended, onSignedIn }: SignInProps) {
  const messages = useMessages();
  const ways = useSignIn(connection, onSignedIn);
  const { state } = ways;
  switch (state.state) {
    case 'exchanging':
      return <Waiting text={mode === 'framed' ? messages.signIn.exchanging : messages.general.loading} />;
    case 'failed':
      return (
        <>
          <HiddenTitle />
          <FailureNotice failure={state.failure}>
            <TextButton onPress={ways.start} text={messages.general.retry} />
          </FailureNotice>
        </>
      );
    case 'waiting':
      return <Waiting text={messages.general.loading} />;
    case 'choose':
    case 'window':
    case 'code':
    case 'code-ended':
      return (
        <section className="rp-narrow" aria-labelledby="rp-sign-in">
          <h1 id="rp-sign-in">{messages.signIn.title}</h1>
          <p role="status">
            {ended
              ? messages.signIn.ended
              : ways.hosted === undefined
                ? messages.signIn.text
                : messages.signIn.paste.text({ address: ways.hosted })}
          </p>
          <SignInWay ways={ways} mode={mode} missing="service" />
        </section>
      );
    default:
      return state satisfies never;
  }
}

function Waiting({ text }: { readonly text: string }) {
  return (
    <>
      <HiddenTitle />
      <Loading text={text} />
    </>
  );
}

/**
 * Signs in: silently with the host's sign-in if that is accepted, otherwise by window or by code, as the person chooses. `missing`: the
 * sign-in whose absence interrupted work; silent ways were already tried.
 */
export function useSignIn(connection: Connection, onSignedIn: () => void, missing?: MissingSignIn) {
  const [state, setState] = useState<SignInState>({ state: missing === undefined ? 'exchanging' : 'choose' });
  const isFirst = missing === undefined;
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
    setState({ state: 'waiting' });
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
      return missing === 'authoring' ? setState({ state: 'choose', note: 'window-refused' }) : withCode(true);
    }
    if (answer.outcome === 'closed') return setState({ state: 'choose', note: 'window-closed' });
    const { token, exp, authoringToken } = answer.message;
    connection.session.accept({ token, exp });
    if (authoringToken !== undefined) connection.acceptAuthoringToken(authoringToken);
    onSignedIn();
  };

  const paste = async (token: string): Promise<void> => {
    const signal = startAttempt();
    setState({ state: 'waiting' });
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
    start: (): void => {
      if (!isFirst) return setState({ state: 'choose' });
      setState({ state: 'exchanging' });
      exchange();
    },
    inWindow: (): void => void inWindow(),
    withCode: (): void => void withCode(),
    /** The address of the hosted service, whose token the person pastes, because there is no other way to sign in. */
    hosted: connection.hosted(),
    paste: (token: string): void => void paste(token),
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
  | { readonly state: 'waiting' }
  | { readonly state: 'code'; readonly device: DeviceAuthorization; readonly windowRefused: boolean }
  | { readonly state: 'code-ended'; readonly reason: 'denied' | 'expired' };
