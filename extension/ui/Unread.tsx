import type { Explained, Sentences } from '@repoless/core/messages/explain-failure.ts';
import { type Denied, deniedBy } from '@repoless/core/checks/caller-permissions.ts';
import { type Failure, isSignedOut } from '@repoless/core/situation/call.ts';
import { TextButton } from './TextButton.tsx';
import { Explanation, FailureNotice, Status } from './Notice.tsx';
import { lazyView } from './lazy-component.tsx';
import { useMessages } from './use-messages.ts';

const NoPermission = lazyView(async () => (await import('./NoPermission.tsx')).NoPermission, { parts: ['permission'] });

interface Props {
  readonly reading: { readonly state: 'loading' | 'missing' } | { readonly state: 'failed'; readonly failure: Failure };
  readonly loading: string;
  readonly missing: Explained;
  readonly onRetry: () => void;
  /** What it is about, for a person who may not read it. */
  readonly about?: Denied;
  /** Set if the view has its own sentences. */
  readonly messages?: Sentences;
}

/** Text for what could not be read (yet). */
export function Unread({ reading, loading, missing, onRetry, ...rest }: Props) {
  switch (reading.state) {
    case 'loading':
      return <Status>{loading}</Status>;
    case 'missing':
      return <Explanation explained={missing} />;
    case 'failed':
      return <ReadRefused failure={reading.failure} onRetry={onRetry} {...rest} />;
    default:
      return reading satisfies never;
  }
}

interface RefusedProps {
  readonly failure: Failure;
  readonly title?: string;
  readonly onRetry: () => void;
  /** Offers to sign in, if that is what is missing. */
  readonly onSignedOut?: SignInAgain;
  readonly about?: Denied;
  readonly messages?: Sentences;
}

/** Why something could not be read or reloaded, and what to do. */
export function ReadRefused({ failure, title, onRetry, onSignedOut, about, messages: own }: RefusedProps) {
  const general = useMessages();
  const messages = own ?? general;
  const denied = deniedBy(failure);
  if (denied !== undefined) return <NoPermission denied={{ ...denied, ...about }} onRetry={onRetry} />;
  return (
    <FailureNotice {...(title === undefined ? {} : { title })} messages={messages} failure={failure} hasFields>
      {onSignedOut !== undefined && isSignedOut(failure) ? (
        <TextButton variant="accent" onPress={() => onSignedOut(onRetry)} text={messages.signIn.inWindow} />
      ) : (
        <TextButton onPress={onRetry} text={messages.general.retry} />
      )}
    </FailureNotice>
  );
}

/** Signs in again at the person's request; `onSignedIn` retries what failed without a sign-in. */
export type SignInAgain = (onSignedIn?: () => void) => void;
