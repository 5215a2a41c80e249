import { type Feature, offers } from '@repoless/contract/service.ts';
import { createChecksPort, createEventsPort, createRemovalPort, createRolloutsPort } from '@repoless/core/api/organization-ports.ts';
import { fill } from '@repoless/core/messages/format-message.ts';
import type { SetupPorts } from '@repoless/core/situation/ports.ts';
import { type Failure, failureOf, hasNoOrganization, isSignedOut, type Known } from '@repoless/core/situation/call.ts';
import type { Denied } from '@repoless/core/checks/caller-permissions.ts';
import type { SiteListEntry } from '@repoless/contract/site.ts';
import { use, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { TextButton } from '../../ui/TextButton.tsx';
import { Explanation, HiddenTitle, Loading } from '../../ui/Notice.tsx';
import { ReadRefused, type SignInAgain } from '../../ui/Unread.tsx';
import { SubmitForm, TextInput } from '../../ui/forms.tsx';
import { ChecksContext, RemovalContext } from '../../ui/organization-contexts.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { type InitialReads, type SitesProps, SitesReady } from './SitesReady.tsx';
import '../../ui/grid/grid.css';
import './sites.css';

interface Props extends SitesProps {
  /** The organization for a page whose settings name none. */
  readonly organization?: string | undefined;
}

export function SitesHome({ organization: proposed, ...props }: Props) {
  const { ports, client, path, tab, onSignedOut } = props;
  const messages = useMessages('sites');
  const nowhere = use(ChecksContext);
  const checks = useMemo(() => (client === undefined ? nowhere : createChecksPort(client)), [client, nowhere]);
  const events = useMemo(() => (client === undefined ? undefined : createEventsPort(client)), [client]);
  const rollouts = useMemo(() => (client === undefined ? undefined : createRolloutsPort(client)), [client]);
  const removal = useMemo(() => (client === undefined ? undefined : createRemovalPort(client)), [client]);
  const { state, open, reload } = useSites(ports, path, proposed);
  useEffect(() => {
    // Loaded while its data is read; if that fails, it is loaded when it is rendered.
    if (tab === 'sites') import('../organization/OrganizationView.tsx').catch(() => undefined);
  }, [tab]);
  switch (state.state) {
    case 'loading':
      return (
        <>
          <HiddenTitle />
          <Loading text={messages.sites.reading} />
        </>
      );
    case 'missing':
      return (
        <>
          <HiddenTitle />
          <Explanation title={messages.sites.readFailed} explained={fill(messages.page.pageMissing, { path })}>
            <TextButton onPress={() => void open()} text={messages.general.retry} />
          </Explanation>
        </>
      );
    case 'failed':
      return <Failed failure={state.failure} onRetry={() => void open()} onSignedOut={onSignedOut} />;
    case 'no-organization':
      return <AskOrganization onOpen={(organization) => void open(organization)} />;
    case 'ready': {
      const { initial, organization, sites, failure } = state;
      const offered = (feature: Feature) => offers(initial.info, feature);
      if (sites.state === 'failed' && (isSignedOut(sites.failure) || hasNoOrganization(sites))) {
        return <Failed failure={sites.failure} about={{ organization }} onRetry={() => void open()} onSignedOut={onSignedOut} />;
      }
      return (
        <ChecksContext value={offered('checks') ? checks : nowhere}>
          <RemovalContext value={removal}>
            <SitesReady
              {...props}
              events={offered('events') ? events : undefined}
              rollouts={offered('rollouts') ? rollouts : undefined}
              initial={initial}
              organization={organization}
              sites={sites}
              failure={failure}
              onReload={reload}
            />
          </RemovalContext>
        </ChecksContext>
      );
    }
    default:
      return state satisfies never;
  }
}

interface FailedProps {
  readonly failure: Failure;
  readonly about?: Denied;
  readonly onRetry: () => void;
  readonly onSignedOut: SignInAgain;
}

function Failed({ failure, about = {}, onRetry, onSignedOut }: FailedProps) {
  const messages = useMessages('sites');
  return (
    <>
      <HiddenTitle />
      <ReadRefused failure={failure} about={about} title={messages.sites.readFailed} onRetry={onRetry} onSignedOut={onSignedOut} />
    </>
  );
}

function AskOrganization({ onOpen }: { readonly onOpen: (organization: string) => void }) {
  const { sites } = useMessages('sites');
  const [name, setName] = useState('');
  return (
    <section className="rp-card" aria-labelledby="rp-organization">
      <h1 id="rp-organization">{sites.title}</h1>
      <Explanation explained={sites.organizationMissing} />
      <SubmitForm onSubmit={() => onOpen(name.trim())}>
        <TextInput label={sites.organization} value={name} onChange={setName} />
        <div className="rp-actions">
          <TextButton variant="accent" type="submit" isDisabled={name.trim() === ''} text={sites.open} />
        </div>
      </SubmitForm>
    </section>
  );
}

type SitesState =
  | { readonly state: 'loading' }
  | { readonly state: 'missing' }
  | { readonly state: 'failed'; readonly failure: Failure }
  | { readonly state: 'no-organization'; readonly initial: InitialReads }
  | {
      readonly state: 'ready';
      readonly initial: InitialReads;
      readonly organization: string;
      readonly sites: Known<readonly SiteListEntry[]>;
      /** Why the last reload failed; earlier values are still shown. */
      readonly failure?: Failure;
    };

/**
 * Reads the page's settings and the service's sites. `proposed`: the organization for a page that names none. Only the answer to
 * the latest request counts.
 */
function useSites(ports: SetupPorts, page: string, proposed?: string) {
  const [state, setState] = useState<SitesState>({ state: 'loading' });
  const latest = useRef(0);
  const reads = useRef(0);
  const load = useCallback(
    async (organization?: string): Promise<void> => {
      const mine = ++latest.current;
      const next = await read(ports, page, { chosen: organization, proposed });
      if (mine === latest.current) setState(next);
    },
    [ports, page, proposed],
  );
  useEffect(() => {
    void load();
    const counter = latest;
    return () => void counter.current++;
  }, [load]);
  const organization = state.state === 'ready' ? state.organization : undefined;
  const reload = useCallback(async () => {
    if (organization === undefined) return undefined;
    const [mine, initial] = [++reads.current, latest.current];
    const sites = await ports.service.allSites(organization);
    if (mine === reads.current && initial === latest.current) setState((now) => reloaded(now, sites));
    return sites.state === 'known' ? sites.value : undefined;
  }, [ports, organization]);
  const open = async (name?: string): Promise<void> => {
    setState({ state: 'loading' });
    await load(name);
  };
  return { state, open, reload };
}

function reloaded(now: SitesState, sites: Known<readonly SiteListEntry[]>): SitesState {
  if (now.state !== 'ready') return now;
  const { initial, organization } = now;
  if (sites.state === 'known') return { state: 'ready', initial, organization, sites };
  return { ...now, failure: failureOf(sites) };
}

interface Named {
  readonly chosen: string | undefined;
  readonly proposed: string | undefined;
}

async function read(ports: SetupPorts, page: string, { chosen, proposed }: Named): Promise<SitesState> {
  const info = await ports.service.info();
  if (info.state !== 'known') return { state: 'failed', failure: failureOf(info) };
  const settings = await ports.authoring.settings(page, info.value);
  if (settings.state === 'missing') return { state: 'missing' };
  if (settings.state === 'failed') return settings;
  const initial = { info: info.value, settings: settings.value };
  const organization = chosen ?? settings.value.organization.value ?? proposed;
  if (organization === undefined) return { state: 'no-organization', initial };
  const sites = await ports.service.allSites(organization);
  return { state: 'ready', initial, organization, sites };
}
