import { Radio, RadioGroup } from '@adobe/react-spectrum/RadioGroup';
import { type Finding, fixOf } from '@repoless/core/checks/finding.ts';
import { findingMessages, type Symptom, SYMPTOMS } from '@repoless/core/messages/finding-messages.ts';
import type { Plan, StepId } from '@repoless/core/plan/plan.ts';
import InfoOutline from '@spectrum-icons/workflow/InfoOutline';
import { useState } from 'react';
import { TextButton } from '../../ui/TextButton.tsx';
import { addressWith, NO_ROW } from '../../host/address-state.ts';
import type { SitePlace } from '../shell/places.ts';
import { Fold } from '../../ui/Card.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { AddressLink } from '../../ui/AddressLink.tsx';
import { LinkedRows, useNamed } from '../../ui/LinkedRows.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { bySymptom, countVerdicts, FindingList, groupFindings, type SymptomFindings, useFixLinks } from './FindingList.tsx';

interface Props {
  readonly findings: readonly Finding[];
  /** Findings about the current person's permissions. */
  readonly ofCaller: readonly Finding[];
  /** The plan that would set the site up; absent if the person may not. */
  readonly plan: Plan | undefined;
  /** The problems of a site that is not set up yet are in the plan; the findings stay collapsed. */
  readonly isFolded: boolean;
  readonly reading: boolean;
  readonly onRead: () => void;
}

export function SiteCheck({ findings: all, ofCaller, plan, isFolded, reading, onRead }: Props) {
  const { checks } = useMessages('site-check');
  const [symptom, setSymptom] = useState<Symptom>();
  // Missing read permission is reported once, above.
  const findings = plan === undefined ? all.filter(({ verdict }) => verdict !== 'unknown') : all;
  const { wrong, warnings } = countVerdicts(findings);
  const isOpen = (step: StepId): boolean => plan?.steps.some(({ id, state }) => id === step && state.kind !== 'done') === true;
  const to = (place: SitePlace, step?: StepId): string => addressWith({ place, ...NO_ROW, step: step ?? '' });
  const mendOf = useFixLinks(to, isOpen);
  const mended = findings.flatMap((finding) => {
    const mending = fixOf(finding);
    return mending !== undefined && 'step' in mending && isOpen(mending.step) ? [mending.step] : [];
  });
  return (
    <LinkedRows>
      <section className="rp-card" aria-labelledby="rp-check" aria-busy={reading}>
        <div className="rp-section-head rp-check-head">
          <div>
            <h2 id="rp-check">{checks.title}</h2>
            <p className="rp-quiet">{checks.text}</p>
          </div>
          <TextButton isDisabled={reading} onPress={onRead} text={checks.run} />
        </div>
        {plan !== undefined && ofCaller.map((finding) => <OfCaller key={finding.check} finding={finding} />)}
        <p role="status" className="rp-strong">
          {checks.summary({ wrong, warnings })}
        </p>
        {mended.length > 1 && (
          <p>
            <AddressLink address={to('setup', mended[0])} className="rp-link-button">
              {checks.mendAll({ count: mended.length })}
            </AddressLink>
          </p>
        )}
        <RadioGroup
          label={checks.symptomQuestion}
          orientation="horizontal"
          value={symptom ?? NONE}
          onChange={(value) => setSymptom(SYMPTOMS.find((known) => known === value))}
        >
          {[NONE, ...SYMPTOMS].map((known) => (
            <Radio key={known} value={known}>
              {known === NONE ? checks.noSymptom : checks.symptoms[known]}
            </Radio>
          ))}
        </RadioGroup>
        {symptom !== undefined && <Causes symptom={symptom} mendOf={mendOf} {...bySymptom(findings, symptom)} />}
        {symptom === undefined && isFolded && <FoldedGroups findings={findings} mendOf={mendOf} />}
        {symptom === undefined && !isFolded && <Groups findings={findings} mendOf={mendOf} />}
      </section>
    </LinkedRows>
  );
}

const NONE = 'none' as const;

/** What the current person may not do, or not for long: not a finding about the site. */
function OfCaller({ finding }: { readonly finding: Finding }) {
  const messages = useMessages('site-check');
  const texts = findingMessages(messages.checks, finding, messages);
  return (
    <Notice tone="info" icon={InfoOutline} role="note" title={texts.finding}>
      <p>{texts.consequence}</p>
      <p className="rp-next">{texts.fix}</p>
    </Notice>
  );
}

type GroupsProps = Pick<Parameters<typeof FindingList>[0], 'findings' | 'mendOf'>;

function Groups({ findings, mendOf }: GroupsProps) {
  const { checks } = useMessages('site-check');
  return groupFindings(findings).map((group) => (
    <FindingList
      key={group.verdict}
      title={checks.verdicts[group.verdict].group({ count: group.findings.length })}
      findings={group.findings}
      folded={group.verdict === 'fine' || group.verdict === 'unknown'}
      mendOf={mendOf}
    />
  ));
}

function FoldedGroups({ findings, mendOf }: GroupsProps) {
  const { checks } = useMessages('site-check');
  const isNamed = useNamed('finding');
  return (
    <Fold title={checks.show} open={findings.some(({ check }) => isNamed(check))}>
      <Groups findings={findings} mendOf={mendOf} />
    </Fold>
  );
}

interface CausesProps extends SymptomFindings, Pick<GroupsProps, 'mendOf'> {
  readonly symptom: Symptom;
}

/** The likeliest causes of a symptom or, without any, what to do next. */
function Causes({ symptom, causes, unchecked, others, mendOf }: CausesProps) {
  const { checks } = useMessages('site-check');
  const noCause = checks.noCause[symptom];
  return (
    <>
      {causes.length === 0 ? (
        <Notice tone="info" icon={InfoOutline} role="note">
          <p>{noCause.sentence({ unchecked: unchecked.length })}</p>
          <p className="rp-next">{noCause.next}</p>
        </Notice>
      ) : (
        <FindingList title={checks.first} findings={causes} folded={false} mendOf={mendOf} />
      )}
      {unchecked.length > 0 && (
        <FindingList
          title={checks.unchecked({ count: unchecked.length })}
          findings={unchecked}
          folded={causes.length > 0}
          mendOf={mendOf}
        />
      )}
      {others.length > 0 && <FindingList title={checks.others} findings={others} folded mendOf={mendOf} />}
    </>
  );
}
