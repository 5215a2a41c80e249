import type { Call } from '@repoless/core/situation/call.ts';
import { subjectOf } from '@repoless/core/situation/edge-configuration.ts';
import type { PlannedStep, SiteRow } from '@repoless/core/sites/rows.ts';
import { Card, Fold } from '../../ui/Card.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { StepChanges } from '../page-properties/StepList.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useLocale } from '@adobe/react-spectrum/Provider';
import { describeChange } from '@repoless/core/history/describe-change.ts';
import type { StoredDocument } from '@repoless/core/history/history-port.ts';
import { useMemo } from 'react';
import { ChangeList } from '../history/ChangeList.tsx';

/** The steps of a row that change something: each changed value, or what is created. */
export function PlannedSteps({ steps }: { readonly steps: readonly PlannedStep[] }) {
  const { applyRows, move } = useMessages('sites');
  const { technical } = useMessages('setup').setup;
  return steps.map(({ id, state, call }) => (
    <div key={id}>
      <p className="rp-strong">{applyRows.steps[id]}</p>
      {state.kind === 'change' ? (
        <StepChanges change={state} />
      ) : (
        call !== undefined && (
          <>
            <p className="rp-quiet">
              {move.created}: <span className="rp-value">{createdAt(call)}</span>
            </p>
            <Fold title={technical} of={applyRows.steps[id]}>
              <p className="rp-quiet">
                {call.method} {call.address}
              </p>
              <ul className="rp-plain-list">
                {fieldsOf(call).map(([name, value]) => (
                  <li key={name}>
                    <code className="rp-quiet">
                      {name}: {value}
                    </code>
                  </li>
                ))}
              </ul>
            </Fold>
          </>
        )
      )}
    </div>
  ));
}

/** The page that a call creates, otherwise its own address. */
function createdAt(call: Call): string {
  return subjectOf(call).creates ?? new URL(call.address, 'http://service.invalid').pathname;
}

function fieldsOf({ body }: Call): readonly (readonly [string, string])[] {
  return body?.type === 'form' ? body.fields : [];
}

export function openSteps(steps: readonly PlannedStep[]): PlannedStep[] {
  return steps.filter(({ state }) => state.kind !== 'done' && state.kind !== 'verify');
}

export interface StayingSite {
  readonly name: string;
  /** The same for sites that stay for the same reason, whatever names their sentences contain. */
  readonly cause: string;
  readonly sentence: string;
}

interface Props {
  readonly title: string;
  readonly sites: readonly StayingSite[];
  /** The sentence for several sites with one cause; if absent or undefined, that of the first. */
  readonly sentenceOf?: (cause: string, count: number) => string | undefined;
}

/** The sites to which nothing happens: their number, and each reason once. */
export function StayingSites({ title, sites, sentenceOf = () => undefined }: Props) {
  const { review, events } = useMessages('sites');
  if (sites.length === 0) return null;
  return (
    <Notice tone="warning" role="group" label={title} title={title}>
      <ul className="rp-plain-list">
        {[...byCause(sites)].map(([cause, ofOne]) => {
          const [{ name, sentence }] = ofOne;
          if (ofOne.length === 1) return <li key={cause}>{`${name}: ${sentence}`}</li>;
          const isAlike = ofOne.every((one) => one.sentence === sentence);
          const text = isAlike ? sentence : (sentenceOf(cause, ofOne.length) ?? review.example({ site: name, sentence }));
          return (
            <li key={cause}>
              <p>{text}</p>
              <Fold title={events.sites({ count: ofOne.length })} of={text}>
                <ul className="rp-plain-list rp-staying">
                  {ofOne.map((one) => (
                    <li key={one.name}>{isAlike ? one.name : `${one.name}: ${one.sentence}`}</li>
                  ))}
                </ul>
              </Fold>
            </li>
          );
        })}
      </ul>
    </Notice>
  );
}

function byCause(sites: readonly StayingSite[]): ReadonlyMap<string, readonly [StayingSite, ...StayingSite[]]> {
  const groups = new Map<string, [StayingSite, ...StayingSite[]]>();
  for (const site of sites) {
    const group = groups.get(site.cause);
    if (group === undefined) groups.set(site.cause, [site]);
    else group.push(site);
  }
  return groups;
}

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
          title={differences.kind({ count: sites.length, steps: list.format(steps.map(({ id }) => applyRows.steps[id])) })}
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
  const stored = steps.find(({ id }) => id === 'register-site');
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

/** Groups sites with the same steps whose configuration changes at the same locations. */
function grouped(rows: readonly ChangingRow[]): Group[] {
  const groups = new Map<string, Group>();
  for (const { row, steps: all } of rows) {
    const steps = openSteps(all);
    if (steps.length === 0) continue;
    const key = JSON.stringify(
      steps.map((step) => [step.id, step.state.kind, changesOf(step).map(({ kind, pointer }) => [kind, pointer])]),
    );
    const group = groups.get(key) ?? { example: row.siteName, steps, sites: [] };
    groups.set(key, { ...group, sites: [...group.sites, row.siteName] });
  }
  return [...groups.values()].toSorted((one, other) => other.sites.length - one.sites.length);
}
