import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { ComboBox, Item } from '@adobe/react-spectrum/ComboBox';
import type { SyncStarted } from '@repoless/contract/job.ts';
import { DEFAULT_REF, sanitizeRef } from '@repoless/contract/names.ts';
import type { SetupPorts } from '@repoless/core/situation/ports.ts';
import { failureOf, type Known } from '@repoless/core/situation/call.ts';
import type { SiteRef, BuildManagementPort, SyncPort } from '@repoless/core/sync/ports.ts';
import type { SyncOverview } from '@repoless/core/sync/read-overview.ts';
import type { RepositoryGroup } from '@repoless/core/sync/repository-groups.ts';
import { type ReactNode, useCallback, useRef, useState } from 'react';
import { useFreshReading } from '../../ui/use-reading.ts';
import { TextButton } from '../../ui/TextButton.tsx';
import { BackButton, Card, Fold } from '../../ui/Card.tsx';
import { FailureNotice, Status } from '../../ui/Notice.tsx';
import type { SignInAgain } from '../../ui/Unread.tsx';
import { useFocusOnArrival } from '../../ui/focus.ts';
import { invalid } from '../../ui/forms.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { ExternalRepository } from '../external-repository/ExternalRepository.tsx';
import { useLeaveHere } from '../../ui/use-guarded.ts';
import { BranchJob } from './BranchJob.tsx';
import { SiteList } from './RepositoryList.tsx';

interface Props {
  readonly overview: SyncOverview;
  readonly group: RepositoryGroup;
  readonly name: string;
  readonly setup: Pick<SetupPorts, 'service'>;
  readonly sync: SyncPort;
  readonly builds: BuildManagementPort | undefined;
  /** All sites of the organization that have code. */
  readonly names: readonly string[];
  readonly onRead: () => void;
  readonly onSignedOut: SignInAgain;
  /** Branches whose sync was requested here and that may never have been synchronized. */
  readonly requested: readonly string[];
  readonly onRequested: (branches: readonly string[]) => void;
  /** Absent if there is only this repository. */
  readonly onBack?: () => void;
}

export function RepositoryDetail(props: Props) {
  const { overview, group, name, setup, sync, builds, names, onRead, onSignedOut, requested, onRequested, onBack } = props;
  const all = useMessages('sync');
  const { sync: messages, external } = all;
  const tool = group.type === 'byogit' ? builds : undefined;
  const { organization, site: own } = overview;
  const site = group.sites.includes(own) ? own : (group.sites[0] ?? own);
  const readBranches = useCallback(() => sync.code(organization, site), [sync, organization, site]);
  const [code, readCode] = useFreshReading(readBranches);
  const branches = branchesShown(code.state === 'ready' ? code.value.branches : [], requested);
  const focus = useFocusOnArrival<HTMLHeadingElement>(onBack === undefined ? undefined : group.key);
  const branchesHeading = useRef<HTMLHeadingElement>(null);
  const leaveHere = useLeaveHere();
  const requestSync = (branch: string): void => onRequested([...new Set([...requested, branch])]);
  return (
    <>
      <section className="rp-card" aria-labelledby="rp-repository">
        {onBack !== undefined && (
          <div>
            <BackButton text={messages.back} onPress={() => leaveHere(onBack)} />
          </div>
        )}
        <div className="rp-stack-tight">
          <p className="rp-eyebrow">{messages.types[group.type]}</p>
          <h2 id="rp-repository" className="rp-code" tabIndex={-1} ref={focus}>
            {name}
          </h2>
          {name !== `${group.owner}/${group.repo}` && (
            <p className="rp-quiet rp-code">
              {group.owner}/{group.repo}
            </p>
          )}
          <p className="rp-quiet">{messages.shared({ count: group.sites.length })}</p>
        </div>
      </section>
      <Card id="rp-branches" title={messages.branches} heading={branchesHeading}>
        {code.state === 'failed' && (
          <FailureNotice title={messages.branchesUnread} messages={all} failure={code.failure}>
            <TextButton
              onPress={() => {
                // The pressed element is then removed.
                branchesHeading.current?.focus();
                readCode();
              }}
              text={all.general.retry}
            />
          </FailureNotice>
        )}
        <BranchList key={group.key} names={branches}>
          {(branch) => (
            <BranchJob
              key={branch}
              group={group}
              siteRef={{ org: organization, site, ref: sanitizeRef(branch) }}
              branch={branch}
              sync={sync}
              builds={tool}
              codeHost={overview.info.codeHost}
              onSignedOut={onSignedOut}
              onMissing={onRead}
            />
          )}
        </BranchList>
        <Fold title={messages.syncOther}>
          <StartSync sync={sync} siteRef={{ org: organization, site, ref: DEFAULT_REF }} branches={branches} onStarted={requestSync} />
        </Fold>
      </Card>
      {tool !== undefined && (
        <Card id="rp-builds" title={external.open}>
          <ExternalRepository
            builds={tool}
            sync={sync}
            setup={setup}
            overview={overview}
            id={group.repo}
            sites={names}
            holder={group.holder}
            onStored={onRead}
          />
        </Card>
      )}
      <SiteList group={group} info={overview.info} organization={organization} own={own} />
    </>
  );
}

/** Number of branches followed at first. */
const FIRST = 4;

function BranchList({ names, children }: { readonly names: readonly string[]; readonly children: (branch: string) => ReactNode }) {
  const messages = useMessages('sync').sync;
  const [all, setAll] = useState(false);
  const shown = all ? names : names.slice(0, FIRST);
  return (
    <>
      <ul className="rp-plain-list rp-branches" aria-label={messages.branches}>
        {shown.map((name) => children(name))}
      </ul>
      {shown.length < names.length && (
        <div>
          <ActionButton isQuiet onPress={() => setAll(true)}>
            {messages.moreBranches({ count: names.length - shown.length })}
          </ActionButton>
        </div>
      )}
    </>
  );
}

/** `main` first, then those requested here, then the others by name, without duplicates. */
function branchesShown(synced: readonly string[], requested: readonly string[]): string[] {
  return [...new Set([DEFAULT_REF, ...requested, ...synced.toSorted()])];
}

interface StartSyncProps {
  readonly sync: Pick<SyncPort, 'start'>;
  /** That of any site of the repository. */
  readonly siteRef: SiteRef;
  readonly branches: readonly string[];
  readonly onStarted: (branch: string) => void;
}

type Starting = { readonly state: 'idle' | 'starting' } | (Known<SyncStarted> & { readonly branch: string });

function StartSync({ sync, siteRef, branches, onStarted }: StartSyncProps) {
  const messages = useMessages('sync');
  const [branch, setBranch] = useState('');
  const [starting, setStarting] = useState<Starting>({ state: 'idle' });
  const name = branch.trim();
  const ref = sanitizeRef(name);
  const start = async (): Promise<void> => {
    setStarting({ state: 'starting' });
    const answer = await sync.start({ ...siteRef, ref }, name);
    if (answer.state === 'known') onStarted(name);
    setStarting({ ...answer, branch: name });
  };
  return (
    <div className="rp-start">
      <ComboBox
        label={messages.sync.branch}
        description={messages.sync.branchHelp}
        allowsCustomValue
        inputValue={branch}
        onInputChange={setBranch}
        defaultItems={branches.map((known) => ({ name: known }))}
        width="100%"
        {...invalid(name !== '' && ref === '' ? messages.sync.branchInvalid : undefined)}
      >
        {(item) => <Item key={item.name}>{item.name}</Item>}
      </ComboBox>
      <TextButton
        isDisabled={starting.state === 'starting' || ref === ''}
        onPress={() => void start()}
        text={name === '' ? messages.sync.syncCode : messages.sync.syncBranch({ branch: name })}
      />
      <Status>
        {starting.state === 'starting' && messages.sync.starting}
        {starting.state === 'known' &&
          (starting.value.joined === true
            ? messages.sync.joined({ branch: starting.branch })
            : messages.sync.started({ branch: starting.branch }))}
      </Status>
      {(starting.state === 'failed' || starting.state === 'missing') && <FailureNotice messages={messages} failure={failureOf(starting)} />}
    </div>
  );
}
