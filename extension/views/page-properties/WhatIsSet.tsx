import type { Situation } from '#extension/setup/situation.ts';
import { Breakable } from '../shared/Breakable.tsx';
import { useWords } from '../use-words.ts';
import { settingRows } from './setting-rows.ts';

/** What the author set in the authoring system, each value with where it comes from. */
export function WhatIsSet({ situation }: { readonly situation: Situation }) {
  const words = useWords();
  const { settings } = situation;
  return (
    <section className="rp-card" aria-labelledby="rp-what-is-set">
      <h2 id="rp-what-is-set">{words.settings.title}</h2>
      <dl className="rp-settings">
        {settingRows(words, situation).map((row) => (
          <div key={row.key}>
            <dt>{row.name}</dt>
            <dd>
              {row.value === undefined ? (
                <span className="rp-unset">{words.settings.notSet}</span>
              ) : (
                <span className="rp-value">
                  <Breakable text={row.value} />
                </span>
              )}
              <span className="rp-source">{row.source}</span>
            </dd>
          </div>
        ))}
      </dl>
      {settings.liveCopyOf !== undefined && <p className="rp-quiet">{words.settings.liveCopy(settings.liveCopyOf)}</p>}
    </section>
  );
}
