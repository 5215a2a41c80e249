import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { type IntendedPaths, readSimulation, type ReadSimulation } from '@repoless/core/mappings/read-simulation.ts';
import type { SimulatedPage } from '@repoless/core/mappings/simulate-mappings.ts';
import { explainFailure } from '@repoless/core/messages/explain-failure.ts';
import type { MessagesOf } from '@repoless/core/messages/language.ts';
import { affectedPages, pageSentence, simulationRemarks, simulationSummary } from '@repoless/core/messages/simulation-sentences.ts';
import { type Failure, failureOf } from '@repoless/core/situation/call.ts';
import { useId, useState } from 'react';
import { Breakable } from '../../ui/Breakable.tsx';
import { Explanation } from '../../ui/Notice.tsx';
import { WindowedList } from '../../ui/WindowedList.tsx';
import type { SimulationPorts } from '../../ui/organization-contexts.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { useStopper } from '../../ui/use-reading.ts';
import './mappings.css';

interface Props {
  readonly ports: SimulationPorts;
  /** Use a new key for each change, because it needs a new simulation. */
  readonly intended: IntendedPaths;
  readonly occasion?: keyof MessagesOf<'simulation'>['simulation']['occasion'];
  readonly level?: 2 | 3 | 4;
}

export function SimulateMappings({ ports, intended, occasion = 'plan', level = 2 }: Props) {
  const messages = useMessages('simulation');
  const { simulation: texts } = messages;
  const { simulating, start, stop } = useSimulation(ports, intended);
  const title = useId();
  const Heading = `h${level}` as const;
  const isReading = simulating.state === 'reading';
  return (
    <section className="rp-card" aria-labelledby={title} aria-busy={isReading}>
      <Heading id={title}>{texts.title}</Heading>
      <p className="rp-quiet">
        {texts.occasion[occasion]} {texts.text}
      </p>
      <div className="rp-actions">
        {/* One button for both, so that focus stays where it is. */}
        <ActionButton onPress={() => (isReading ? stop() : void start())}>{isReading ? texts.stop : texts.start}</ActionButton>
      </div>
      <p role="status" className={simulating.state === 'ready' ? 'rp-strong' : 'rp-quiet'}>
        {statusOf(texts, simulating)}
      </p>
      {simulating.state === 'failed' && <Explanation title={texts.failed} explained={explainFailure(messages, simulating.failure)} />}
      {simulating.state === 'ready' && <SimulationResult simulation={simulating.simulation} />}
    </section>
  );
}

function statusOf(texts: Parameters<typeof simulationSummary>[0], simulating: SimulationState): string {
  switch (simulating.state) {
    case 'reading':
      return texts.reading({ pages: simulating.pages });
    case 'stopped':
      return texts.stopped;
    case 'ready':
      return simulationSummary(texts, simulating.simulation);
    case 'none':
    case 'failed':
      return '';
    default:
      return simulating satisfies never;
  }
}

type SimulationState =
  | { readonly state: 'none' | 'stopped' }
  | { readonly state: 'reading'; readonly pages: number }
  | { readonly state: 'failed'; readonly failure: Failure }
  | { readonly state: 'ready'; readonly simulation: ReadSimulation };

/** Simulates a change of mappings on request; stops when the view unmounts. */
function useSimulation(ports: SimulationPorts, intended: IntendedPaths) {
  const [simulating, setSimulating] = useState<SimulationState>({ state: 'none' });
  const stopper = useStopper();
  const start = async (): Promise<void> => {
    const signal = stopper.start();
    setSimulating({ state: 'reading', pages: 0 });
    const onPages = (pages: number): void => {
      if (!signal.aborted) setSimulating({ state: 'reading', pages });
    };
    const answer = await readSimulation(ports, intended, { signal, onPages });
    if (signal.aborted) return;
    if (answer.state === 'known') setSimulating({ state: 'ready', simulation: answer.value });
    else setSimulating({ state: 'failed', failure: failureOf(answer) });
  };
  const stop = (): void => {
    stopper.stop();
    setSimulating({ state: 'stopped' });
  };
  return { simulating, start, stop };
}

const ROW = 84;
const HEIGHT = 420;

/** The pages affected by a change of mappings, the worst first; the selected one in detail below. */
function SimulationResult({ simulation }: { readonly simulation: ReadSimulation }) {
  const messages = useMessages('simulation');
  const { simulation: texts } = messages;
  const [chosen, setChosen] = useState<SimulatedPage>();
  const pages = affectedPages(simulation);
  const remarks = simulationRemarks(texts, simulation, (failure) => explainFailure(messages, failure).sentence);
  return (
    <>
      {remarks.map((remark) => (
        <p key={remark}>
          <Breakable text={remark} />
        </p>
      ))}
      {pages.length > 0 && (
        <WindowedList label={texts.list} rows={pages} idOf={({ path }) => path} rowHeight={ROW} height={HEIGHT}>
          {(page, tabIndex) => (
            <button
              type="button"
              className={`rp-affected rp-affected-${page.effect}`}
              tabIndex={tabIndex}
              aria-pressed={page.path === chosen?.path}
              onClick={() => setChosen(page)}
            >
              <span className="rp-affected-path">
                <Breakable text={page.path} />
              </span>{' '}
              <span className="rp-affected-fate">
                <Breakable text={pageSentence(texts, page)} />
              </span>
            </button>
          )}
        </WindowedList>
      )}
      {chosen !== undefined && (
        <p className="rp-affected-chosen">
          <code>
            <Breakable text={chosen.path} />
          </code>
          : <Breakable text={pageSentence(texts, chosen)} />
        </p>
      )}
    </>
  );
}
