import { Button } from '@adobe/react-spectrum/Button';
import { ComboBox, Item } from '@adobe/react-spectrum/ComboBox';
import { useState } from 'react';
import type { ExternalRepository, LinkOutcome } from '#contract/build-management.ts';
import type { Failure, Known } from '#extension/setup/situation.ts';
import { explainFailure, fieldSentences } from '#extension/messages/explain-failure.ts';
import { failureOf } from '#extension/setup/failure-of.ts';
import { Explanation } from '../shared/Explanation.tsx';
import { useFocusBack } from '../shared/use-focus-back.ts';
import { useMessages } from '../messages/use-messages.ts';
import { Question } from './Question.tsx';

interface Props {
  readonly repository: ExternalRepository;
  readonly sites: readonly string[];
  readonly link: (site: string) => Promise<Known<LinkOutcome>>;
  readonly onLinked: (outcome: LinkOutcome) => void;
}

/** Links the repository to a site, or makes its site a new secret, after saying what that revokes. */
export function LinkSite({ repository, sites, link, onLinked }: Props) {
  const messages = useMessages('sync');
  const { link: say } = messages.external;
  const before = repository.link?.site;
  const [site, setSite] = useState(before ?? '');
  const [asking, setAsking] = useState<'no' | 'confirm' | 'linking' | Failure>('no');
  const [button, focusBack] = useFocusBack();
  if (repository.state !== 'READY') return <p className="rp-quiet">{say.notReady}</p>;
  const known = sites.includes(site);
  const confirmed = async (): Promise<void> => {
    setAsking('linking');
    const outcome = await link(site);
    if (outcome.state !== 'known') return setAsking(failureOf(outcome));
    setAsking('no');
    onLinked(outcome.value);
  };
  return (
    <div className="rp-paste">
      <p className="rp-quiet">{say.text}</p>
      <ComboBox
        label={say.site}
        inputValue={site}
        onInputChange={(value) => {
          setSite(value.trim());
          setAsking('no');
        }}
        allowsCustomValue
        defaultItems={sites.map((name) => ({ name }))}
        width="100%"
        isDisabled={asking === 'linking'}
        {...(site !== '' && !known ? { validationState: 'invalid' as const, errorMessage: say.siteMissing } : {})}
      >
        {(item) => <Item key={item.name}>{item.name}</Item>}
      </ComboBox>
      {asking !== 'confirm' && asking !== 'linking' && (
        <Button ref={button} variant="secondary" isDisabled={!known} onPress={() => setAsking('confirm')}>
          {site === before ? say.relink : say.link}
        </Button>
      )}
      {(asking === 'confirm' || asking === 'linking') && (
        <Question
          key={site}
          title={say.confirmTitle(site)}
          text={before === undefined ? say.confirmFirst : before === site ? say.confirmSame(site) : say.confirmOther(before)}
          yes={say.confirm}
          no={say.cancel}
          isNegative={before !== undefined}
          doing={asking === 'linking' ? say.linking : undefined}
          onYes={() => void confirmed()}
          onNo={() => {
            setAsking('no');
            focusBack();
          }}
        />
      )}
      {typeof asking === 'object' && <Explanation explained={explainFailure(messages, asking)} details={fieldSentences(asking)} />}
    </div>
  );
}
