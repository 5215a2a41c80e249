import type { SiteCheck as AuthoringCheck } from '@repoless/contract/site-check.ts';
import type { Client } from '@repoless/core/api/client.ts';
import { explainFailure, fieldSentences } from '@repoless/core/messages/explain-failure.ts';
import { fill } from '@repoless/core/messages/format-message.ts';
import { type Edits, proposeChoices, withEdits } from '@repoless/core/plan/choices.ts';
import type { SetupPorts } from '@repoless/core/situation/ports.ts';
import type { Choices, Situation } from '@repoless/core/situation/situation.ts';
import { type Failure, isSignedOut, type Known } from '@repoless/core/situation/call.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { TextButton } from '../../ui/TextButton.tsx';
import { organizationAddress } from '../../host/address-state.ts';
import { Explanation, HiddenTitle, Loading } from '../../ui/Notice.tsx';
import { AddressLink } from '../../ui/AddressLink.tsx';
import { lazyView, usePrepared } from '../../ui/lazy-component.tsx';
import type { SignInAgain } from '../../ui/Unread.tsx';
import { useMessages } from '../../ui/use-messages.ts';

/** Plan, form and checks are loaded while the settings are read: the first view doesn't need them. */
const SiteSetup = lazyView(async () => (await import('./SiteSetup.tsx')).SiteSetup, {
  parts: ['setup', 'site-check', 'sync'],
  textOf: ({ page }) => page.reading,
});
const SiteCheck = lazyView(async () => (await import('./SiteCheck.tsx')).SiteCheck, { parts: ['site-check'] });

interface Props {
  readonly ports: SetupPorts;
  readonly path: string;
  /** The organization for a page whose settings name none, if the person has a role in it. */
  readonly organization?: string | undefined;
  /** Address of the configuration service, for calls as curl. */
  readonly service: string;
  /** Creates a client for build management at the service's address for it. */
  readonly clientAt?: (address: string) => Client;
  readonly edits: Edits;
  readonly onEdit: (edits: Edits) => void;
  /** Called when the service says that the person is no longer signed in. */
  readonly onSignedOut: SignInAgain;
  /** The place to show within a parent's shell; if absent, this renders the shell of the page's site. */
  readonly within?: 'setup' | 'health' | undefined;
}

/** The page properties of a site root: the settings, the plan, and the button that applies it. */
export function PageProperties({ ports, path, organization, service, clientAt, edits, onEdit, onSignedOut, within }: Props) {
  const messages = useMessages();
  usePrepared(SiteSetup);
  usePrepared(SiteCheck);
  const { situation, read } = useSituation(ports, path, edits, organization, clientAt === undefined ? undefined : () => clientAt(service));
  const common = { path, onSignedOut, onRetry: () => void read(edits) };
  switch (situation.state) {
    case 'loading':
      return (
        <>
          <HiddenTitle />
          <Loading text={messages.page.reading} />
        </>
      );
    case 'missing':
      return <ReadFailed {...common} />;
    case 'failed':
      return <ReadFailed {...common} failure={situation.failure} />;
    case 'ready':
      return (
        <>
          {situation.failure !== undefined && <ReadFailure {...common} failure={situation.failure} />}
          <SiteSetup
            ports={ports}
            path={path}
            service={service}
            clientAt={clientAt}
            situation={situation.situation}
            stored={situation.stored}
            readFor={situation.readFor}
            reading={situation.reading}
            edits={edits}
            choices={withEdits(proposeChoices(situation.situation), edits)}
            onEdit={onEdit}
            onRead={read}
            onSignedOut={onSignedOut}
            within={within}
          >
            {({ findings, ofCaller }, plan) => (
              <SiteCheck
                isFolded={situation.situation.site.state !== 'known'}
                findings={findings}
                ofCaller={ofCaller}
                plan={plan}
                reading={situation.reading}
                onRead={common.onRetry}
              />
            )}
          </SiteSetup>
        </>
      );
    default:
      return situation satisfies never;
  }
}

type SituationState =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly failure: Failure }
  | { readonly state: 'missing' }
  /** `readFor`: the choices for which the situation was read. */
  | {
      readonly state: 'ready';
      readonly situation: Situation;
      readonly readFor: Choices;
      readonly reading: boolean;
      /** The service's stored check of the site, including what was read here. */
      readonly stored?: AuthoringCheck;
      /** Why the last reload failed; earlier values are still shown. */
      readonly failure?: Failure;
    };

/** Loaded while the first view is rendered, which doesn't need it. */
const loadReading = () => import('@repoless/core/plan/read-situation.ts');

async function readLater(ports: SetupPorts, page: string, edits: Edits, organization: string | undefined): Promise<Known<Situation>> {
  const loaded = await loadReading().catch(() => undefined);
  return loaded === undefined
    ? { state: 'failed', failure: { kind: 'unreachable' } }
    : loaded.readSituation(ports, page, edits, organization);
}

/** Stores the findings at the service, so that every screen agrees on the site. */
async function shareLater(client: Client, situation: Situation): Promise<AuthoringCheck | undefined> {
  const loaded = await Promise.all([
    import('@repoless/core/overview/stored-checks.ts'),
    import('@repoless/core/api/organization-ports.ts'),
  ]).catch(() => undefined);
  if (loaded === undefined || !situation.info.features.includes('checks')) return undefined;
  const [{ shareCheck }, { createChecksPort }] = loaded;
  return await shareCheck(createChecksPort(client), situation);
}

/**
 * The situation of a page, read when the panel opens and whenever `read` is called. `organization`: for a page whose settings
 * name none. Only the answer to the latest request counts.
 */
function useSituation(ports: SetupPorts, page: string, first: Edits, organization: string | undefined, client: (() => Client) | undefined) {
  const [situation, setSituation] = useState<SituationState>({ state: 'loading' });
  const latest = useRef(0);
  const opening = useRef(first);
  const clientNow = useRef(client);
  useEffect(() => {
    clientNow.current = client;
  });
  const read = useCallback(
    async (edits: Edits): Promise<void> => {
      const mine = ++latest.current;
      setSituation((now) => (now.state === 'ready' ? reloading(now) : { state: 'loading' }));
      const answer = await readLater(ports, page, edits, organization);
      if (mine !== latest.current) return;
      if (answer.state !== 'known') {
        setSituation((now) =>
          answer.state === 'failed' && now.state === 'ready' ? { ...now, reading: false, failure: answer.failure } : answer,
        );
        return;
      }
      const readFor = withEdits(proposeChoices(answer.value), edits);
      setSituation({ state: 'ready', situation: answer.value, readFor, reading: false });
      const stored = clientNow.current === undefined ? undefined : await shareLater(clientNow.current(), answer.value);
      if (stored === undefined || mine !== latest.current) return;
      setSituation((now) => (now.state === 'ready' && now.situation === answer.value ? { ...now, stored } : now));
    },
    [ports, page, organization],
  );
  useEffect(() => {
    void read(opening.current);
    const counter = latest;
    return () => void counter.current++;
  }, [read]);
  return { situation, read };
}

function reloading({ failure: _failure, ...now }: Extract<SituationState, { state: 'ready' }>): SituationState {
  return { ...now, reading: true };
}

interface ReadFailedProps {
  readonly path: string;
  /** Absent if there is no such page. */
  readonly failure?: Failure;
  readonly onRetry: () => void;
  readonly onSignedOut: SignInAgain;
}

/** The page could not be read: why, and what to do. */
function ReadFailed(props: ReadFailedProps) {
  const messages = useMessages();
  return (
    <>
      <h1>{messages.page.readFailed}</h1>
      <ReadFailure {...props} />
      <p>
        <AddressLink address={organizationAddress()} className="rp-link">
          {messages.general.shell.allSites({ organization: '' })}
        </AddressLink>
      </p>
    </>
  );
}

/** The failure of a later read, above the earlier values. */
function ReadFailure({ path, failure, onRetry, onSignedOut }: ReadFailedProps) {
  const messages = useMessages();
  const explained = failure === undefined ? fill(messages.page.pageMissing, { path }) : explainFailure(messages, failure);
  return (
    <Explanation explained={explained} details={failure === undefined ? [] : fieldSentences(messages, failure)}>
      <TextButton onPress={onRetry} text={messages.general.retry} />
      {failure !== undefined && isSignedOut(failure) && (
        <TextButton variant="accent" onPress={() => onSignedOut(onRetry)} text={messages.signIn.inWindow} />
      )}
    </Explanation>
  );
}
