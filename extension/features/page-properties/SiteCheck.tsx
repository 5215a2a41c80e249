import { Button } from '@adobe/react-spectrum/Button';
import { Radio, RadioGroup } from '@adobe/react-spectrum/RadioGroup';
import type { Finding } from '@repoless/core/checks/check-data.ts';
import { type Symptom, SYMPTOMS } from '@repoless/core/messages/symptoms.ts';
import InfoOutline from '@spectrum-icons/workflow/InfoOutline';
import { useState } from 'react';
import { Fold } from '../../ui/Fold.tsx';
import { LinkedRows, useNamed } from '../../ui/address/LinkedRows.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { bySymptom, countVerdicts, FindingList, groupFindings, type SymptomFindings } from './FindingList.tsx';

interface Props {
  /** What was found, here and by others. */
  readonly findings: readonly Finding[];
  /** A site that is not set up yet has its faults in the plan; the findings stay folded. */
  readonly isFolded: boolean;
  readonly reading: boolean;
  readonly onRead: () => void;
}

/** Everything that this site needs, looked at: what is wrong, what that means, how to mend it; by symptom where there is one. */
export function SiteCheck({ findings, isFolded, reading, onRead }: Props) {
  const { checks } = useMessages('site-check');
  const [symptom, setSymptom] = useState<Symptom>();
  const { wrong, warnings } = countVerdicts(findings);
  return (
    <LinkedRows>
      <section className="rp-card" aria-labelledby="rp-check" aria-busy={reading}>
        <div className="rp-section-head rp-check-head">
          <div>
            <h2 id="rp-check">{checks.title}</h2>
            <p className="rp-quiet">{checks.text}</p>
          </div>
          <Button variant="secondary" isDisabled={reading} onPress={onRead}>
            {checks.run}
          </Button>
        </div>
        <p role="status" className="rp-strong">
          {checks.summary({ wrong, warnings })}
        </p>
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
        {symptom !== undefined && <Causes symptom={symptom} {...bySymptom(findings, symptom)} />}
        {symptom === undefined && isFolded && <FoldedGroups findings={findings} />}
        {symptom === undefined && !isFolded && <Groups findings={findings} />}
      </section>
    </LinkedRows>
  );
}

const NONE = 'none' as const;

function Groups({ findings }: { readonly findings: readonly Finding[] }) {
  const { checks } = useMessages('site-check');
  return groupFindings(findings).map((group) => (
    <FindingList
      key={group.verdict}
      title={checks.verdicts[group.verdict].group({ count: group.findings.length })}
      findings={group.findings}
      folded={group.verdict === 'fine' || group.verdict === 'unknown'}
    />
  ));
}

function FoldedGroups({ findings }: { readonly findings: readonly Finding[] }) {
  const { checks } = useMessages('site-check');
  const isNamed = useNamed('finding');
  return (
    <Fold title={checks.show} open={findings.some(({ check }) => isNamed(check))}>
      <Groups findings={findings} />
    </Fold>
  );
}

interface CausesProps extends SymptomFindings {
  readonly symptom: Symptom;
}

/** What most likely causes a symptom, and where nothing does, what to do next. */
function Causes({ symptom, causes, unchecked, others }: CausesProps) {
  const { checks } = useMessages('site-check');
  const noCause = checks.noCause[symptom];
  return (
    <>
      {causes.length === 0 ? (
        <div className="rp-notice rp-notice-info" role="note">
          <InfoOutline size="S" UNSAFE_className="rp-notice-icon" />
          <div className="rp-notice-body">
            <p>{noCause.sentence({ unchecked: unchecked.length })}</p>
            <p className="rp-next">{noCause.next}</p>
          </div>
        </div>
      ) : (
        <FindingList title={checks.first} findings={causes} folded={false} />
      )}
      {unchecked.length > 0 && (
        <FindingList title={checks.unchecked({ count: unchecked.length })} findings={unchecked} folded={causes.length > 0} />
      )}
      {others.length > 0 && <FindingList title={checks.others} findings={others} folded />}
    </>
  );
}
