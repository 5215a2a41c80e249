import { useLocale } from '@adobe/react-spectrum/Provider';
import { describeChange } from '@repoless/core/history/describe-change.ts';
import type { StoredDocument } from '@repoless/core/history/history-port.ts';
import type { PlannedStep, SiteRow } from '@repoless/core/sites/rows.ts';
import { useMemo } from 'react';
import { Card } from '../../ui/Card.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { ChangeList } from '../history/ChangeList.tsx';
import { openSteps, PlannedSteps } from '../rows-run/planned-rows.tsx';

export interface ChangingRow {
  readonly row: SiteRow;
  readonly steps: readonly PlannedStep[];
}

/** The changes of a run to existing sites, in groups of the same kind, the largest first. */
export function RowDifferences({ rows }: { readonly rows: readonly ChangingRow[] }) {
  const { review, applyRows } = useMessages('sites');
  const { differences } = review;
  const { locale } = useLocale();
  const groups = useMemo(() => grouped(rows), [rows]);
  const changing = groups.flatMap(({ sites }) => sites).length;
  const list = new Intl.ListFormat(locale, { style: 'narrow', type: 'conjunction' });
  return (
    <Card id="rp-differences" className="rp-stack-tight" level={3} title={differences.title}>
      {groups.map(({ example, steps, sites }, index) => (
        <Fold
          key={example}
          open={index === 0}
          title={differences.kind({ count: sites.length, steps: list.format(steps.map(({ step }) => applyRows.steps[step])) })}
        >
          <p className="rp-quiet">{differences.example({ site: example })}</p>
          <Differences steps={steps} site={example} />
          {sites.length > 1 && (
            <Fold title={differences.which} of={example}>
              <p className="rp-value">{list.format(sites)}</p>
            </Fold>
          )}
        </Fold>
      ))}
      {changing === 0 && <p>{review.repair.nothing}</p>}
      {changing > 0 && changing < rows.length && <p className="rp-quiet">{differences.unchanged({ count: rows.length - changing })}</p>}
    </Card>
  );
}

/** The configuration of the site as sentences, everything else as raw values. */
function Differences({ steps, site }: { readonly steps: readonly PlannedStep[]; readonly site: string }) {
  const { applyRows } = useMessages('sites');
  const stored = steps.find(({ step }) => step === 'register-site');
  return (
    <>
      {stored !== undefined && (
        <>
          <p className="rp-strong">{applyRows.steps['register-site']}</p>
          <ChangeList changes={changesOf(stored)} label={site} />
        </>
      )}
      <PlannedSteps steps={steps.filter((step) => step !== stored)} />
    </>
  );
}

function changesOf({ state }: PlannedStep) {
  return state.kind === 'change' ? describeChange(documentOf(state.before), documentOf(state.after)) : [];
}

// Safe: the planned value of a site is its configuration.
function documentOf(value: unknown): StoredDocument {
  return Object(value) as StoredDocument;
}

interface Group {
  readonly example: string;
  readonly steps: readonly PlannedStep[];
  readonly sites: readonly string[];
}

/** Groups sites with the same steps whose configuration changes in the same places. */
function grouped(rows: readonly ChangingRow[]): Group[] {
  const groups = new Map<string, Group>();
  for (const { row, steps: all } of rows) {
    const steps = openSteps(all);
    if (steps.length === 0) continue;
    const key = JSON.stringify(
      steps.map((step) => [step.step, step.state.kind, changesOf(step).map(({ kind, pointer }) => [kind, pointer])]),
    );
    const group = groups.get(key) ?? { example: row.siteName, steps, sites: [] };
    groups.set(key, { ...group, sites: [...group.sites, row.siteName] });
  }
  return [...groups.values()].toSorted((one, other) => other.sites.length - one.sites.length);
}
