import type { CheckId } from '#contract/site-check.ts';
import type { CheckMessages } from '../finding-messages.ts';

const HERE = 'open “Sync status” on the right of the editor';
const PANEL = 'Open “Sync status” on the right of the editor';

/** Findings about the code that the site is served with. */
export const codeFindings = {
  'code-sync-fresh': {
    fine: (d) => ({
      finding: `The code was synced${at(d['time'])}${d['commit'] === '' ? '' : `, commit ${short(d['commit'])}`}.`,
    }),
    otherwise: (d) => ({
      finding: `The last code sync failed: ${d['error']}`,
      consequence: 'The site shows old code, or none at all.',
      fix: `${PANEL}. It explains the cause and what to do.`,
    }),
    unknown: () => ({ finding: 'The result of the last code sync is unknown.', fix: 'Register the site first, then check again.' }),
    variants: {
      never: () => ({
        finding: 'The code has never been synced.',
        consequence: 'The site has no code: the editor shows a white page.',
        fix: `${PANEL} and sync the code.`,
      }),
      running: () => ({ finding: 'The code is being synced.' }),
      behind: (d) => ({
        finding: `The branch “main” is at commit ${short(d['head'])}, but ${short(d['commit'])} is served.`,
        consequence: 'The site shows old code: the last push did not start a sync.',
        fix: `If somebody pushed a moment ago, check again in a minute. If not: ${HERE} and sync the code. Then check the deliveries of the webhook at the code host or git vendor.`,
      }),
      gone: (d) => ({
        finding: `The last synced code is still served, but newer code can’t be synced: ${lost(d)}`,
        consequence: 'The site keeps the code of the last sync.',
        fix: `Make the repository and its branch available again, then ${HERE} and sync the code.`,
      }),
      uncompared: (d) => ({
        finding: `The code was synced${at(d['time'])}, commit ${short(d['commit'])}, but the branch couldn’t be read to compare it.${after(d['detail'])}`,
        fix: `Compare this commit with the branch yourself. If they differ, ${HERE} and sync the code.`,
      }),
      stopped: () => ({
        finding: 'Somebody stopped the last code sync.',
        consequence: 'The site may show old code.',
        fix: `${PANEL} and sync the code again.`,
      }),
      secret: (d) => ({
        finding: `The last code sync failed: ${d['error']}`,
        consequence: 'The secret is wrong, or it was revoked by linking the repository to another site; the site shows old code.',
        fix: `${PANEL} and paste the new secret there.`,
      }),
    },
  },
  'secret-present': {
    fine: () => ({ finding: 'The secret of the external repository is stored.' }),
    otherwise: () => ({
      finding: 'The secret of the external repository is missing.',
      consequence: 'The code can’t be synced for any site that uses this repository.',
      fix: `${PANEL} and paste the secret there; build management shows a new one when the repository is linked again.`,
    }),
    unknown: () => ({ finding: 'Couldn’t check whether the secret is stored.', fix: 'Register the site first, then check again.' }),
    variants: {
      'not-needed': () => ({ finding: 'The code comes from the code host; no secret is needed.' }),
      elsewhere: () => ({ finding: 'The first site of this repository holds the secret; this one needs none.' }),
      superfluous: () => ({
        finding: 'This site holds a secret although it is not the first site of the repository.',
        consequence: 'It is never used, and may be mistaken for the valid one.',
        fix: 'Remove it: DELETE the secret “cm-byog” of this site.',
      }),
    },
  },
} as const satisfies Partial<Record<CheckId, CheckMessages>>;

function lost({ lost: what, repository = '' }: Readonly<Record<string, string>>): string {
  if (what === 'repository') return `the repository ${repository} no longer exists.`;
  if (what === 'permission') return `the repository ${repository} can’t be read. It is private, or it no longer exists.`;
  return `the repository ${repository} no longer has a branch “main”.`;
}

function short(commit = ''): string {
  return commit.slice(0, 10);
}

function after(detail = ''): string {
  return detail === '' ? '' : ` ${detail}`;
}

function at(time: string | undefined): string {
  return time === undefined || time === '' ? '' : ` at ${time.slice(0, 16).replace('T', ' ')} UTC`;
}
