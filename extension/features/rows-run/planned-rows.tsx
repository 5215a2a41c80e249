import type { Call } from '@repoless/core/situation/call.ts';
import type { PlannedStep } from '@repoless/core/sites/rows.ts';
import { Fold } from '../../ui/Fold.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { StepChanges } from '../page-properties/StepList.tsx';
import { Notice } from '../../ui/Notice.tsx';

/** The steps of a row that change something: each changed value, or what is created. */
export function PlannedSteps({ steps }: { readonly steps: readonly PlannedStep[] }) {
  const { applyRows, move } = useMessages('sites');
  const { technical } = useMessages('setup').setup;
  return steps.map(({ step, state, call }) => (
    <div key={step}>
      <p className="rp-strong">{applyRows.steps[step]}</p>
      {state.kind === 'change' ? (
        <StepChanges change={state} />
      ) : (
        call !== undefined && (
          <>
            <p className="rp-quiet">
              {move.created}: <span className="rp-value">{createdAt(call)}</span>
            </p>
            <Fold title={technical} of={applyRows.steps[step]}>
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

/** The page that a call creates: from its fields, or its own address. */
function createdAt(call: Call): string {
  const { parentPath, label } = Object.fromEntries(fieldsOf(call));
  return parentPath === undefined || label === undefined
    ? new URL(call.address, 'http://service.invalid').pathname
    : `${parentPath}/${label}`;
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
