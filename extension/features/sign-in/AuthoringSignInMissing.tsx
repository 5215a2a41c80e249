import { TextButton } from '../../ui/TextButton.tsx';
import type { Connection } from '../../host/connection.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Explanation, HiddenTitle, Loading } from '../../ui/Notice.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { useReading } from '../../ui/use-reading.ts';

interface Props {
  readonly connection: Connection;
  readonly mode: 'framed' | 'stand-alone';
  readonly onSignIn: () => void;
}

/**
 * The authoring system's sign-in was not handed over, so nothing can be read there. A separate window can get it, unless the service is a
 * front to the hosted one, which has no sign-in to the authoring system.
 */
export function AuthoringSignInMissing({ connection, mode, onSignIn }: Props) {
  const { general, signIn, authoringSignIn } = useMessages('authoring-sign-in');
  const [info] = useReading(connection.ports.service.info);
  if (info.state === 'loading') return <Loading text={general.loading} />;
  return (
    <>
      <HiddenTitle />
      {connection.hosted() !== undefined ? (
        <Explanation explained={authoringSignIn.hosted} />
      ) : mode === 'stand-alone' ? (
        <Explanation explained={authoringSignIn.codeAlone}>
          <TextButton variant="accent" onPress={onSignIn} text={signIn.inWindow} />
        </Explanation>
      ) : (
        <Explanation explained={authoringSignIn.notShared}>
          <code className="rp-value">{location.href}</code>
          <CopyButton text={location.href} label={general.copyAddress} />
        </Explanation>
      )}
    </>
  );
}
