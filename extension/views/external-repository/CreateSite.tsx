import { Button } from '@adobe/react-spectrum/Button';
import { Form } from '@adobe/react-spectrum/Form';
import { TextField } from '@adobe/react-spectrum/TextField';
import { useState } from 'react';
import { printDeliveryAddress } from '#contract/addresses.ts';
import type { OneClickInput, OneClickOutcome } from '#contract/build-management.ts';
import { DEFAULT_REF, nameProblem } from '#contract/names.ts';
import type { Failure, Known } from '#extension/setup/situation.ts';
import type { SyncOverview } from '#extension/setup/sync/read-overview.ts';
import { explainFailure, fieldSentences } from '#extension/messages/explain-failure.ts';
import { failureOf } from '#extension/setup/failure-of.ts';
import { Explanation } from '../shared/Explanation.tsx';
import { useHeldEntry } from '../leaving/use-held-entry.ts';
import { useMessages } from '../messages/use-messages.ts';

interface Props {
  readonly overview: SyncOverview;
  readonly create: (input: OneClickInput) => Promise<Known<OneClickOutcome>>;
  readonly onCreated: () => void;
}

type Creating =
  | { readonly state: 'no' | 'yes' }
  | { readonly state: 'created'; readonly outcome: OneClickOutcome }
  | { readonly state: 'failed'; readonly failure: Failure };

/** Creates a site of a repository in one click (docs/contract.md 7.7), and says who administers it. */
export function CreateSite({ overview, create, onCreated }: Props) {
  const messages = useMessages('sync');
  const { oneClick: say } = messages.external;
  const { organization: org, author, info } = overview;
  const [proposed] = useState({ site: overview.isRegistered ? '' : overview.site, account: overview.technicalAccount ?? '' });
  const [site, setSite] = useState(proposed.site);
  const [account, setAccount] = useState(proposed.account);
  const [tried, setTried] = useState(false);
  const [creating, setCreating] = useState<Creating>({ state: 'no' });
  useHeldEntry(creating.state !== 'created' && (site !== proposed.site || account !== proposed.account));
  const problem = nameProblem('site', site);
  const contentUrl = printDeliveryAddress({ author, connector: info.connector, org, site, ref: DEFAULT_REF });
  const submit = async (): Promise<void> => {
    setTried(true);
    if (problem !== undefined) return;
    setCreating({ state: 'yes' });
    const made = await create({ site, contentUrl, ...(account === '' ? {} : { technicalAccount: account }) });
    if (made.state === 'known') {
      setCreating({ state: 'created', outcome: made.value });
      onCreated();
    } else setCreating({ state: 'failed', failure: failureOf(made) });
  };
  return (
    <div className="rp-paste">
      <p className="rp-quiet">{say.text}</p>
      <Form
        isDisabled={creating.state === 'yes'}
        validationBehavior="aria"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <TextField
          label={say.site}
          value={site}
          onChange={(value) => setSite(value.trim())}
          width="100%"
          autoComplete="off"
          spellCheck="false"
          {...(tried && problem !== undefined ? { validationState: 'invalid' as const, errorMessage: problem } : {})}
        />
        <p className="rp-quiet rp-long-text">{problem === undefined && `${say.content}: ${contentUrl}`}</p>
        <TextField
          label={say.account}
          description={say.accountHelp}
          value={account}
          onChange={(value) => setAccount(value.trim())}
          width="100%"
          autoComplete="off"
          spellCheck="false"
        />
        <div className="rp-actions">
          <Button variant="secondary" type="submit" isDisabled={creating.state === 'yes'}>
            {creating.state === 'yes' ? say.submitting : say.submit}
          </Button>
        </div>
      </Form>
      <div role="status">{creating.state === 'created' && <Created outcome={creating.outcome} />}</div>
      {creating.state === 'failed' && (
        <Explanation explained={explainFailure(messages, creating.failure)} details={fieldSentences(creating.failure)} />
      )}
    </div>
  );
}

/** What is there now, and what is not: nothing is said to be synced that is not. */
function Created({ outcome: { site, delivery, administeredBy } }: { readonly outcome: OneClickOutcome }) {
  const { oneClick: say } = useMessages('sync').external;
  return (
    <>
      <p>
        {say.created(site)} {delivery.outcome === 'done' ? say.synced : delivery.detail}
      </p>
      <p className="rp-next">{administeredBy.length === 0 ? say.nobody : say.administrators(administeredBy.join(', '))}</p>
    </>
  );
}
