import { Button } from '@adobe/react-spectrum/Button';
import { explainFailure, fieldSentences } from '@repoless/core/messages/explain-failure.ts';
import { fill } from '@repoless/core/messages/format-message.ts';
import { isSignedOut } from '@repoless/core/run/failures.ts';
import type { Failure } from '@repoless/core/situation/situation.ts';
import { organizationAddress } from '../../app/host/address-state.ts';
import { Explanation } from '../../ui/Explanation.tsx';
import type { SignInAgain } from '../../ui/Unread.tsx';
import { AddressLink } from '../../ui/address/AddressLink.tsx';
import { useMessages } from '../../ui/use-messages.ts';

interface Props {
  readonly path: string;
  /** Absent where there is no such page. */
  readonly failure?: Failure;
  readonly onRetry: () => void;
  readonly onSignedOut: SignInAgain;
}

/** The page could not be read: why, and the way on. */
export function ReadFailed(props: Props) {
  const messages = useMessages();
  return (
    <>
      <h1>{messages.page.readFailed}</h1>
      <ReadFailure {...props} />
      <p>
        <AddressLink address={organizationAddress()}>{messages.general.shell.allSites({ organization: '' })}</AddressLink>
      </p>
    </>
  );
}

/** The same where something that was read before is still on the screen. */
export function ReadFailure({ path, failure, onRetry, onSignedOut }: Props) {
  const messages = useMessages();
  const explained = failure === undefined ? fill(messages.page.pageMissing, { path }) : explainFailure(messages, failure);
  return (
    <Explanation explained={explained} details={failure === undefined ? [] : fieldSentences(failure)}>
      <Button variant="secondary" onPress={onRetry}>
        {messages.general.retry}
      </Button>
      {failure !== undefined && isSignedOut(failure) && (
        <Button variant="accent" onPress={() => onSignedOut(onRetry)}>
          {messages.signIn.inWindow}
        </Button>
      )}
    </Explanation>
  );
}
