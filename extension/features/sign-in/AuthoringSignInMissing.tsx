import { Button } from '@adobe/react-spectrum/Button';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Explanation } from '../../ui/Explanation.tsx';
import { HiddenTitle } from '../../ui/HiddenTitle.tsx';
import { useMessages } from '../../ui/use-messages.ts';

interface Props {
  readonly mode: 'framed' | 'stand-alone';
  readonly onSignIn: () => void;
}

/** The authoring system's sign-in was not handed over, so nothing can be read there; a separate window can get it. */
export function AuthoringSignInMissing({ mode, onSignIn }: Props) {
  const { general, signIn } = useMessages();
  return (
    <>
      <HiddenTitle />
      {mode === 'stand-alone' ? (
        <Explanation explained={signIn.codeAlone}>
          <Button variant="accent" onPress={onSignIn}>
            {signIn.inWindow}
          </Button>
        </Explanation>
      ) : (
        <Explanation explained={signIn.notShared}>
          <code className="rp-value">{location.href}</code>
          <CopyButton text={location.href} label={general.copyAddress} />
        </Explanation>
      )}
    </>
  );
}
