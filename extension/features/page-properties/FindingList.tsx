import { Button } from '@adobe/react-spectrum/Button';
import { StatusLight } from '@adobe/react-spectrum/StatusLight';
import { Text } from '@adobe/react-spectrum/Text';
import type { CheckId, Verdict } from '@repoless/contract/site-check.ts';
import { type Finding, fixOf } from '@repoless/core/checks/finding.ts';
import { findingMessages, type Symptom } from '@repoless/core/messages/finding-messages.ts';
import type { StepId } from '@repoless/core/plan/plan.ts';
import { organizationAddress } from '../../host/address-state.ts';
import type { SitePlace } from '../shell/places.ts';
import { Fold } from '../../ui/Card.tsx';
import { AddressLink } from '../../ui/AddressLink.tsx';
import { RowLink, useNamed } from '../../ui/LinkedRows.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import type { Tone } from './step-view.ts';

const TONES: Record<Verdict, Tone> = { wrong: 'negative', warning: 'notice', unknown: 'neutral', note: 'info', fine: 'positive' };

interface Props {
  readonly title: string;
  readonly findings: readonly Finding[];
  readonly folded: boolean;
  /** The address that explains a finding, if that is elsewhere; otherwise each finding links to itself. */
  readonly addressOf?: ((finding: Finding) => string) | undefined;
  readonly mendOf: (finding: Finding) => Mend | undefined;
}

/** The link to the fix of a finding: the review of a repair, or the place where it is fixed by hand. */
export interface Mend {
  readonly label: string;
  readonly go: string | (() => void);
}

export function FindingList({ title, findings, folded, addressOf, mendOf }: Props) {
  const isNamed = useNamed('finding');
  const list = (
    <ul className="rp-plain-list rp-findings" aria-label={title}>
      {findings.map((finding) => (
        <FindingItem
          key={`${finding.check} ${finding.variant ?? ''} ${JSON.stringify(finding.data)}`}
          finding={finding}
          heading={folded ? 'h3' : 'h4'}
          address={addressOf?.(finding)}
          mend={mendOf(finding)}
        />
      ))}
    </ul>
  );
  if (folded) {
    return (
      <Fold title={title} open={findings.some(({ check }) => isNamed(check))}>
        {list}
      </Fold>
    );
  }
  return (
    <div className="rp-stack-tight">
      <h3>{title}</h3>
      {list}
    </div>
  );
}

interface ItemProps {
  readonly finding: Finding;
  readonly heading: 'h3' | 'h4';
  readonly address: string | undefined;
  readonly mend: Mend | undefined;
}

/** `heading`: the title of a collapsible section is not a heading, so its content is one level higher. */
function FindingItem({ finding, heading: Heading, address, mend }: ItemProps) {
  const all = useMessages('site-check');
  const { checks } = all;
  const messages = findingMessages(checks, finding, all);
  const title = checks.titles[finding.check];
  const isRepaired = mend?.label === checks.mend;
  return (
    <li className="rp-finding">
      <div className="rp-step-head">
        <Heading>
          {address === undefined ? (
            <RowLink parameter="finding" name={finding.check}>
              {title}
            </RowLink>
          ) : (
            <AddressLink address={address}>{title}</AddressLink>
          )}
        </Heading>
        <StatusLight variant={TONES[finding.verdict]} UNSAFE_className="rp-step-state">
          {checks.verdicts[finding.verdict].label}
        </StatusLight>
      </div>
      <p>{messages.finding}</p>
      {messages.consequence !== undefined && (
        <p>
          <span className="rp-strong">{checks.consequence}:</span> {messages.consequence}
        </p>
      )}
      {messages.fix !== undefined && !isRepaired && (
        <p>
          <span className="rp-strong">{checks.fix}:</span> {messages.fix}
        </p>
      )}
      {mend !== undefined && (
        <p>
          <MendLink {...mend} title={title} />
        </p>
      )}
      {finding.evidence !== undefined && (
        <Fold title={checks.evidence} of={title}>
          <p className="rp-strong">{checks.request}</p>
          <pre className="rp-pre">{finding.evidence.request}</pre>
          <p className="rp-strong">{checks.answer}</p>
          <pre className="rp-pre">{finding.evidence.answer}</pre>
        </Fold>
      )}
    </li>
  );
}

function MendLink({ label, go, title }: Mend & { readonly title: string }) {
  const text = (
    <>
      {label}
      <span className="rp-hidden">: {title}</span>
    </>
  );
  if (typeof go === 'string') {
    return (
      <AddressLink address={go} className="rp-link-button rp-link-button-secondary">
        {text}
      </AddressLink>
    );
  }
  return (
    <Button variant="secondary" onPress={go}>
      <Text>{text}</Text>
    </Button>
  );
}

/**
 * The links to fixes for findings of a site. `to`: the address of one of its places. `isOpen`: whether the setup's plan, if known, has this step
 * still to take. `repair` opens the review of the site's repair, if that is possible here.
 */
export function useFixLinks(to: (place: SitePlace, step?: StepId) => string, isOpen: (step: StepId) => boolean, repair?: () => void) {
  const { checks, access, configuration } = useMessages('site-check');
  return (finding: Finding): Mend | undefined => {
    const mending = fixOf(finding);
    if (mending === undefined) return undefined;
    if ('place' in mending) {
      if (mending.place === 'repositories') return { label: checks.repositories, go: organizationAddress('repositories') };
      return { label: { access, configuration }[mending.place].open, go: to(mending.place) };
    }
    return isOpen(mending.step) ? { label: checks.mend, go: repair ?? to('setup', mending.step) } : undefined;
  };
}

interface FindingGroup {
  readonly verdict: Verdict;
  readonly findings: readonly Finding[];
}

const ORDER: readonly Verdict[] = ['wrong', 'warning', 'unknown', 'note', 'fine'];

/** The checks that matter first for a symptom (docs/design-facts.md 3.1 and docs/design-facts.md 3.3). */
const CAUSES: Record<Symptom, readonly CheckId[]> = {
  'white-page': [
    'project-type',
    'site-registered',
    'editor-files',
    'code-sync-fresh',
    'config-preview',
    'config-live',
    'config-shadowed',
    'mapping-site-root',
  ],
  'old-code': [
    'code-sync-fresh',
    'secret-present',
    'organization-and-site-name',
    'content-address-site',
    'config-shadowed',
    'obsolete-files',
  ],
  publishing: [
    'technical-account-listed',
    'technical-account-environment',
    'delivery-answers',
    'organization-and-site-name',
    'cloud-configuration-own',
    'content-address-site',
  ],
  'config-missing': [
    'site-registered',
    'mapping-site-root',
    'mapping-configuration',
    'configuration-page',
    'host-label',
    'config-shadowed',
  ],
};

/** Findings by verdict, the worst first; empty groups are omitted. */
export function groupFindings(findings: readonly Finding[]): FindingGroup[] {
  return ORDER.map((verdict) => ({ verdict, findings: findings.filter((finding) => finding.verdict === verdict) })).filter(
    (group) => group.findings.length > 0,
  );
}

export interface SymptomFindings {
  /** Findings that are not fine and may cause the symptom, the likeliest first. */
  readonly causes: readonly Finding[];
  readonly unchecked: readonly Finding[];
  readonly others: readonly Finding[];
}

/** Groups the findings by their relation to a symptom. What is fine is not a cause. */
export function bySymptom(findings: readonly Finding[], symptom: Symptom): SymptomFindings {
  const suspects = CAUSES[symptom];
  const rank = ({ check, verdict }: Finding): number => ORDER.indexOf(verdict) * suspects.length + suspects.indexOf(check);
  const suspected = findings
    .filter(({ check, verdict }) => suspects.includes(check) && verdict !== 'fine')
    .toSorted((a, b) => rank(a) - rank(b));
  return {
    causes: suspected.filter(({ verdict }) => verdict !== 'unknown'),
    unchecked: suspected.filter(({ verdict }) => verdict === 'unknown'),
    others: findings.filter((finding) => !suspected.includes(finding)),
  };
}

export function countVerdicts(findings: readonly Finding[]): { readonly wrong: number; readonly warnings: number } {
  const count = (verdict: Verdict): number => findings.filter((finding) => finding.verdict === verdict).length;
  return { wrong: count('wrong'), warnings: count('warning') };
}
