import { fill } from '@repoless/core/messages/format-message.ts';
import { Button } from '@adobe/react-spectrum/Button';
import { ComboBox, Item } from '@adobe/react-spectrum/ComboBox';
import { useState } from 'react';
import type { ExternalRepository } from '@repoless/contract/build-management.ts';
import type { LinkEnd } from '@repoless/core/sync/link-repository.ts';
import { useFocusBack } from '../../ui/use-focus-back.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { Question } from './Question.tsx';
import { WriteFailed } from './WriteFailed.tsx';

export type LinkFailed = Extract<LinkEnd, { state: 'failed' }>;

interface Props {
  readonly repository: ExternalRepository;
  readonly sites: readonly string[];
  /** How the last attempt failed. */
  readonly failed: LinkFailed | undefined;
  readonly link: (site: string) => Promise<void>;
}

/** Links the repository to a site, or makes its site a new secret, after saying what that revokes. */
export function LinkSite({ repository, sites, failed, link }: Props) {
  const { link: messages, lost } = useMessages('sync').external;
  const before = repository.link?.site;
  const [site, setSite] = useState(before ?? '');
  const [asking, setAsking] = useState<'no' | 'confirm' | 'linking'>('no');
  const [button, focusBack] = useFocusBack();
  if (repository.state !== 'READY') return <p className="rp-quiet">{messages.notReady}</p>;
  const known = sites.includes(site);
  const confirmed = async (): Promise<void> => {
    setAsking('linking');
    await link(site);
    setAsking('no');
  };
  return (
    <div className="rp-paste">
      <p className="rp-quiet">{messages.text}</p>
      <ComboBox
        label={messages.site}
        inputValue={site}
        onInputChange={(value) => {
          setSite(value.trim());
          setAsking('no');
        }}
        allowsCustomValue
        defaultItems={sites.map((name) => ({ name }))}
        width="100%"
        isDisabled={asking === 'linking'}
        {...(site !== '' && !known ? { validationState: 'invalid' as const, errorMessage: messages.siteMissing } : {})}
      >
        {(item) => <Item key={item.name}>{item.name}</Item>}
      </ComboBox>
      {asking !== 'confirm' && asking !== 'linking' && (
        <Button ref={button} variant="secondary" isDisabled={!known} onPress={() => setAsking('confirm')}>
          {site === before ? messages.relink : messages.link}
        </Button>
      )}
      {(asking === 'confirm' || asking === 'linking') && (
        <Question
          key={site}
          title={messages.confirmTitle({ site })}
          text={
            before === undefined
              ? messages.confirmFirst
              : before === site
                ? messages.confirmSame({ site })
                : messages.confirmOther({ before })
          }
          yes={messages.confirm}
          no={messages.cancel}
          isNegative={before !== undefined}
          doing={asking === 'linking' ? messages.linking : undefined}
          onYes={() => void confirmed()}
          onNo={() => {
            setAsking('no');
            focusBack();
          }}
        />
      )}
      {failed !== undefined && asking === 'no' && (
        <WriteFailed failure={failed.failure} lost={failed.isLinked ? fill(lost.linked, { site: failed.site }) : lost.link} />
      )}
    </div>
  );
}
