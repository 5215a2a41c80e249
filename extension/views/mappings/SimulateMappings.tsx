import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { useId } from 'react';
import type { IntendedPaths } from '#extension/setup/mappings/read-simulation.ts';
import type { SetupPorts } from '#extension/setup/ports.ts';
import { explainFailure } from '#extension/messages/explain-failure.ts';
import { simulationSummary } from '#extension/messages/simulation-sentences.ts';
import { useMessages } from '../messages/use-messages.ts';
import { Explanation } from '../shared/Explanation.tsx';
import { SimulationResult } from './SimulationResult.tsx';
import { useSimulation } from './use-simulation.ts';
import type { SimulationState } from './use-simulation.ts';

interface Props {
  readonly ports: Pick<SetupPorts, 'service' | 'authoring'>;
  /** Another change is another simulation: draw it with another key. */
  readonly intended: IntendedPaths;
}

/** Tries a change of path mappings on the pages that are there, before it is saved. */
export function SimulateMappings({ ports, intended }: Props) {
  const messages = useMessages('simulation');
  const { simulation: say } = messages;
  const { simulating, start, stop } = useSimulation(ports, intended);
  const title = useId();
  const isReading = simulating.state === 'reading';
  return (
    <section className="rp-card" aria-labelledby={title} aria-busy={isReading}>
      <h2 id={title}>{say.title}</h2>
      <p className="rp-quiet">{say.text}</p>
      <div className="rp-actions">
        {/* One button for both, so that the focus stays where it is. */}
        <ActionButton onPress={() => (isReading ? stop() : void start())}>{isReading ? say.stop : say.start}</ActionButton>
      </div>
      <p role="status" className={simulating.state === 'ready' ? 'rp-strong' : 'rp-quiet'}>
        {statusOf(say, simulating)}
      </p>
      {simulating.state === 'failed' && <Explanation title={say.failed} explained={explainFailure(messages, simulating.failure)} />}
      {simulating.state === 'ready' && <SimulationResult simulation={simulating.simulation} />}
    </section>
  );
}

function statusOf(say: Parameters<typeof simulationSummary>[0], simulating: SimulationState): string {
  switch (simulating.state) {
    case 'reading':
      return say.reading(simulating.pages);
    case 'stopped':
      return say.stopped;
    case 'ready':
      return simulationSummary(say, simulating.simulation);
    case 'none':
    case 'failed':
      return '';
    default:
      return simulating satisfies never;
  }
}
