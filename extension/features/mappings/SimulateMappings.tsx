import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { useId } from 'react';
import type { IntendedPaths } from '@repoless/core/mappings/read-simulation.ts';
import { explainFailure } from '@repoless/core/messages/explain-failure.ts';
import { simulationSummary } from '@repoless/core/messages/simulation-sentences.ts';
import type { MessagesOf } from '@repoless/core/messages/language.ts';
import { useMessages } from '../../ui/use-messages.ts';
import type { SimulationPorts } from '../../ui/simulation-context.ts';
import { Explanation } from '../../ui/Explanation.tsx';
import { SimulationResult } from './SimulationResult.tsx';
import { useSimulation } from './use-simulation.ts';
import type { SimulationState } from './use-simulation.ts';

interface Props {
  readonly ports: SimulationPorts;
  /** Another change is another simulation: draw it with another key. */
  readonly intended: IntendedPaths;
  /** What would change the mappings. */
  readonly occasion?: keyof MessagesOf<'simulation'>['simulation']['occasion'];
  /** Where its heading stands among those around it. */
  readonly level?: 2 | 3 | 4;
}

/** Tries a change of path mappings on the pages that are there, before it is saved. */
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
        {/* One button for both, so that the focus stays where it is. */}
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
