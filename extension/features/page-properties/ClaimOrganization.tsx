import { useDateFormatter } from '@adobe/react-spectrum/useDateFormatter';
import { useState } from 'react';
import type { Challenge } from '@repoless/contract/org.ts';
import type { ServicePort } from '@repoless/core/situation/ports.ts';
import { failureOf, type Known } from '@repoless/core/situation/call.ts';
import { TextInput } from '../../ui/forms.tsx';
import { TextButton } from '../../ui/TextButton.tsx';
import { Card } from '../../ui/Card.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { useMessages } from '../../ui/use-messages.ts';

interface Props {
  readonly service: Pick<ServicePort, 'challenge'>;
  readonly organization: string;
  /** Proposed for the proof of ownership. */
  readonly repository: string;
  readonly isReading: boolean;
  /** The file is committed: read again, so that the plan can continue. */
  readonly onCheck: () => void;
}

/** Proves that the person controls the organization on the code host: a file to commit, which is then read. */
export function ClaimOrganization({ service, organization, repository: proposed, isReading, onCheck }: Props) {
  const messages = useMessages('setup');
  const [repository, setRepository] = useState(proposed);
  const [challenge, setChallenge] = useState<Known<Challenge> | 'requested'>();
  const requestChallenge = async (): Promise<void> => {
    setChallenge('requested');
    setChallenge(await service.challenge(organization, repository.trim()));
  };
  return (
    <Card id="rp-claim" title={messages.claim.title({ organization })}>
      <p>{messages.claim.text}</p>
      <TextInput
        label={messages.claim.repository}
        description={messages.claim.repositoryHelp}
        value={repository}
        onChange={setRepository}
      />
      <div className="rp-actions">
        <TextButton
          isDisabled={challenge === 'requested' || repository.trim() === ''}
          onPress={() => void requestChallenge()}
          text={messages.claim.get}
        />
      </div>
      {typeof challenge === 'object' && challenge.state !== 'known' && (
        <FailureNotice messages={messages} failure={failureOf(challenge)} hasFields />
      )}
      {typeof challenge === 'object' && challenge.state === 'known' && (
        <Proof challenge={challenge.value} isReading={isReading} onCheck={onCheck} />
      )}
    </Card>
  );
}

function Proof({ challenge, isReading, onCheck }: Pick<Props, 'isReading' | 'onCheck'> & { readonly challenge: Challenge }) {
  const { claim } = useMessages('setup');
  const dates = useDateFormatter({ dateStyle: 'long', timeStyle: 'short' });
  const rows = [
    [claim.path, challenge.path, claim.copyPath],
    [claim.token, challenge.token, claim.copyToken],
  ] as const;
  return (
    <>
      <p role="status">{claim.commit({ path: challenge.path, repository: challenge.repository, branch: challenge.branch })}</p>
      <dl className="rp-addresses">
        {rows.map(([name, text, label]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <code className="rp-value">{text}</code>
              <CopyButton text={text} label={label} />
            </dd>
          </div>
        ))}
      </dl>
      <p className="rp-quiet">{claim.until({ time: dates.format(new Date(challenge.expires)) })}</p>
      <div className="rp-actions">
        <TextButton variant="accent" isDisabled={isReading} onPress={onCheck} text={claim.check} />
      </div>
    </>
  );
}
