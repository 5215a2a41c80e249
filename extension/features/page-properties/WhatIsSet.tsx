import type { Situation } from '@repoless/core/situation/situation.ts';
import { Breakable } from '../../ui/Breakable.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { settingRows } from './setting-rows.ts';

/** What the author set in the authoring system, each value with where it comes from. */
export function WhatIsSet({ situation }: { readonly situation: Situation }) {
  const messages = useMessages();
  const { settings } = situation;
  const { rows, unset } = settingRows(messages, situation);
  return (
    <section className="rp-card" aria-labelledby="rp-what-is-set">
      <h2 id="rp-what-is-set">{messages.settings.title}</h2>
      <dl className="rp-settings">
        {rows.map((row) => (
          <div key={row.key}>
            <dt>{row.name}</dt>
            <dd>
              <span className="rp-value">
                <Breakable text={row.value} />
              </span>
              <span className="rp-source">{row.source}</span>
            </dd>
          </div>
        ))}
      </dl>
      {unset.length > 0 && <p className="rp-quiet">{messages.settings.unset({ names: unset.join(', ') })}</p>}
      {settings.liveCopyOf !== undefined && <p className="rp-quiet">{messages.settings.liveCopy({ of: settings.liveCopyOf })}</p>}
    </section>
  );
}
