import { ProgressBar } from '@adobe/react-spectrum/ProgressBar';
import { StatusLight } from '@adobe/react-spectrum/StatusLight';
import type { JobStatus } from '@repoless/contract/job.ts';
import { codeText } from '@repoless/core/messages/explain-failure.ts';
import { type Failure, failureOf, isSignedOut } from '@repoless/core/situation/call.ts';
import { isInProgress, type JobProblem, jobTime, type SyncState, syncStateOf } from '@repoless/core/sync/sync-state.ts';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { SecretValue } from '@repoless/contract/secret.ts';
import { fillFrom } from '@repoless/core/messages/format-message.ts';
import type { SyncPort } from '@repoless/core/sync/ports.ts';
import AlertCircle from '@spectrum-icons/workflow/AlertCircle';
import { TextInput } from '../../ui/forms.tsx';
import { TextButton } from '../../ui/TextButton.tsx';
import { Age } from '../../ui/Age.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { Announcement, Explanation, FailureNotice, Notice, Status } from '../../ui/Notice.tsx';
import { Fold } from '../../ui/Card.tsx';
import type { SignInAgain } from '../../ui/Unread.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { Commits, JobUser, OldCode, SyncedCommitName } from './Commits.tsx';
import { JobHistory } from './JobHistory.tsx';
import { type FollowedBranch, syncStateTone, useJob } from './use-job.ts';
import { firstIssue } from '../page-properties/choice-problems.ts';
import { useFocusOnArrival } from '../../ui/focus.ts';
import { useUnsavedEntry } from '../../ui/use-guarded.ts';

interface Props extends FollowedBranch {
  readonly onSignedOut: SignInAgain;
  /** The site no longer exists, or has no code: the parent must read the sites again. */
  readonly onMissing: () => void;
}

export function BranchJob(props: Props) {
  const { group, siteRef, branch, sync, onSignedOut, onMissing } = props;
  const messages = useMessages('sync');
  const [job, reload] = useJob(sync, siteRef);
  const heading = useRef<HTMLHeadingElement>(null);
  const id = `rp-branch-${siteRef.ref}`;
  const failed = job.state === 'ready' ? job.failed : job.state === 'failed' ? job : undefined;
  const over = failed?.hasEnded === true ? failed.failure : undefined;
  const removed = useEffectEvent(onMissing);
  useEffect(() => {
    if (over?.status === 404) removed();
  }, [over]);
  const follow = (): void => {
    // The pressed element is then removed.
    heading.current?.focus();
    reload();
  };
  const syncState = job.state === 'ready' ? syncStateOf(job.status, group.type) : undefined;
  return (
    <li className="rp-branch" aria-labelledby={id}>
      <div className="rp-branch-head">
        <h3 id={id} className="rp-code" tabIndex={-1} ref={heading}>
          {branch}
        </h3>
        {syncState !== undefined && (
          <StatusLight variant={syncStateTone(syncState)} UNSAFE_className="rp-row-light">
            {messages.sync.syncStates[syncState.state]}
          </StatusLight>
        )}
      </div>
      <Announcement>
        {syncState === undefined ? '' : messages.sync.announced({ branch, state: messages.sync.syncStates[syncState.state] })}
      </Announcement>
      {job.state === 'loading' && <p className="rp-quiet">{messages.sync.jobReading}</p>}
      {over !== undefined && (
        <FailureNotice title={messages.sync.jobUnread} messages={messages} failure={over}>
          {isSignedOut(over) ? (
            <TextButton variant="accent" onPress={() => onSignedOut(follow)} text={messages.signIn.inWindow} />
          ) : (
            <TextButton onPress={follow} text={messages.general.retry} />
          )}
        </FailureNotice>
      )}
      {job.state === 'failed' && !job.hasEnded && (
        <>
          <FailureNotice title={messages.sync.jobUnread} messages={messages} failure={job.failure} />
          <p className="rp-quiet rp-live">{messages.sync.lost}</p>
        </>
      )}
      {job.state === 'ready' && syncState !== undefined && <BranchState {...props} status={job.status} syncState={syncState} />}
      {job.state === 'ready' && over === undefined && (
        <p className="rp-quiet rp-live">
          {job.failed !== undefined ? messages.sync.lost : job.live ? messages.sync.live : messages.sync.looking}
        </p>
      )}
    </li>
  );
}

interface BranchStateProps extends Omit<Props, 'onSignedOut'> {
  readonly status: JobStatus;
  readonly syncState: SyncState;
}

function BranchState({ status, syncState, onMissing, ...followed }: BranchStateProps) {
  const { branch } = followed;
  const all = useMessages('sync');
  const { sync: messages } = all;
  return (
    <>
      {syncState.state === 'never' && <p className="rp-quiet">{messages.jobMissing}</p>}
      {syncState.state === 'waiting' && syncState.waitsFor !== undefined && (
        <p className="rp-quiet">
          {messages.waitsFor} {codeText(all, syncState.waitsFor)}
        </p>
      )}
      {syncState.state === 'running' && <JobProgressBar branch={branch} syncState={syncState} />}
      <JobFacts {...followed} status={status} />
      {syncState.state === 'failed' && <JobFailed {...followed} problem={syncState.problem} />}
      <JobActions {...followed} status={status} syncState={syncState} onMissing={onMissing} />
      <Commits {...followed} status={status} />
      {syncState.state !== 'never' && (
        <Fold title={messages.oldCode.title} of={branch}>
          <OldCode {...followed} status={status} syncState={syncState} />
        </Fold>
      )}
      {status.jobs.length > 0 && <JobHistory {...followed} jobs={status.jobs} />}
    </>
  );
}

function JobFacts({ status, group, codeHost }: Pick<BranchStateProps, 'status' | 'group' | 'codeHost'>) {
  const { sync } = useMessages('sync');
  const time = jobTime(status);
  if (time === undefined) return null;
  const { sha, commit } = status.data ?? {};
  const { failed = 0, ignored = 0 } = status.progress ?? {};
  const by = <JobUser user={status.user} />;
  const name = <SyncedCommitName sha={sha} about={commit} group={group} codeHost={codeHost} />;
  const age = <Age time={time} />;
  return (
    <Facts
      className="rp-facts"
      rows={[
        [sync.commit, name],
        [sync.when, age],
        [sync.by, by],
        [sync.failed, failed > 0 ? sync.fileCount({ count: failed }) : undefined],
        [sync.ignored, ignored > 0 ? sync.fileCount({ count: ignored }) : undefined],
      ]}
    />
  );
}

/** Stops a running sync, or starts one. The result arrives with the job itself. */
function JobActions({ siteRef, branch, sync, status, syncState, onMissing }: Omit<BranchStateProps, 'group' | 'builds' | 'codeHost'>) {
  const messages = useMessages('sync');
  const { name } = status;
  // The button is preserved when another job follows, and never disabled, so that it keeps keyboard focus.
  const [latest, setLatest] = useState<{ readonly of: string | undefined; readonly request: 'idle' | 'requested' | Failure }>();
  const syncRequest = latest !== undefined && latest.of === name ? latest.request : 'idle';
  const setSyncRequest = (request: 'idle' | 'requested' | Failure): void => setLatest({ of: name, request });
  const inProgress = isInProgress(syncState);
  const act = async (): Promise<void> => {
    setSyncRequest('requested');
    const answer = inProgress && name !== undefined ? await sync.stop(siteRef, name) : await sync.start(siteRef, branch);
    const refused = failureOf(answer);
    setSyncRequest(refused ?? 'idle');
    if (refused?.status === 404) onMissing();
  };
  return (
    <>
      <div className="rp-actions">
        <TextButton
          isPending={syncRequest === 'requested'}
          aria-label={inProgress ? messages.sync.stopBranch({ branch }) : messages.sync.syncBranch({ branch })}
          onPress={() => void act()}
          text={inProgress ? messages.sync.stop : messages.sync.syncCode}
        />
      </div>
      {typeof syncRequest === 'object' && <FailureNotice messages={messages} failure={syncRequest} />}
    </>
  );
}

function JobProgressBar({ branch, syncState }: { readonly branch: string; readonly syncState: Extract<SyncState, { state: 'running' }> }) {
  const all = useMessages('sync');
  const { sync } = all;
  const { processed, failed, ignored, total } = syncState.progress;
  const done = Math.min(total, processed + failed + ignored);
  const files = sync.files({ done, total });
  return (
    <div className="rp-stack-tight">
      <ProgressBar
        aria-label={sync.progress({ branch })}
        label={sync.phases[syncState.phase]}
        isIndeterminate={total === 0}
        value={done}
        maxValue={Math.max(1, total)}
        valueLabel={files}
        width="100%"
      />
      {syncState.waitsFor !== undefined && <p className="rp-quiet">{codeText(all, syncState.waitsFor)}</p>}
    </div>
  );
}

interface SecretProps extends Pick<FollowedBranch, 'group' | 'siteRef' | 'branch'> {
  readonly sync: Pick<SyncPort, 'start' | 'setSecret'>;
}

type Storing =
  | { readonly state: 'idle' | 'storing' | 'stored' }
  | { readonly state: 'invalid'; readonly problem: string }
  /** `unsynced`: the secret is stored, but the sync did not start. */
  | { readonly state: 'failed' | 'unsynced'; readonly failure: Failure };

/** Pastes the secret of an external repository where its error is shown: stores it with the site that holds it, then syncs again. */
export function PasteSecret({ group, siteRef, branch, sync }: SecretProps) {
  const messages = useMessages('sync');
  const [value, setValue] = useState('');
  const [storing, setStoring] = useState<Storing>({ state: 'idle' });
  useUnsavedEntry(value.trim() !== '', 'place', storing.state === 'storing' ? 'saving' : 'unsaved');
  const unsynced = useFocusOnArrival<HTMLDivElement>(storing.state === 'unsynced' ? storing : undefined);
  const { holder } = group;
  if (holder === undefined) return <Explanation explained={messages.sync.secret.holderMissing} />;
  const store = async (): Promise<void> => {
    const secret = SecretValue.safeParse(value);
    if (!secret.success) {
      const issue = value.trim() === '' ? undefined : firstIssue(messages, SecretValue, value);
      return setStoring({ state: 'invalid', problem: issue ?? messages.sync.secret.missing });
    }
    setStoring({ state: 'storing' });
    const stored = await sync.setSecret(siteRef.org, holder, { value: secret.data });
    if (stored.state !== 'known') return setStoring({ state: 'failed', failure: failureOf(stored) });
    setValue('');
    await start();
  };
  const start = async (): Promise<void> => {
    setStoring({ state: 'stored' });
    const failure = failureOf(await sync.start(siteRef, branch));
    if (failure !== undefined) setStoring({ state: 'unsynced', failure });
  };
  return (
    <form
      className="rp-paste"
      onSubmit={(event) => {
        event.preventDefault();
        void store();
      }}
    >
      <TextInput
        label={messages.sync.secret.label}
        description={messages.sync.secret.help({ holder })}
        type="password"
        value={value}
        onChange={(next) => {
          setValue(next);
          if (storing.state === 'invalid') setStoring({ state: 'idle' });
        }}
        isDisabled={storing.state === 'storing'}
        validationBehavior="aria"
        problem={storing.state === 'invalid' ? storing.problem : undefined}
      />
      <TextButton variant="accent" type="submit" isDisabled={storing.state === 'storing'} text={messages.sync.secret.store} />
      <Status>
        {storing.state === 'storing' && messages.sync.secret.storing}
        {storing.state === 'stored' && messages.sync.secret.stored}
      </Status>
      {storing.state === 'unsynced' && (
        <FailureNotice title={messages.sync.secret.unsynced} messages={messages} failure={storing.failure} focus={unsynced}>
          <TextButton onPress={() => void start()} text={messages.sync.secret.syncOnly} />
        </FailureNotice>
      )}
      {storing.state === 'failed' && <FailureNotice messages={messages} failure={storing.failure} hasFields />}
    </form>
  );
}

interface JobFailedProps extends SecretProps {
  readonly problem: JobProblem;
}

/** The meaning of a failed sync, its own message, and what to do, with the form for it if that is possible here. */
function JobFailed({ group, siteRef, branch, sync, problem }: JobFailedProps) {
  const all = useMessages('sync');
  const messages = all.sync;
  const { sentence, next } = fillFrom(messages.problems[problem.kind], { branch, holder: group.holder ?? siteRef.site });
  return (
    <Notice tone="negative" icon={AlertCircle} role="group" label={messages.means}>
      <p>{sentence}</p>
      {next !== undefined && <p className="rp-next">{next}</p>}
      <p className="rp-quiet">
        {messages.message}: {codeText(all, problem.error)}
      </p>
      {problem.action === 'paste-secret' && <PasteSecret group={group} siteRef={siteRef} branch={branch} sync={sync} />}
    </Notice>
  );
}
