import { type CommitAbout, JOB_STARTERS, type JobStatus, type SyncedCommit } from '@repoless/contract/job.ts';
import { codeText } from '@repoless/core/messages/explain-failure.ts';
import { type Failure, failureOf, type Known } from '@repoless/core/situation/call.ts';
import type { RepositoryGroup } from '@repoless/core/sync/repository-groups.ts';
import { compareCode, type Comparison, oldCodeVerdict } from '@repoless/core/sync/compare-code.ts';
import type { SyncState } from '@repoless/core/sync/sync-state.ts';
import { useState } from 'react';
import { TextButton } from '../../ui/TextButton.tsx';
import { Age } from '../../ui/Age.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { ExternalLink } from '../../ui/ExternalLink.tsx';
import { Fold } from '../../ui/Card.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { LastDeliveries } from '../external-repository/ExternalRepository.tsx';
import type { FollowedBranch } from './use-job.ts';

interface CommitNameProps {
  readonly sha: string;
  readonly about: CommitAbout | undefined;
  readonly group: Pick<RepositoryGroup, 'type' | 'owner' | 'repo'>;
  /** Scheme and host of the code host. */
  readonly codeHost: string;
}

/** The person or program that started a sync. */
export function JobUser({ user }: { readonly user: string | undefined }) {
  const { starters, byNobody } = useMessages('sync').sync;
  const starter = JOB_STARTERS.find((one) => one === user);
  if (starter !== undefined) return starters[starter];
  return user ?? <span className="rp-quiet">{byNobody}</span>;
}

/** The commit of a sync, which has none before it was found. */
export function SyncedCommitName({ sha, ...about }: Omit<CommitNameProps, 'sha'> & { readonly sha: string | undefined }) {
  const { sync } = useMessages('sync');
  return sha === undefined ? <span className="rp-quiet">{sync.noCommit}</span> : <CommitName sha={sha} {...about} />;
}

/** A commit: its abbreviated hash, message and author. */
function CommitName({ sha, about, group, codeHost }: CommitNameProps) {
  const { commits: messages } = useMessages('sync').sync;
  const name = <code title={sha}>{sha.slice(0, SHORT)}</code>;
  const repository = [group.owner, group.repo].map(encodeURIComponent).join('/');
  return (
    <span className="rp-commit">
      {group.type === 'github' ? (
        <ExternalLink address={`${codeHost}/${repository}/commit/${sha}`} copyLabel={messages.copy}>
          {name}
        </ExternalLink>
      ) : (
        name
      )}
      {about?.message !== undefined && <span>{about.message}</span>}
      {about?.author !== undefined && <span className="rp-quiet">{about.author}</span>}
    </span>
  );
}

const SHORT = 10;

interface Props extends Omit<FollowedBranch, 'builds'> {
  readonly status: JobStatus;
}

/** The commits of a branch that can be served: back to an earlier one, and forward again. The result arrives with the job. */
export function Commits({ group, siteRef, branch, sync, status, codeHost }: Props) {
  const messages = useMessages('sync');
  const { commits: texts } = messages.sync;
  const [rollback, setRollback] = useState<'idle' | 'requested' | Failure>('idle');
  const { commits = [], served, rolledBack } = status;
  const [latest] = commits;
  if (latest === undefined || (commits.length < 2 && rolledBack === undefined)) return null;
  const sites = group.sites.length;
  const serve = async (sha: string | null): Promise<void> => {
    setRollback('requested');
    setRollback(failureOf(await sync.serve(siteRef, sha)) ?? 'idle');
  };
  const nameOf = ({ sha, message }: SyncedCommit): string => [sha.slice(0, SHORT), message].filter(Boolean).join(' ');
  const now = commits.find(({ sha }) => sha === served);
  const button = (label: string, text: string, sha: string | null) => (
    <TextButton isDisabled={rollback === 'requested'} aria-label={label} onPress={() => void serve(sha)} text={text} />
  );
  return (
    <>
      {rolledBack !== undefined && (
        <Notice tone="warning" role="group" label={texts.isRolledBack}>
          <p className="rp-strong">{texts.isRolledBack}</p>
          {now !== undefined && <CommitName sha={now.sha} about={now} group={group} codeHost={codeHost} />}
          <p className="rp-quiet">
            {texts.by({ user: rolledBack.user })} · <Age time={rolledBack.time} />
          </p>
          <p>{texts.forwardText({ sites, commit: nameOf(latest) })}</p>
          <div className="rp-actions">{button(texts.forwardOf({ branch }), texts.forward, null)}</div>
        </Notice>
      )}
      <Fold title={texts.title} of={branch}>
        <div className="rp-stack-tight">
          <p>{texts.text({ sites, shared: group.type === 'github' ? 'yes' : 'no' })}</p>
          <ul className="rp-plain-list" aria-label={texts.title}>
            {commits.map((commit) => (
              <li key={commit.sha} className="rp-past-job">
                <span className="rp-past-job-head">
                  <CommitName sha={commit.sha} about={commit} group={group} codeHost={codeHost} />
                  {commit.synced !== undefined && <Age time={commit.synced} />}
                  {commit.sha === served && <Badge tone="info" text={texts.served} />}
                </span>
                {commit.sha !== served && commit !== latest && (
                  <div>{button(texts.backTo({ commit: nameOf(commit) }), texts.back, commit.sha)}</div>
                )}
              </li>
            ))}
          </ul>
          <p className="rp-quiet">{texts.kept}</p>
        </div>
      </Fold>
      {typeof rollback === 'object' && <FailureNotice messages={messages} failure={rollback} />}
    </>
  );
}

interface OldCodeProps extends Omit<FollowedBranch, 'codeHost'> {
  readonly status: JobStatus;
  readonly syncState: SyncState;
}

/**
 * "The site still shows old code": the last push compared with the served commit, what that means, and the deliveries, which can be sent
 * again.
 */
export function OldCode({ group, siteRef, branch, sync, builds, status, syncState }: OldCodeProps) {
  const messages = useMessages('sync');
  const { oldCode } = messages.sync;
  const [compared, setCompared] = useState<Known<Comparison> | 'no' | 'requested'>('no');
  const pushes = builds === undefined ? undefined : { builds, repository: group.repo };
  const compare = async (): Promise<void> => {
    setCompared('requested');
    setCompared(await compareCode({ sync, code: group, pushes }, siteRef, branch, status));
  };
  const known = typeof compared === 'object' && compared.state === 'known' ? compared.value : undefined;
  const verdict = known === undefined ? undefined : oldCodeVerdict(known, syncState);
  return (
    <div className="rp-stack-tight">
      <p className="rp-quiet">{oldCode.text}</p>
      <div>
        <TextButton
          isDisabled={compared === 'requested'}
          onPress={() => void compare()}
          text={compared === 'requested' ? oldCode.checking : oldCode.check}
        />
      </div>
      {typeof compared === 'object' && compared.state === 'failed' && <FailureNotice messages={messages} failure={compared.failure} />}
      <div role="status">
        {verdict !== undefined && (
          <>
            <p>{oldCode[verdict]}</p>
            {known?.detail !== undefined && <p className="rp-quiet">{codeText(messages, known.detail)}</p>}
            <p className="rp-next">{oldCode.next[verdict]}</p>
          </>
        )}
      </div>
      {known?.unread !== undefined && <FailureNotice messages={messages} failure={known.unread} />}
      {known !== undefined && <ComparedCommits comparison={known} />}
      {known !== undefined && builds !== undefined && (
        <LastDeliveries builds={builds} organization={siteRef.org} id={group.repo} arrival={known.arrival ?? 'webhook'} />
      )}
    </div>
  );
}

function ComparedCommits({ comparison }: { readonly comparison: Comparison }) {
  const { oldCode } = useMessages('sync').sync;
  const { push, head, served } = comparison;
  const hash = (sha: string | undefined) => (sha === undefined ? oldCode.none : <code title={sha}>{sha.slice(0, SHORT)}</code>);
  return (
    <Facts
      className="rp-facts"
      rows={[
        [oldCode.pushed, push === 'unlisted' ? undefined : push === undefined ? oldCode.none : <Pushed push={push} />],
        [oldCode.head, head === undefined ? undefined : hash(head)],
        [oldCode.served, hash(served)],
      ]}
    />
  );
}

function Pushed({ push: { sha, time, refusal } }: { readonly push: Exclude<Comparison['push'], 'unlisted' | undefined> }) {
  const messages = useMessages('sync');
  return (
    <>
      <code>{sha.slice(0, SHORT)}</code> <Age time={time} />
      {refusal !== undefined && <p>{codeText(messages, refusal)}</p>}
    </>
  );
}
