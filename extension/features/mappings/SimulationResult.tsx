import { useState } from 'react';
import type { ReadSimulation } from '@repoless/core/mappings/read-simulation.ts';
import type { SimulatedPage } from '@repoless/core/mappings/simulate-mappings.ts';
import { explainFailure } from '@repoless/core/messages/explain-failure.ts';
import { affectedPages, pageSentence, simulationRemarks } from '@repoless/core/messages/simulation-sentences.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { Breakable } from '../../ui/Breakable.tsx';
import { WindowedList } from '../../ui/WindowedList.tsx';
import './mappings.css';

const ROW = 84;
const HEIGHT = 420;

/** The pages that a change of mappings affects, the worst first; the chosen one in full below. */
export function SimulationResult({ simulation }: { readonly simulation: ReadSimulation }) {
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
              className={`rp-affected rp-affected-${page.fate}`}
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
