import { TextButton } from '../../ui/TextButton.tsx';
import { firstIssue } from '../page-properties/choice-problems.ts';
import { ComboBox, Item } from '@adobe/react-spectrum/ComboBox';
import { printDeliveryAddress } from '@repoless/contract/addresses.ts';
import type { ExternalRepository, OneClickInput, OneClickOutcome } from '@repoless/contract/build-management.ts';
import { DEFAULT_REF, SiteName } from '@repoless/contract/names.ts';
import { codeText } from '@repoless/core/messages/explain-failure.ts';
import { fill } from '@repoless/core/messages/format-message.ts';
import type { LinkEnd, OneClickEnd } from '@repoless/core/sync/external-repository.ts';
import type { SyncOverview } from '@repoless/core/sync/read-overview.ts';
import { use, useState } from 'react';
import { invalid, NearestName, SubmitForm, TextInput } from '../../ui/forms.tsx';
import { CallerContext } from '../../ui/organization-contexts.ts';
import { useReading } from '../../ui/use-reading.ts';
import { useFocusBack } from '../../ui/focus.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { useUnsavedEntry } from '../../ui/use-guarded.ts';
import { Question, WriteFailed } from '../../ui/Question.tsx';

interface Props {
  readonly overview: SyncOverview;
  readonly create: (input: OneClickInput) => Promise<OneClickEnd>;
  readonly onCreated: () => void;
}

type Creating = { readonly state: 'no' | 'yes' } | OneClickEnd;

/** Creates a site of a repository in one click (docs/contract.md 7.7), and shows who administers it. */
export function CreateSite({ overview, create, onCreated }: Props) {
  const all = useMessages('sync');
  const { oneClick: messages, lost } = all.external;
  const { organization: org, author, info } = overview;
  const [proposed] = useState({ site: overview.isRegistered ? '' : overview.site, account: overview.technicalAccount ?? '' });
  const [site, setSite] = useState(proposed.site);
  const [account, setAccount] = useState(proposed.account);
  const [tried, setTried] = useState(false);
  const [creating, setCreating] = useState<Creating>({ state: 'no' });
  const isCreated = creating.state === 'created' || creating.state === 'found';
  const isEntered = !isCreated && (site !== proposed.site || account !== proposed.account);
  const isCreating = creating.state === 'yes';
  useUnsavedEntry(isEntered || isCreating, 'place', isCreating ? 'saving' : 'unsaved');
  const problem = firstIssue(all, SiteName, site);
  const contentUrl = printDeliveryAddress({ author, connector: info.connector, org, site, ref: DEFAULT_REF });
  const submit = async (): Promise<void> => {
    setTried(true);
    if (problem !== undefined) return;
    setCreating({ state: 'yes' });
    const created = await create({ site, contentUrl, ...(account === '' ? {} : { technicalAccount: account }) });
    setCreating(created);
    if (created.state !== 'failed') onCreated();
  };
  return (
    <div className="rp-paste">
      <p className="rp-quiet">{messages.text}</p>
      <SubmitForm isDisabled={creating.state === 'yes'} validationBehavior="aria" onSubmit={submit}>
        <TextInput label={messages.site} value={site} onChange={(value) => setSite(value.trim())} problem={tried ? problem : undefined} />
        <NearestName name={site} isRefused={tried && problem !== undefined} organization={org} onTake={setSite} />
        <p className="rp-quiet rp-long-text">{problem === undefined && `${messages.content}: ${contentUrl}`}</p>
        <TextInput
          label={messages.account}
          description={messages.accountHelp}
          value={account}
          onChange={(value) => setAccount(value.trim())}
        />
        <div className="rp-actions">
          <TextButton
            type="submit"
            isDisabled={creating.state === 'yes'}
            text={creating.state === 'yes' ? messages.submitting : messages.submit}
          />
        </div>
      </SubmitForm>
      <div role="status">
        {creating.state === 'created' && <Created outcome={creating.outcome} />}
        {creating.state === 'found' && (
          <>
            <p>{messages.created({ site: creating.site })}</p>
            <p className="rp-next">{messages.answerLost}</p>
          </>
        )}
      </div>
      {creating.state === 'failed' && <WriteFailed failure={creating.failure} lost={lost.site} />}
    </div>
  );
}

/** What exists now, and what does not: nothing is reported as synced before it is. */
function Created({ outcome: { site, delivery, administeredBy } }: { readonly outcome: OneClickOutcome }) {
  const all = useMessages('sync');
  const { oneClick: messages } = all.external;
  const [who] = useReading(use(CallerContext).profile);
  const isSelf = who.state === 'ready' && administeredBy.some((name) => name.toLowerCase() === who.value.email.toLowerCase());
  return (
    <>
      <p>
        {messages.created({ site })}{' '}
        {delivery.outcome === 'done' ? messages.synced : delivery.detail !== undefined && codeText(all, delivery.detail)}
      </p>
      <p className="rp-next">
        {administeredBy.length === 0 ? messages.nobody : messages.administered({ names: administeredBy, self: isSelf ? 'yes' : 'no' })}
      </p>
    </>
  );
}

export type LinkFailed = Extract<LinkEnd, { state: 'failed' }>;

interface LinkSiteProps {
  readonly repository: ExternalRepository;
  readonly sites: readonly string[];
  readonly failed: LinkFailed | undefined;
  readonly link: (site: string) => Promise<void>;
}

/** Links the repository to a site, or creates a new secret for its site, after a warning about what that revokes. */
export function LinkSite({ repository, sites, failed, link }: LinkSiteProps) {
  const { link: messages, lost } = useMessages('sync').external;
  const before = repository.link?.site;
  const [site, setSite] = useState(before ?? '');
  const [phase, setPhase] = useState<'no' | 'confirm' | 'linking'>('no');
  const [button, focusBack] = useFocusBack();
  if (repository.state !== 'READY') return <p className="rp-quiet">{messages.notReady}</p>;
  const known = sites.includes(site);
  const same = site === before ? 'yes' : 'no';
  const confirmed = async (): Promise<void> => {
    setPhase('linking');
    await link(site);
    setPhase('no');
  };
  return (
    <div className="rp-paste">
      <p className="rp-quiet">{messages.text}</p>
      <ComboBox
        label={messages.site}
        inputValue={site}
        onInputChange={(value) => {
          setSite(value.trim());
          setPhase('no');
        }}
        allowsCustomValue
        defaultItems={sites.map((name) => ({ name }))}
        width="100%"
        isDisabled={phase === 'linking'}
        {...invalid(site !== '' && !known ? messages.siteMissing : undefined)}
      >
        {(item) => <Item key={item.name}>{item.name}</Item>}
      </ComboBox>
      {phase !== 'confirm' && phase !== 'linking' && (
        <TextButton
          ref={button}
          isDisabled={!known}
          onPress={() => setPhase('confirm')}
          text={site === before ? messages.relink : messages.link}
        />
      )}
      {(phase === 'confirm' || phase === 'linking') && (
        <Question
          key={site}
          level={4}
          title={messages.confirmTitle({ site, same })}
          text={
            before === undefined
              ? messages.confirmFirst
              : before === site
                ? messages.confirmSame({ site })
                : messages.confirmOther({ before })
          }
          yes={messages.confirm({ same })}
          no={messages.cancel}
          isNegative={before !== undefined}
          doing={phase === 'linking' ? messages.linking : undefined}
          onYes={() => void confirmed()}
          onNo={() => {
            setPhase('no');
            focusBack();
          }}
        />
      )}
      {failed !== undefined && phase === 'no' && (
        <WriteFailed failure={failed.failure} lost={failed.isLinked ? fill(lost.linked, { site: failed.site }) : lost.link} />
      )}
    </div>
  );
}
