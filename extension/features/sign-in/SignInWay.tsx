import { ProgressCircle } from '@adobe/react-spectrum/ProgressCircle';
import type { DeviceAuthorization } from '@repoless/contract/session.ts';
import type { MissingSignIn } from '@repoless/core/api/sign-in-requests.ts';
import type { ReactNode } from 'react';
import { TextButton } from '../../ui/TextButton.tsx';
import type { Connection } from '../../host/connection.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { ExternalLink } from '../../ui/ExternalLink.tsx';
import { HiddenTitle, Loading } from '../../ui/Loading.tsx';
import { lazyView } from '../../ui/lazy-component.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { type SignInWays, useSignIn } from './use-sign-in.ts';

interface Props {
  readonly ways: SignInWays;
  readonly mode: 'framed' | 'stand-alone';
  /** The missing sign-in; a device code cannot provide that of the authoring system. */
  readonly lacking: MissingSignIn;
}

const PasteToken = lazyView(async () => (await import('./PasteToken.tsx')).PasteToken);

/** The ways to sign in, and the progress of the chosen one. */
export function SignInWay({ ways, mode, lacking }: Props) {
  const messages = useMessages();
  const { state } = ways;
  const choice = <Ways ways={ways} mode={mode} lacking={lacking} />;
  switch (state.state) {
    case 'exchanging':
    case 'code-asked':
      return <Loading text={messages.general.loading} />;
    case 'failed':
      return (
        <FailureNotice failure={state.failure}>
          <TextButton onPress={ways.begin} text={messages.general.retry} />
        </FailureNotice>
      );
    case 'choose':
      return (
        <>
          {state.note === 'window-closed' && <Said>{messages.signIn.windowClosed}</Said>}
          {state.note === 'window-refused' && <Said>{messages.signIn.again.windowBlocked}</Said>}
          {choice}
        </>
      );
    case 'window':
      return (
        <>
          <Said>{messages.signIn.windowWaiting}</Said>
          {choice}
        </>
      );
    case 'code':
      return (
        <>
          <Said>{state.windowRefused ? `${messages.signIn.windowBlocked} ${messages.signIn.codeText}` : messages.signIn.codeText}</Said>
          <DeviceCode device={state.device} />
        </>
      );
    case 'code-ended':
      return (
        <>
          <Said>{state.reason === 'denied' ? messages.signIn.codeDenied : messages.signIn.codeExpired}</Said>
          <div className="rp-actions">
            <TextButton variant="accent" onPress={() => ways.withCode()} text={messages.signIn.newCode} />
          </div>
        </>
      );
    default:
      return state satisfies never;
  }
}

function Said({ children }: { readonly children: ReactNode }) {
  return <p role="status">{children}</p>;
}

/** The recommended way comes first: hosts don't allow their frames to open windows. */
function Ways({ ways, mode, lacking }: Props) {
  const { signIn } = useMessages();
  if (ways.hosted !== undefined) return lacking === 'service' ? <PasteToken onPaste={ways.paste} /> : null;
  const byCode = { text: signIn.withCode, choose: () => ways.withCode() };
  const byWindow = { text: signIn.inWindow, choose: ways.inWindow };
  const [first, second] = lacking === 'authoring' ? [byWindow] : mode === 'framed' ? [byCode, byWindow] : [byWindow, byCode];
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
            <TextButton onPress={ways.begin} text={messages.general.retry} />
          </FailureNotice>
        </>
      );
    case 'code-asked':
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
          <SignInWay ways={ways} mode={mode} lacking="service" />
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
